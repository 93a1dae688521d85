// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The level of a recording, per tenth of a second.
struct LevelMonitorSinkTests {
  /// Two channels at 1 kHz: 300 ms and a rest, both with a mean that changes each 100 ms.
  private let samples: [Double] = (0..<350).flatMap { (index: Int) -> [Double] in
    switch index {
    case 0..<100: [index.isMultiple(of: 2) ? 0.5 : -0.5, index.isMultiple(of: 2) ? 0.375 : 0.125]
    // Four samples in a row at full scale, across the end of a block.
    case 198..<202: [-1, 0.999_98]
    case 250: [.nan, 0]
    default: [0, 0]
    }
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
      let channel = stretch.channels[0]
      #expect(
        channel.levels.map(\.samplesPerChannel) == [
          220, 221, 220, 221, 220, 221, 220, 221, 220, 221,
        ])
      // A constant is no sound.
      #expect(channel.levels.allSatisfy { $0.meanSquare == 0 })
      #expect(channel.soundPeak == 0 && channel.peak == 0.5 && channel.mean == 0.5)
    }
  }

  @Test(arguments: [1, 13, 350])
  func everyTenthOfASecondIsMeasured(_ block: Int) throws {
    var stretches: [MonitoredLevel] = []
    let sink = LevelMonitorSink(NullSink()) { stretches.append($0) }
    _ = try sink.initialize(
      proposing: StreamFormat(sampleRate: 1_000, channelCount: 2), wakeup: Wakeup())
    var start = 0
    while start < samples.count {
      let end = min(start + 2 * block, samples.count)
      #expect(try sink.write(samples.span.extracting(start..<end)) == .accepted)
      start = end
    }
    try #require(stretches.count == 3)
    for (number, stretch) in stretches.enumerated() {
      #expect(stretch.position == Int64(number) * 100 && stretch.end == stretch.position + 100)
      for channel in 0..<2 {
        expect(
          stretch.channels[channel],
          isOf: (0..<100).map { samples[(number * 100 + $0) * 2 + channel] })
      }
    }
    #expect(stretches.map { $0.channels.map(\.longestClipping) } == [[0, 0], [2, 2], [4, 4]])
    #expect(abs(stretches[0].channels[1].soundPeak - 0.125) < 1e-12)
  }

  /// Compares with the formulas, sample by sample.
  private func expect(_ channel: MonitoredLevel.Channel, isOf all: [Double]) {
    let numbers = all.filter { !$0.isNaN }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    #expect(abs(channel.mean - mean) < 1e-12)
    #expect(channel.peak == numbers.map { abs($0) }.max())
    #expect(abs(channel.soundPeak - (numbers.map { abs($0 - mean) }.max() ?? 0)) < 1e-12)
    for (index, level) in channel.levels.enumerated() {
      let part = all[index * 10..<(index + 1) * 10].filter { !$0.isNaN }
      let squares = part.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      #expect(level.samplesPerChannel == 10)
      #expect(abs(level.meanSquare - squares / Double(part.count)) < 1e-12)
    }
  }
}
