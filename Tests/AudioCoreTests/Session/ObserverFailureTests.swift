// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// An observer that fails in a callback without `throws`, and makers that throw their own errors.
@Suite struct ObserverFailureTests {
  private struct FullStore: Error, Equatable, CustomStringConvertible {
    var line = 1
    var description: String { "the store is full\nsince line \(line)" }
  }

  private static let wrapped = AudioError(
    .underlying, cannot: "observe", "local", because: "the store is full since line 1")

  /// Hands the record stream and the number of each frame to a closure.
  private final class Storing: UniformObserver {
    typealias Sample = Float
    let positions: ObservationPositions = .record
    private let take: (ObservedStream, Int) -> Void
    private var stream: ObservedStream?
    private(set) var reasons: [StopReason] = []
    private(set) var frames = 0

    init(_ take: @escaping (ObservedStream, Int) -> Void) { self.take = take }

    func begin(_ stream: ObservedStream) throws(AudioError) { self.stream = stream }

    func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
      frames += 1
      if let stream { take(stream, frames) }
      return true
    }

    func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
      reasons.append(reason)
    }
  }

  /// A closure may throw: the session ends with its error, keeps its report, and calls the closure no more.
  @Test func aClosureThrows() throws {
    let session = try Session(local: GivenSource(Noise.integers(48_000), pieces: [480]))
    let sink = try session.collect(.publish)
    var calls = 0
    try session.observe(at: .record) { _ in
      calls += 1
      if calls == 3 { throw FullStore() }
    }
    #expect(session.report == nil)
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error == Self.wrapped)
    #expect(error?.underlying as? FullStore == FullStore())
    #expect(calls == 3)
    #expect(session.report?.outcome == .failed)
    #expect(session.report?.sinks.first?.samplesPerChannel == Int64(sink.samples.count))
    #expect(session.report?.sources.map(\.key) == [.local])
  }

  private struct Run {
    var error: AudioError?
    var source: GivenSource
    var sink: CollectingSink
    var observer: Storing
  }

  /// Runs a second of sound in blocks of 10 ms, with an observer of 10 ms.
  private func run(
    isLive: Bool = false, failingRead: Int? = nil, _ take: @escaping (ObservedStream, Int) -> Void
  ) throws -> Run {
    let session = Session()
    let source = try GivenSource(Noise.integers(48_000), isLive: isLive, pieces: [480])
    source.failingRead = failingRead.map { ($0, .diskFull) }
    let (sink, observer) = (CollectingSink(), Storing(take))
    try session.setLocal(source)
    try session.setSink(sink, at: .publish)
    try session.register(observer)
    var thrown: AudioError?
    do throws(AudioError) { _ = try session.run() } catch { thrown = error }
    return Run(error: thrown, source: source, sink: sink, observer: observer)
  }

  @Test func aFailureInACallbackEndsTheSession() throws {
    let run = try run { stream, frame in
      if frame == 3 { stream.fail(FullStore()) }
    }
    #expect(run.error == Self.wrapped)
    #expect(run.error?.underlying as? FullStore == FullStore())
    #expect(run.source.calls == [.initialize, .start, .stop, .dispose])
    #expect(run.sink.calls == [.initialize, .start, .abandon, .dispose])
    #expect(run.observer.reasons == [.abandoned])
  }

  /// A live recording keeps its samples, as after every error.
  @Test func aLiveSessionEndsAtTheNextBlock() throws {
    let run = try run(isLive: true) { stream, frame in
      if frame == 3 { stream.fail(FullStore()) }
    }
    #expect(run.error == Self.wrapped)
    #expect(run.observer.frames == 3)
    #expect(run.sink.samples.count == 1_440)
    #expect(run.sink.calls == [.initialize, .start, .finish, .dispose])
    #expect(run.observer.reasons == [.finished])
  }

  @Test func aThreadOfTheObserversOwnMayFail() throws {
    let run = try run(isLive: true) { stream, frame in
      if frame == 1 { OtherThread.run { stream.fail(AudioError.diskFull) }.wait() }
    }
    #expect(run.error == .diskFull)
    #expect(run.observer.frames == 1)
  }

  /// Nothing else would wake the session.
  @Test func aFailureWakesASessionThatWaits() throws {
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1))
    let session = try Session(local: microphone)
    try session.register(
      Storing { stream, frame in
        if frame == 1 { OtherThread.run { stream.fail(FullStore()) } }
      })
    let sender = microphone.sender
    let sending = OtherThread.run {
      _ = sender.waitForStart()
      _ = try? sender.sendWaiting([Float](repeating: 0.5, count: 480))
    }
    #expect(throws: Self.wrapped) { try session.run() }
    sending.wait()
  }

  @Test func theFirstFailureWins() throws {
    let twice = try run { stream, frame in
      if frame == 3 {
        stream.fail(FullStore(line: 1))
        stream.fail(FullStore(line: 2))
      }
    }
    #expect(twice.error == Self.wrapped)
    // The source fails in the round after the frame's round.
    let before = try run(failingRead: 480) { stream, frame in
      if frame == 1 { stream.fail(FullStore()) }
    }
    #expect(before.error == Self.wrapped)
  }

  @Test func theLastFrameMayFail() throws {
    let run = try run { stream, frame in
      if frame == 100 { stream.fail(FullStore()) }
    }
    #expect(run.error == Self.wrapped)
  }

  @Test func whoIsUnregisteredFailsForNobody() throws {
    let run = try run { stream, frame in
      if frame == 3 {
        stream.registration.unregister()
        stream.fail(FullStore())
      }
    }
    #expect(run.error == nil)
    #expect(run.observer.frames == 3)
    #expect(run.sink.samples.count == 48_000)
  }

  @Test func aSinksMakerMayThrowAnyError() throws {
    let session = try Session(local: GivenSource([0.5]))
    try session.setSink(at: .publish) { _ in throw FullStore() }
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(
      error?.description == "cannot make the sink 'publish': the store is full since line 1")
    #expect(error?.underlying is FullStore)
  }

  @Test func aTapsMakerAndAMixsMayThrowAnyError() throws {
    let observers: [(any AudioObserver, String)] = [
      (
        TapObserver(.record, to: { _ in throw FullStore() }, on: try BackgroundWriter()),
        "make the sink for"
      ),
      (MixObserver(.record) { _ in throw FullStore() }, "make the source to add to"),
    ]
    for (observer, action) in observers {
      let session = try Session(local: GivenSource([0.5]))
      try session.register(observer)
      let error = #expect(throws: AudioError.self) { try session.run() }
      #expect(error?.kind == .underlying)
      #expect(error?.action == action)
      #expect(error?.subject == "local")
    }
  }

  /// An `AudioError` already names its cause better than the wrapping place.
  @Test func anAudioErrorStaysAsItIs() throws {
    let session = try Session(local: GivenSource([0.5]))
    try session.setSink(at: .publish) { _ in throw AudioError.diskFull }
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(AudioError(wrapping: AudioError.diskFull, cannot: "store", "x.db") == .diskFull)
    #expect(AudioError(wrapping: AudioError.diskFull).underlying == nil)
    let wrapped = AudioError(wrapping: FullStore(), cannot: "store", "x.db")
    #expect(wrapped.description == "cannot store 'x.db': the store is full since line 1")
    // The comparison ignores the wrapped error.
    #expect(
      wrapped
        == AudioError(
          .underlying, cannot: "store", "x.db", because: "the store is full since line 1"))
    #expect(wrapped != AudioError(wrapping: FullStore(line: 2), cannot: "store", "x.db"))
  }
}
