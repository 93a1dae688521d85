import AudioCore
import Synchronization
import Testing

@Suite struct PrecisionTests {
  @Test(arguments: [
    (SampleEncoding.s16, SamplePrecision.single, ResamplerQuality.high, SamplePrecision.single),
    (.f32, .single, .high, .single), (.ulaw, .single, .fast, .single),
    (.vorbis, .single, .high, .single), (.s24, .single, .high, .double),
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
    try session.addRemote(try ArraySource([0.5], encoding: .u8))
    try session.addRemote(try ArraySource([0.5], encoding: source))
    session.setSink(.playback, CollectingSink(precision: sink))
    let told = Mutex<SamplePrecision?>(nil)
    session.onStart = { summary in told.withLock { $0 = summary.precision } }
    var asked: SamplePrecision?
    session.register(matching: { precision in
      asked = precision
      return RecordingObserver<Float>(.playback)
    })
    _ = try session.run()
    #expect(told.withLock { $0 } == expected)
    #expect(asked == expected)
  }
}
