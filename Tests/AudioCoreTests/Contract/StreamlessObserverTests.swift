// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// An observer for which a session has no stream is an error, not silence.
@Suite struct StreamlessObserverTests {
  private func withLocal() throws -> Session {
    let session = try Session(local: GivenSource(Noise.integers(50_000), pieces: [1_000]))
    try session.setSink(NullSink(), at: .publish)
    return session
  }

  @Test(
    arguments: [
      (
        .playback,
        "cannot observe 'playback': the session has no such stream; "
          + "add the source first, or observe elsewhere"
      ),
      (
        [.playback, .beforeMixing] as ObservationPositions,
        "cannot observe 'playback or before-mixing': "
          + "the session has no such stream; add the source first, or observe elsewhere"
      ),
      (
        .shared,
        "cannot observe 'shared': the session has no such stream; "
          + "add the source first, or observe elsewhere"
      ),
    ] as [(ObservationPositions, String)])
  func aPositionWithoutAStream(positions: ObservationPositions, message: String) throws {
    let session = try withLocal()
    try session.observe(at: positions) { _ in }
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.description == message)
  }

  /// The shared sum of a session without shared sources and without clients.
  @Test func noSharedSource() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0]))
    try session.observe(at: .shared) { _ in }
    #expect(throws: AudioError.self) { try session.run() }
  }

  @Test(
    arguments: [
      (
        "bob",
        "cannot observe source 'bob': there is no such source; "
          + "add it first, or let the session be open"
      ),
      (
        "local",
        "cannot observe 'before-mixing': the session has no such stream; "
          + "add the source first, or observe elsewhere"
      ),
    ] as [(String, String)])
  func aSourceThatIsNotThere(key: String, message: String) throws {
    let session = try withLocal()
    try session.addRemote(try GivenSource([0]))
    try session.observe(at: .beforeMixing, from: try SourceKey(key)) { _ in }
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.description == message)
  }

  @Test func aSourceThatMayJoinIsWaitedFor() throws {
    let session = try withLocal()
    session.end = .onRequest
    session.duration = .samples(480)
    let observer = RecordingObserver<Float>(.beforeMixing)
    try session.register(observer, from: "bob")
    _ = try session.run()
    #expect(observer.frames.isEmpty)
  }

  /// One stream is enough: playback and record are the default of an observer without `positions`.
  @Test func oneStreamIsEnough() throws {
    let session = try withLocal()
    let observer = RecordingObserver<Float>([.playback, .record])
    try session.register(observer)
    _ = try session.run()
    #expect(Set(observer.visited) == [.record])
  }

  @Test(
    arguments: [
      (ObservationPositions.playback, nil), (.shared, nil), (.mixed, nil), (.record, "bob"),
    ] as [(ObservationPositions, String?)])
  func whileItRunsItIsAnErrorAtOnce(positions: ObservationPositions, key: String?) throws {
    let session = try withLocal()
    var error: AudioError?
    session.onProgress = { [unowned session] _ in
      if error != nil { return }
      error = #expect(throws: AudioError.self) {
        try session.live.observe(at: positions, from: try key.map { try SourceKey($0) }) { _ in }
      }
    }
    let report = try session.run()
    session.onProgress = nil
    #expect(error?.kind == .invalidParameter)
    #expect(report.outcome == .finished)
  }
}
