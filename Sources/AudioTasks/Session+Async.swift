// SPDX-License-Identifier: Apache-2.0
extension Session {
  /// Runs the session, once, on a thread of its own: to its end, or until ``control`` or the task ends it.
  ///
  /// Where the task is cancelled the session is asked to finish, as by
  /// ``SessionControl/requestStop(_:)`` with `finish`: it takes no more input, delivers what it has, completes every
  /// file and returns its report, whose outcome is ``SessionReport/Outcome/stopped``. To drop everything instead,
  /// ask ``control`` to abandon.
  ///
  /// Sources, sinks, observers and the session's closures are called on that thread, and until this returns they and
  /// the session belong to it; only ``control``, the ``ObserverRegistration``s, a ``FrameSequence`` and what else says
  /// so may be used elsewhere. The compiler sees to that: a session that an actor holds, or whose closures touch an
  /// actor's memory, cannot be sent here. An actor, the main actor and `main()` use `Session.run(control:_:)`,
  /// whose session never leaves its thread. Actors iterate over ``frames(at:parameters:from:buffering:as:)``, and keep
  /// ``live`` to join while it runs.
  ///
  /// - Throws: as `run()` without a task; `unavailable` where the system grants no more
  ///   threads.
  @concurrent public func run() async throws(AudioError) -> SessionReport {
    // The caller waits meanwhile and belongs to no actor: one thread has the session at a time.
    nonisolated(unsafe) let session = self
    var thread: SystemThread?
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<SessionReport, AudioError>, Never>) in
        do throws(AudioError) {
          thread = try SystemThread(named: "session") {
            let result = Result { () throws(AudioError) in try unsafe session.run() }
            continuation.resume(returning: result)
          }
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: { [control] in
      control.requestStop(.finish)
    }
    // It has nothing left to do.
    _ = thread?.join(atMost: .seconds(1))
    return try result.get()
  }

  /// Makes a session, and runs it on a thread of its own: for an actor, the main actor and `main()`, and anywhere else.
  ///
  /// ```swift
  /// let report = try await Session.run(control: control) { session in
  ///   try session.setLocal(SoundFileSource(path: path))
  ///   try session.observe(.record) { frame in continuation.yield(frame.samples[0]) }
  /// }
  /// ```
  ///
  /// The session is made up in `configure` and never leaves it, so that no actor can hold it: there is nothing to send.
  /// What belongs to an actor is not to be touched in `configure` or in the closures that it gives the session, of which
  /// the compiler names each that does; they send values on, as a `Task { @MainActor in … }` or a stream's continuation
  /// does. What the closures leave is the result of `configure`, where it is wanted after the run.
  /// ``frames(at:parameters:from:buffering:as:)``, ``LiveSession/events`` and ``live`` may leave `configure`.
  ///
  /// - Parameters:
  ///   - control: ends the session from outside. A task that is cancelled does so too, as with `run()`.
  ///   - configure: gives the session its sources, sinks and observers. Called once, on no actor, before the run.
  /// - Throws: as `run()`; what `configure` throws, an ``AudioError`` as it is, any other error as the
  ///   ``AudioError/underlying`` of one.
  @discardableResult
  @concurrent public static func run(
    control: SessionControl = SessionControl(), _ configure: sending (Session) throws -> Void
  ) async throws(AudioError) -> SessionReport {
    let session = Session(control: control)
    try AudioError.wrapping(cannot: "set up the session", "") { try configure(session) }
    return try await session.run()
  }

  /// Makes a session, runs it on a thread of its own, and gives what `configure` made: an observer, for example, to be
  /// asked after the run.
  ///
  /// Otherwise as `Session.run(control:_:)`.
  ///
  /// - Parameters:
  ///   - control: ends the session from outside.
  ///   - configure: gives the session its sources, sinks and observers. Called once, on no actor, before the run.
  /// - Returns: the report, and what `configure` returned. It is the caller's alone: the session is gone by then.
  /// - Throws: as `Session.run(control:_:)`.
  // A closure of one call, such as to `register`, whose result nobody wants is none that makes something.
  @_disfavoredOverload
  @concurrent public static func run<Result>(
    control: SessionControl = SessionControl(), _ configure: sending (Session) throws -> Result
  ) async throws(AudioError) -> sending (report: SessionReport, result: Result) {
    let session = Session(control: control)
    // Whatever it shares with the session and its closures was theirs alone, and they are gone after the run.
    nonisolated(unsafe) let result = try AudioError.wrapping(cannot: "set up the session", "") {
      try configure(session)
    }
    let report = try await session.run()
    return (report, unsafe result)
  }
}
