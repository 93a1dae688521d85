// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 6: before mixing.
@Suite struct BeforeMixingTests {
  @Test func firesOncePerSourceAndInterval() throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(.beforeMixing)
    try bench.session.register(observer)
    _ = try bench.run()
    for id in ["1", "2"] {
      let frames = observer.frames.filter { $0.source?.description == id }
      // 1,000 samples at 8 kHz in frames of 80.
      #expect(frames.map { $0.samplePosition } == (0..<13).map { $0 * 80 })
    }
    #expect(observer.frames.count == 26)
  }

  /// A source without a group has none in its frames.
  @Test func aFrameHasTheGroupOfItsSource() throws {
    let bench = try ContractSession()
    let observer = RecordingObserver<Float>(.beforeMixing)
    try bench.session.register(observer)
    _ = try bench.run()
    #expect(observer.frames.count == 26)
    for frame in observer.frames {
      #expect(frame.group?.description == (frame.source?.description == "1" ? "room" : nil))
    }
  }

  @Test func anEditOfOneSourceIsHeardInPlaybackAndMixedAlone() throws {
    let plain = try ContractSession().run()
    let bench = try ContractSession()
    let first = SourceID("1")
    let observer = RecordingObserver<Float>(.beforeMixing, FrameParameters(mode: .readWrite)) {
      samples in
      for index in samples.indices { samples[index] += 0.25 }
    }
    try bench.session.register(observer, from: "room/1")
    let edited = try bench.run()
    #expect(edited[0] == plain[0])
    #expect(edited[1] == plain[1].map { $0 + 0.25 })
    #expect(edited[2] == plain[2].map { $0 + 0.25 })
    #expect(Set(observer.frames.map { $0.source }) == [first])
  }
}
