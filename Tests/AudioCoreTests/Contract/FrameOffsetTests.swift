// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 8 for sources that begin later: positions count from the start of the session.
@Suite struct FrameOffsetTests {
  @Test(arguments: [
    (TimePosition.samples(480), 48_000, Int64(480)), (.time(.milliseconds(10)), 16_000, 160),
    (.samples(1), 8_000, 0), (.samples(3), 8_000, 1), (.samples(0), 44_100, 0),
  ])
  func aSourceWithAnOffsetBeginsThere(offset: TimePosition, rate: Int, first: Int64) throws {
    let session = Session()
    try session.addRemote(
      try GivenSource(Noise.integers(4_800)), entry: MixEntry(offset: offset))
    let observer = RecordingObserver<Float>(.beforeMixing, FrameParameters(sampleRate: rate))
    try session.register(observer)
    try session.setSink(NullSink(), at: .playback)
    _ = try session.run()
    #expect(observer.frames.first?.samplePosition == first)
    #expect(observer.frames.first?.renderTime == first * 1_000 / Int64(rate))
    let length = Int64((rate + 99) / 100)
    #expect(observer.frames.dropFirst().first?.samplePosition == first + length)
  }
}
