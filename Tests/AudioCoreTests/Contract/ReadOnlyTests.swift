// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 3: a read-only observer never changes the stream.
@Suite struct ReadOnlyTests {
  /// Returns all sinks' samples, bit for bit.
  private func outputs(
    rate: Int, length: Int, channels: Int, _ asked: [FrameParameters]
  ) throws -> [[UInt64]] {
    let bench = try ContractSession(rate: rate, channels: channels, length: length)
    for (index, parameters) in asked.enumerated() {
      try bench.session.register(
        RecordingObserver<Float>(.all, parameters, answer: index == 0) { samples in
          for index in samples.indices { samples[index] = -samples[index] + 0.125 }
        })
    }
    return try bench.run().map { $0.map { $0.bitPattern } }
  }

  /// The stream's own rate, every length, full and partial frames.
  @Test(arguments: ContractShapes.rates)
  func leavesTheOutputAsItIs(rate: Int) throws {
    let without = try outputs(rate: rate, length: rate / 16, channels: 2, [])
    for length in ContractShapes.lengths(at: rate) {
      let asked = FrameParameters(samplesPerCall: length * 2)
      #expect(try outputs(rate: rate, length: rate / 16, channels: 2, [asked]) == without)
    }
  }

  /// Every other rate, at another channel count.
  @Test(arguments: ContractShapes.rates, ContractShapes.rates)
  func leavesTheOutputAsItIsInAnotherFormat(rate: Int, asked: Int) throws {
    let lengths = ContractShapes.lengths(at: asked)
    let length = lengths[(rate / 25 + asked / 25) % lengths.count]
    let parameters = FrameParameters(
      sampleRate: asked, channelCount: 2, samplesPerCall: length * 2)
    let count = rate / 80
    #expect(
      try outputs(rate: rate, length: count, channels: 1, [parameters, FrameParameters()])
        == outputs(rate: rate, length: count, channels: 1, []))
  }

  @Test(arguments: ObservationPosition.whereOneEdits)
  func writeOnlyReplacesAtEveryPosition(position: ObservationPosition) throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(.init(position), FrameParameters(mode: .writeOnly)) {
      samples in
      for index in samples.indices { samples[index] = 0.25 }
    }
    try bench.session.register(observer)
    let outputs = try bench.run()
    #expect(observer.samples().allSatisfy { $0 == 0 })
    let (sink, level) =
      switch position {
      case .record: (0, 0.25)
      case .playback: (1, 0.25)
      // Two sources of 0.25.
      case .beforeMixing: (1, 0.5)
      case .mixed: (2, 0.25)
      case .shared: fatalError("an edit is an error there")
      }
    #expect(outputs[sink] == [Double](repeating: level, count: 1_000))
  }
}
