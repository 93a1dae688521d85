// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Samples of a program through a session, from an array into an array.
@Suite struct ArrayEndsTests {
  /// Returns the output of a session for `samples`.
  private func pass<Given: FrameSample, Taken: FrameSample>(
    _ samples: [Given], channels: Int = 1, as type: Taken.Type, format: StreamFormat? = nil
  ) throws -> ArraySink<Taken> {
    let session = Session()
    let own = try StreamFormat(sampleRate: 48_000, channelCount: channels)
    let sink = ArraySink<Taken>(format: format)
    try session.setLocal(ArraySource(samples, format: own))
    try session.setSink(sink, at: .publish)
    _ = try session.run()
    return sink
  }

  @Test func everyBitOfAFloat() throws {
    let samples: [Float] = Noise.samples(60_001 * 3) + [.infinity, -.leastNonzeroMagnitude, 5]
    let sink = try pass(samples, channels: 3, as: Float.self)
    #expect(sink.samples.map(\.bitPattern) == samples.map(\.bitPattern))
    #expect(sink.format == (try StreamFormat(sampleRate: 48_000, channelCount: 3)))
    #expect(sink.clippedSamples == 0)
  }

  @Test func everyBitOfADouble() throws {
    let samples = Noise.integers(40_000, seed: 2, bits: 53) + [-0.0, .leastNonzeroMagnitude, 9]
    let sink = try pass(samples, as: Double.self)
    #expect(sink.samples.map(\.bitPattern) == samples.map(\.bitPattern))
  }

  @Test func every16Bits() throws {
    let samples = (Int16.min...Int16.max).map { $0 }
    let sink = try pass(samples, channels: 2, as: Int16.self)
    #expect(sink.samples == samples)
    #expect(sink.clippedSamples == 0)
    #expect(try pass(samples, as: Double.self).samples == samples.map { Double($0) / 32_768 })
  }

  @Test func whatSixteenBitsCannotHoldIsCounted() throws {
    let samples =
      [2, -1, 1, .nan, .infinity, 0.5, 1.4 / 32_768] + [Double](repeating: -3, count: 600)
    let sink = try pass(samples, as: Int16.self)
    #expect(sink.samples.prefix(7) == [32_767, -32_768, 32_767, 0, 32_767, 16_384, 1])
    #expect(sink.samples.dropFirst(7).allSatisfy { $0 == -32_768 })
    #expect(sink.clippedSamples == 4 + 600)
  }

  /// A sink is told the length that it gets: of the source, or of the session if that is shorter.
  @Test(
    arguments: [
      (nil, .seconds(2)), (.time(.seconds(0.5)), .seconds(0.5)), (.time(.seconds(3)), .seconds(2)),
      (.samples(4_000), .seconds(0.5)),
    ] as [(TimePosition?, Duration)])
  func aSinkIsToldItsLength(limit: TimePosition?, expected: Duration) throws {
    let (session, sink) = (Session(), ArraySink<Float>())
    session.duration = limit
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    try session.setLocal(ArraySource([Float](repeating: 0, count: 16_000), format: format))
    var told: Duration?
    try session.setSink(at: .publish) { request in
      told = request.duration
      return sink
    }
    _ = try session.run()
    #expect(told == expected)
    #expect(Duration.seconds(Double(sink.samples.count) / 8_000) == expected)
  }

  @Test func theSessionConvertsToTheSinksFormat() throws {
    let mono = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let sink = try pass([0.5, 0.25, -0.5, 0.5, 0, 0], channels: 2, as: Float.self, format: mono)
    #expect(sink.samples == [0.375, 0, 0])
    #expect(sink.format == mono)
  }

  /// One session after another, from the first sample, into an empty array.
  @Test func endsAreUsedAgain() throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let samples = Noise.integers(3_000)
    let (source, sink) = (try ArraySource(samples, format: format), ArraySink<Double>())
    for _ in 0..<2 {
      let session = try Session(local: source)
      try session.setSink(sink, at: .publish)
      _ = try session.run()
      #expect(sink.samples == samples)
    }
  }

  @Test func aPartOfIt() throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 2)
    let samples = Noise.integers(2 * 30_000, seed: 3)
    for (start, length) in [(1_234, 20_000), (29_999, 5), (0, 1)] {
      let session = Session()
      let sink = ArraySink<Double>()
      try session.setLocal(
        TrimmedSource(
          ArraySource(samples, format: format), start: .samples(Int64(start)),
          duration: .samples(Int64(length))))
      try session.setSink(sink, at: .publish)
      _ = try session.run()
      #expect(sink.samples == Array(samples[(2 * start)..<min(2 * (start + length), 60_000)]))
    }
  }

  @Test func whatItSaysOfItself() throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 2)
    func described<Sample: FrameSample>(_ samples: [Sample]) throws -> SourceDescription {
      try ArraySource(samples, format: format).initialize(proposing: nil, wakeup: Wakeup())
    }
    let descriptions = try [
      described([1, 2, 3, 4] as [Float]), described([1.0, 2]), described([] as [Int16]),
    ]
    #expect(descriptions.map(\.encoding) == [.f32, .f64, .s16])
    #expect(descriptions.map(\.samplesPerChannel) == [2, 1, 0])
    #expect(descriptions.allSatisfy { $0.isRepeatable && !$0.isLive && $0.format == format })
  }

  @Test func aPartOfASampleFrameIsRefused() throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 2)
    let error = #expect(throws: AudioError.self) {
      try ArraySource([1, 2, 3] as [Float], format: format)
    }
    #expect(error?.kind == .invalidParameter)
    #expect(
      error?.description == "cannot use '3 samples': they end within a sample frame of 2 channels; "
        + "give a sample of every channel")
  }

  @Test func nothingBecomesNothing() throws {
    #expect(try pass([Float](), as: Float.self).samples.isEmpty)
  }
}
