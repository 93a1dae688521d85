// SPDX-License-Identifier: Apache-2.0
/// The end of a program: step by step and without waiting, so that many programs end at the same time.
final class ProgramEnding<Sample: AudioSample> {
  private enum Step {
    case running
    /// Its input has ended; further output is dropped.
    case draining(lastMotion: MonotonicTime)
    /// It made a fault; its exit status may explain it.
    case failing(ProgramFault, ProgramPort<Sample>.Stage, since: MonotonicTime)
    /// It has written all its output.
    case concluding(since: MonotonicTime)
    /// A generator whose output is no longer read.
    case dismissed(since: MonotonicTime)
    case terminating
    case over
  }

  private let port: ProgramPort<Sample>
  private let wakeup: Wakeup?
  private let dropAnswers: () -> Void
  private var step = Step.running
  private var failure: AudioError?

  init(_ port: ProgramPort<Sample>, wakeup: Wakeup?, dropAnswers: @escaping () -> Void = {}) {
    self.port = port
    self.wakeup = wakeup
    self.dropAnswers = dropAnswers
  }

  var hasBegun: Bool { if case .running = step { false } else { true } }

  var isTerminating: Bool { if case .terminating = step { true } else { false } }

  var isDismissing: Bool { if case .dismissed = step { true } else { false } }

  /// Ends the program's input and waits for its end within its timeout.
  func drain() {
    port.connection.endInput()
    step = .draining(lastMotion: .now)
  }

  /// Waits within the timeout for the end of a program that has written all its output.
  func conclude() {
    port.connection.close()
    step = .concluding(since: .now)
  }

  /// Dismisses a generator by closing its output; its reaction does not matter.
  func dismiss() {
    port.connection.close()
    step = .dismissed(since: .now)
  }

  /// Asks the program to end at once.
  func terminate() {
    if case .over = step { return }
    port.child.beginTermination()
    step = .terminating
  }

  /// Continues without waiting.
  ///
  /// - Returns: whether no process is left.
  func advance() -> Bool {
    switch step {
    case .running: return false
    case .draining(let lastMotion):
      do throws(AudioError) {
        step = try drained(since: lastMotion)
      } catch {
        fail(error)
      }
    case .failing(let fault, let stage, let since):
      let ending = port.child.check()
      if ending == nil, MonotonicTime.now.elapsed(since: since) < ChildProcess.patience { break }
      fail(port.error(fault, stage, ending))
    case .concluding(let since):
      if let ending = port.child.check() {
        if !ending.isSuccess { failure = port.error(.ended(ending)) }
        // A user's command may leave a process running on purpose; a plug-in may not.
        if port.program.isDispensable {
          port.child.beginTermination()
        } else {
          port.child.release()
        }
        step = .over
      } else if MonotonicTime.now.elapsed(since: since) >= port.program.timeout {
        fail(port.error(.neverEnded(port.program.timeout)))
      }
    case .dismissed(let since):
      if port.child.check() != nil {
        port.child.release()
        step = .over
      } else if MonotonicTime.now.elapsed(since: since) >= ChildProcess.patience {
        terminate()
      }
    case .terminating: if port.child.isTerminated() { step = .over }
    case .over: return true
    }
    if wakeup?.request == .abandon { terminate() }
    return if case .over = step { true } else { false }
  }

  /// Moves the bytes that can be moved now.
  ///
  /// - Throws: the fault of a program that has to be stopped.
  private func drained(since lastMotion: MonotonicTime) throws(AudioError) -> Step {
    let connection = port.connection
    var lastMotion = lastMotion
    while !connection.isOutputEnded || connection.toProgram.count > 0 {
      guard try port.exchange() else {
        if MonotonicTime.now.elapsed(since: lastMotion) < port.program.timeout {
          return .draining(lastMotion: lastMotion)
        }
        throw port.error(.stalled(port.program.timeout))
      }
      dropAnswers()
      lastMotion = .now
      if connection.isInputRefused { return failing(.closedInput, .midway) }
      if port.isFlooding { throw port.error(.flooded) }
    }
    if let miscount = port.miscount { return failing(miscount, .atEnd) }
    connection.close()
    return .concluding(since: .now)
  }

  private func failing(_ fault: ProgramFault, _ stage: ProgramPort<Sample>.Stage) -> Step {
    port.connection.close()
    return .failing(fault, stage, since: .now)
  }

  private func fail(_ error: AudioError) {
    failure = error
    port.connection.close()
    terminate()
  }

  /// The program's fault at its end, once.
  func takeFailure() -> AudioError? {
    defer { failure = nil }
    return failure
  }
}
