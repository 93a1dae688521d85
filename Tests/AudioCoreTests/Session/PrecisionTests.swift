// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Synchronization
import Testing

@Suite struct PrecisionTests {
  /// Sees the sample type in which the session computes.
  private final class SampleWitness: GenericObserver {
    let positions = ObservationPositions.playback
    private(set) var precision: SamplePrecision?

    func observe<Sample: AudioSample>(
      _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
    ) -> Bool {
      precision = Sample.precision
      return true
    }
  }

  @Test(arguments: [
    (SampleEncoding.s16, SamplePrecision.single, ResamplerQuality.high, SamplePrecision.single),
    (.ulaw, .single, .fast, .single), (.gsm610, .single, .high, .single),
    (.f32, .single, .high, .double), (.vorbis, .single, .high, .double),
    (.s24, .single, .high, .double),
    (.s32, .single, .high, .double), (.f64, .single, .high, .double),
    (.alac24, .single, .high, .double), (.s16, .double, .high, .double),
    (.s16, .single, .best, .double),
  ])
  func followsTheWidestAndTheQuality(
    source: SampleEncoding, sink: SamplePrecision, quality: ResamplerQuality,
    expected: SamplePrecision
  ) throws {
    let session = Session()
    session.resamplerQuality = quality
    try session.addRemote(try GivenSource([0.5], encoding: .u8))
    try session.addRemote(try GivenSource([0.5], encoding: source))
    try session.setSink(CollectingSink(precision: sink), at: .playback)
    let told = Mutex<SamplePrecision?>(nil)
    session.onStart = { summary in told.withLock { $0 = summary.precision } }
    let observer = SampleWitness()
    try session.register(observer)
    _ = try session.run()
    #expect(told.withLock { $0 } == expected)
    #expect(observer.precision == expected)
  }

  @Test func singleSourceOfFloatNeedsNoMore() throws {
    #expect(try precision(of: .f32) { _ in } == .single)
  }

  @Test func aGainNeedsDouble() throws {
    func gain(_ decibels: Double) -> GainObserver {
      GainObserver(.record, decibels: decibels)
    }
    #expect(try precision { try $0.register(gain(0)) } == .single)
    #expect(try precision { try $0.register(gain(-6)) } == .double)
    #expect(try precision { try $0.register(gain(-6)).unregister() } == .single)
  }

  @Test(arguments: [
    (MixEntry(), SamplePrecision.single), (MixEntry(gain: 0.5), .double),
    (MixEntry(pan: 0.5), .double), (MixEntry(offset: .samples(3)), .single),
  ])
  func theEntryOfASourceCounts(entry: MixEntry, expected: SamplePrecision) throws {
    let found = try precision { session in
      try session.addRemote(try GivenSource([0, 0], channels: 2, encoding: .s16), entry: entry)
      try session.setSink(CollectingSink(), at: .playback)
    }
    #expect(found == expected)
  }

  /// 256 sources of 16 bits have a sum of 24 bits.
  @Test(arguments: [(255, SamplePrecision.single), (256, .double)])
  func moreSourcesThanFloatHolds(remotes: Int, expected: SamplePrecision) throws {
    let found = try precision { session in
      for _ in 0..<remotes { try session.addRemote(try GivenSource([0], encoding: .s16)) }
      try session.setSink(CollectingSink(), at: .playback)
    }
    #expect(found == expected)
  }

  /// Returns the precision of a session with a local source and the additions of `configure`.
  private func precision(
    of encoding: SampleEncoding = .s16, _ configure: (Session) throws -> Void
  ) throws -> SamplePrecision? {
    let session = try Session(local: GivenSource([0.5], encoding: encoding))
    try session.setSink(CollectingSink(), at: .publish)
    try configure(session)
    let told = Mutex<SamplePrecision?>(nil)
    session.onStart = { summary in told.withLock { $0 = summary.precision } }
    _ = try session.run()
    return told.withLock { $0 }
  }
}
