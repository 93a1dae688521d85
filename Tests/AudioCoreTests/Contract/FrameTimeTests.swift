// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 8: time, at every position and in every rate that an observer asks for.
@Suite struct FrameTimeTests {
  @Test(arguments: ContractShapes.rates)
  func positionsCountSamplesAndTimesAreRoundedDown(rate: Int) throws {
    let bench = try ContractSession(rate: 11_025, length: 2_000)
    let observer = RecordingObserver<Float>(.all, FrameParameters(sampleRate: rate))
    try bench.session.register(observer)
    _ = try bench.run()
    var next: [String: Int64] = [:]
    for (frame, position) in zip(observer.frames, observer.visited) {
      let stream = frame.source?.description ?? position.rawValue
      #expect(frame.samplePosition == next[stream, default: 0])
      next[stream] = frame.samplePosition + Int64(frame.samples.count)
      #expect(frame.renderTime == frame.samplePosition * 1_000 / Int64(rate))
    }
    // The source of record is `local`.
    #expect(Set(next.keys) == ["local", "1", "2", "playback", "mixed"])
    #expect(Set(next.values) == [Int64((2_000 * rate + 11_024) / 11_025)])
  }
}
