// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Mistakes in observers without an error.
@Suite struct NoticeTests {
  private func notices(_ prepare: (Session) throws -> Void) throws -> [SessionNotice] {
    let session = try Session(local: GivenSource(Noise.integers(4_800)))
    try session.setSink(NullSink(), at: .publish)
    try prepare(session)
    return try session.run().notices
  }

  /// Takes only the first of its two positions.
  private final class HalfAsked: RecordObserver, PlaybackObserver {
    let positions: ObservationPositions = .record
    func record(_ frame: inout AudioFrame<Float>) -> Bool { true }
    func playback(_ frame: inout AudioFrame<Float>) -> Bool { true }
  }

  @Test func aClosureThatEditsWithoutReadWrite() throws {
    var calls = 0
    let found = try notices { session in
      try session.observe(at: .record) { frame in
        if calls < 3 { frame.samples[0] = 1 }
        calls += 1
      }
    }
    #expect(calls == 10)
    #expect(found == [.editsInReadOnly(observer: "a closure", position: .record, frames: 3)])
    #expect(
      found.first?.description == """
        a closure changed 3 frames at record in mode read-only, and the stream kept its own; ask for the mode \
        read-write
        """)
  }

  @Test func aCallbackOutsideOfThePositions() throws {
    let found = try notices { try $0.register(HalfAsked()) }
    #expect(found == [.callbackWithoutPosition(observer: "HalfAsked", position: .playback)])
    #expect(
      found.first?.description == """
        HalfAsked has a callback for playback that was never called; if it is to be, add the position to its \
        'positions'
        """)
  }

  @Test func noneWithoutAMistake() throws {
    let found = try notices { session in
      try session.observe(at: .record) { _ in }
      try session.observe(at: .record, as: .readWrite) { $0.samples[0] = 1 }
      try session.register(GainObserver(.record, factor: 0.5))
    }
    #expect(found == [])
  }
}
