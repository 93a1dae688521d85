// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A session's outputs are independent of the block sizes at its ends.
@Suite struct BlockSizeTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>, [SampleEncoding.s16, .s24])
  func resultsAreTheSameBitForBit(seed: UInt64, encoding: SampleEncoding) throws {
    let session = RandomSession(seed: seed, encoding: encoding)
    let reference = try session.run(.large)
    for cuts in 1...2 as ClosedRange<UInt64> {
      #expect(try session.run(.pieces(seed &* 2 &+ cuts)) == reference)
    }
  }

  @Test func theReferenceHasSomethingToCompare() throws {
    let outcomes = try (1...60 as ClosedRange<UInt64>).map {
      try RandomSession(seed: $0, encoding: .s16).run(.large)
    }
    #expect(outcomes.count { $0.sinks.allSatisfy { !$0.isEmpty } } >= 40)
    #expect(outcomes.count { $0.frames.contains { !$0.isEmpty } } >= 30)
  }

  /// A source of one sample beside a long one, read one sample at a time.
  @Test func oneSampleAtATime() throws {
    let long = Noise.integers(20_000, seed: 1)
    for short in [0, 1, 2] {
      let session = Session()
      try session.addRemote(try GivenSource(Array(repeating: 0.5, count: short), pieces: [1]))
      try session.addRemote(try GivenSource(long, pieces: [1]))
      let sink = try session.run(collecting: .playback)
      #expect(sink.samples == long.indices.map { long[$0] + ($0 < short ? 0.5 : 0) })
    }
  }

  /// The longest frames and filters in one branch, none in the other.
  @Test func oneBranchMayHoldBackMuch() throws {
    let samples = Noise.integers(30_000, seed: 3)
    let session = try Session(local: GivenSource(samples, rate: 8_000))
    try session.addRemote(try GivenSource([0.5], rate: 12_000))
    try session.register(
      RecordingObserver<Float>(.record, FrameParameters(mode: .readWrite, samplesPerCall: 29_000)))
    try session.register(
      RecordingObserver<Float>(.mixed, FrameParameters(sampleRate: 1_000, samplesPerCall: 1_000)))
    let (publish, mixed) = (CollectingSink(), CollectingSink())
    try session.setSink(publish, at: .publish)
    try session.setSink(mixed, at: .mixed)
    _ = try session.run()
    #expect(publish.samples == samples)
    #expect(mixed.samples.count == 45_000)
  }

  /// From the smallest format to the largest: 768 × 64 samples of each.
  @Test func theWidestConversionsStayInBounds() throws {
    let session = Session()
    session.resamplerQuality = .fast
    session.mixSampleRate = 768_000
    session.mixChannelCount = 64
    try session.addRemote(try GivenSource(Noise.integers(2), rate: 1_000))
    let sink = try session.run(collecting: .playback)
    #expect(sink.samples.count == 2 * 768 * 64)
  }

  /// A read-only observer at mixed leaves playback unchanged, even if the sum exists only for it.
  @Test func watchingMixedDoesNotChangePlayback() throws {
    func run(_ observers: [any AudioObserver]) throws -> CollectingSink {
      let session = try Session(local: GivenSource(Noise.integers(400), rate: 12_000, channels: 2))
      try session.addRemote(try GivenSource(Noise.integers(300, seed: 2), rate: 8_000))
      for observer in observers { try session.register(observer) }
      let sink = try session.run(collecting: .playback)
      return sink
    }
    let watched = try run([RecordingObserver<Float>(.mixed)])
    let alone = try run([])
    #expect(watched.format == alone.format)
    #expect(watched.samples == alone.samples)
  }
}
