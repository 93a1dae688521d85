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
  /// actor's memory, cannot be sent here. Make the session in the function that runs it, from an actor in
  /// `Task { @concurrent in try await session.run() }`. Actors iterate over
  /// ``frames(at:parameters:from:buffering:as:)``, and keep ``live`` to join while it runs.
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
}
