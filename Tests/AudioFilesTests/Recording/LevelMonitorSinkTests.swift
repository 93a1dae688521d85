// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The level of a recording, per tenth of a second.
struct LevelMonitorSinkTests {
  /// Two channels at 1 kHz: 300 ms and a rest, the left one louder.
  private let samples: [Double] = (0..<350).flatMap { (index: Int) -> [Double] in
    switch index {
    case 0..<100: [index.isMultiple(of: 2) ? 0.5 : -0.5, 0.25]
    // Four samples in a row at full scale, across the end of a block.
    case 198..<202: [-1, 0.999_98]
    case 250: [.nan, 0]
    default: [0, 0]
    }
  }

  private func levels(_ meanSquares: [Double]) -> [MonitoredLevel.Level] {
    meanSquares.map { .init(samplesPerChannel: 10, meanSquare: $0) }
  }

  /// At 22,050 Hz a hundredth of a second is 220.5 samples.
  @Test func hundredthsThatAreNoWholeNumber() throws {
    var stretches: [MonitoredLevel] = []
    let sink = LevelMonitorSink(NullSink()) { stretches.append($0) }
    _ = try sink.initialize(
      proposing: StreamFormat(sampleRate: 22_050, channelCount: 1), wakeup: Wakeup())
    for _ in 0..<9 {
      #expect(try sink.write([Float](repeating: 0.5, count: 490).span) == .accepted)
    }
    #expect(stretches.map(\.samplesPerChannel) == [2_205, 2_205])
    for stretch in stretches {
      #expect(
        stretch.levels.map(\.samplesPerChannel) == [
          220, 221, 220, 221, 220, 221, 220, 221, 220, 221,
        ])
      #expect(stretch.levels.allSatisfy { $0.meanSquare == 0.25 })
    }
  }

  @Test(arguments: [1, 13, 350])
  func everyTenthOfASecondIsMeasured(_ block: Int) throws {
    var stretches: [MonitoredLevel] = []
    let collecting = NullSink()
    let sink = LevelMonitorSink(collecting) { stretches.append($0) }
    _ = try sink.initialize(
      proposing: StreamFormat(sampleRate: 1_000, channelCount: 2), wakeup: Wakeup())
    var start = 0
    while start < samples.count {
      let end = min(start + 2 * block, samples.count)
      #expect(try sink.write(Array(samples[start..<end]).span) == .accepted)
      start = end
    }
    try #require(stretches.count == 3)
    #expect(
      stretches[0]
        == MonitoredLevel(
          position: 0, samplesPerChannel: 100, sampleRate: 1_000, peak: 0.5,
          levels: levels([0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25])))
    #expect(
      stretches[1]
        == MonitoredLevel(
          position: 100, samplesPerChannel: 100, sampleRate: 1_000, peak: 1,
          levels: levels([0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2]), longestClipping: 2))
    #expect(
      stretches[2]
        == MonitoredLevel(
          position: 200, samplesPerChannel: 100, sampleRate: 1_000, peak: 1,
          levels: levels([0.2, 0, 0, 0, 0, 0, 0, 0, 0, 0]), longestClipping: 4))
    #expect(stretches[2].end == 300)
  }
}
