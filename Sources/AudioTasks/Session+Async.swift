// SPDX-License-Identifier: Apache-2.0
extension Session {
  /// Runs the session once, on its own thread: to its end, or until ``control`` or the task ends it.
  ///
  /// Cancelling the task asks the session to finish, like ``SessionControl/requestStop(_:)`` with `finish`. At once, also
  /// while it waits for a source, the session takes no more input, delivers its samples, completes every file and returns
  /// its report, with the outcome ``SessionReport/Outcome/stopped``: a recording is no failure, and nothing is thrown. A
  /// caller that wants an error writes `try Task.checkCancellation()` behind it. To drop everything instead, ask
  /// ``control`` to abandon.
  ///
  /// That thread calls the sources, sinks, observers and the session's closures. They and the session belong to it
  /// until this returns. Only ``control``, the ``ObserverRegistration``s, a ``FrameSequence`` and members documented so
  /// may be used elsewhere. The compiler enforces that: it rejects a session that an actor holds, or whose closures
  /// touch an actor's memory. An actor, the main actor and `main()` use `Session.run(control:_:)`, whose session never
  /// leaves its thread. Actors iterate over ``frames(at:as:from:bufferingPerSource:of:)``, and keep ``live`` to join the
  /// running session.
  ///
  /// - Throws: the errors of `run()` without a task; `unavailable` if the system grants no more threads.
  @concurrent public func run() async throws(AudioError) -> SessionReport {
    // The caller waits meanwhile and belongs to no actor, so only one thread has the session at a time.
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
    // The thread has no work left.
    _ = thread?.join(atMost: .seconds(1))
    return try result.get()
  }

  /// Makes a session and runs it on its own thread. For an actor, the main actor, `main()` and any other place.
  ///
  /// ```swift
  /// let report = try await Session.run(control: control) { session in
  ///   try session.setLocal(SoundFileSource(path: path))
  ///   try session.observe(at: .record) { frame in continuation.yield(frame.samples[0]) }
  /// }
  /// ```
  ///
  /// The session is configured in `configure` and never leaves it, so no actor can hold it and it need not be sent. Do
  /// not touch an actor's state in `configure` or in the session's closures; the compiler names each violation.
  /// Closures send values on, with a `Task { @MainActor in … }` or a stream's continuation. To use a closure's results
  /// after the run, return them from `configure`. ``frames(at:as:from:bufferingPerSource:of:)``, ``LiveSession/events``
  /// and ``live`` may leave `configure`.
  ///
  /// - Parameters:
  ///   - control: ends the session from outside. Cancelling the task does so too: as with `run()` without a closure, this
  ///     returns the report with the outcome ``SessionReport/Outcome/stopped`` and throws nothing.
  ///   - configure: adds the sources, sinks and observers. Called once, on no actor, before the run.
  /// - Throws: the errors of `run()`; an ``AudioError`` of `configure` unchanged, any other error as the
  ///   ``AudioError/underlying`` of one.
  @discardableResult
  @concurrent public static func run(
    control: SessionControl = SessionControl(), _ configure: sending (Session) throws -> Void
  ) async throws(AudioError) -> SessionReport {
    let session = Session(control: control)
    try AudioError.wrapping(cannot: "set up the session", "") { try configure(session) }
    return try await session.run()
  }

  /// Makes a session, runs it on its own thread, and returns the result of `configure`, such as an observer to read
  /// after the run. Otherwise like `Session.run(control:_:)`.
  ///
  /// - Parameters:
  ///   - control: ends the session from outside.
  ///   - configure: adds the sources, sinks and observers. Called once, on no actor, before the run.
  /// - Returns: the report, and the result of `configure`. The result is the caller's alone, since the session is gone.
  /// - Throws: the errors of `Session.run(control:_:)`.
  // Disfavoured, so a closure of one call such as `register`, whose result is not used, selects the other `run`.
  @_disfavoredOverload
  @concurrent public static func run<Result>(
    control: SessionControl = SessionControl(), _ configure: sending (Session) throws -> Result
  ) async throws(AudioError) -> sending (report: SessionReport, result: Result) {
    let session = Session(control: control)
    // Only the session and its closures shared the result, and they are gone after the run.
    nonisolated(unsafe) let result = try AudioError.wrapping(cannot: "set up the session", "") {
      try configure(session)
    }
    let report = try await session.run()
    return (report, unsafe result)
  }
}
