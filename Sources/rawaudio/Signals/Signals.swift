// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles
internal import Glibc
internal import Synchronization

/// The signals that ask the command to end: SIGINT, SIGTERM and SIGHUP.
///
/// Installed once. The handler stores the signal's number and asks the session to end; both are safe in a signal
/// handler. A second signal, one to two seconds after the first or later, asks the session to abandon its remaining
/// output, because the reader of a pipe may be stuck for ever. An earlier second signal is ignored, because `timeout`
/// sends its signal twice: to the command and to the process group.
final class Interruption: Sendable {
  private let number = Atomic<Int32>(0)
  /// The time of the first signal, in seconds of the monotonic clock; 0 before.
  private let began = Atomic(0)
  private let control: SessionControl
  private let request: SessionControl.Request

  /// - Parameters:
  ///   - control: the session to end when a signal arrives.
  ///   - request: the way to end: `finish` if a signal is the usual way to stop the work, else `abandon`.
  init(of control: SessionControl, requesting request: SessionControl.Request) {
    self.control = control
    self.request = request
  }

  /// Returns the object that handles the signals for a session. Installs a new one if there is none.
  static func handling(
    _ control: SessionControl, requesting request: SessionControl.Request
  ) -> Interruption {
    if let object = current, object.control === control { return object }
    let object = Interruption(of: control, requesting: request)
    object.install()
    return object
  }

  fileprivate static var current: Interruption? {
    unsafe interrupting.address.map {
      unsafe Unmanaged<Interruption>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The first signal. Nil before it.
  var signal: Int32? {
    let number = number.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// The exit code of an offline command after the signal. Nil before it.
  var exitCode: ExitCode? {
    signal.flatMap { ExitCode(rawValue: 128 + $0) }
  }

  /// Handles the signals of the process from now on.
  func install() {
    interrupting.install(self)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // An ignored SIGHUP stays ignored, for `nohup`. An ignored SIGINT is handled: a script's `capture &` inherits it,
      // and is stopped with `kill -INT`.
      if number == SIGHUP, isIgnored(number) { continue }
      // No SA_RESTART: a write to a pipe without a reading program has to end.
      direct(number, flags: 0, to: receiveInterruption)
    }
  }

  fileprivate func store(_ signal: Int32) {
    let now = Int(monotonicMilliseconds() / 1_000)
    let (isFirst, first) = began.compareExchange(
      expected: 0, desired: now, ordering: .acquiringAndReleasing)
    if isFirst {
      number.store(signal, ordering: .releasing)
      control.requestStop(request)
    } else if now - first > 1 {
      control.requestStop(.abandon)
    }
  }
}

private func receiveInterruption(_ signal: Int32) {
  let code = errno
  if let object = unsafe interrupting.address {
    unsafe Unmanaged<Interruption>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.store(signal) }
  }
  errno = code
}

/// The signal that asks recordings for new parts: SIGUSR1. It never ends the process.
///
/// Installed once. The handler only sets flags, which is safe in a signal handler.
final class SplitSignal: Sendable {
  private let controls: [SplittingSink.Control]
  private let isUnanswered = Atomic(false)

  /// - Parameter controls: the outputs that can begin a new part. May be empty.
  init(_ controls: [SplittingSink.Control]) { self.controls = controls }

  func install() {
    splitting.install(self)
    direct(SIGUSR1, to: receiveSplit)
  }

  /// Whether the signal came since the last call, to a command without parts.
  func takeUnanswered() -> Bool { isUnanswered.exchange(false, ordering: .acquiringAndReleasing) }

  fileprivate func request() {
    if controls.isEmpty { isUnanswered.store(true, ordering: .releasing) }
    for control in controls { control.requestPart() }
  }
}

private func receiveSplit(_: Int32) {
  guard let object = unsafe splitting.address else { return }
  unsafe Unmanaged<SplitSignal>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.request() }
}

/// Handles the signal of Ctrl-Z, SIGTSTP: the devices pause, then the process stops. When the process continues, the
/// devices resume.
///
/// Installed once. The handler calls only functions that are safe in a signal handler.
final class Suspension: Sendable {
  private let control: SessionControl

  init(of control: SessionControl) { self.control = control }

  /// Handles SIGTSTP from now on. An ignored SIGTSTP stays ignored, as under a shell without job control.
  func install() {
    if isIgnored(SIGTSTP) { return }
    suspending.install(self)
    direct(SIGTSTP, to: receiveSuspension)
  }

  fileprivate func suspend() {
    // Limits the wait, so that a slow device does not delay the shell's prompt.
    control.pauseDevices(waiting: .milliseconds(500))
    stop()
    control.resumeDevices()
  }

  /// Stops the process by the signal's default action, which respects orphaned process groups, and returns
  /// when the process is continued. (Stevens and Rago, Advanced Programming in the UNIX Environment, 10.21.)
  private func stop() {
    direct(SIGTSTP, to: SIG_DFL)
    raise(SIGTSTP)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    // The process stops here.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    direct(SIGTSTP, to: receiveSuspension)
  }
}

private func receiveSuspension(_: Int32) {
  let code = errno
  if let object = unsafe suspending.address {
    unsafe Unmanaged<Suspension>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.suspend() }
  }
  errno = code
}

/// The object that a signal's handler calls.
private struct InstalledObject: ~Copyable, Sendable {
  private let number = Atomic<UInt>(0)

  /// The handler may run at any later time, so `object` lives as long as the process.
  func install(_ object: AnyObject) {
    let address = unsafe Unmanaged.passRetained(object).toOpaque()
    number.store(UInt(bitPattern: address), ordering: .releasing)
  }

  /// Nil before there is one. Safe in a handler.
  var address: UnsafeRawPointer? {
    unsafe UnsafeRawPointer(bitPattern: number.load(ordering: .acquiring))
  }
}

private let interrupting = InstalledObject()
private let splitting = InstalledObject()
private let suspending = InstalledObject()

/// - Parameter flags: by default, interrupted system calls are restarted.
private func direct(_ signal: Int32, flags: Int32 = SA_RESTART, to handler: sighandler_t?) {
  var action = sigaction()
  unsafe action.__sigaction_handler.sa_handler = handler
  action.sa_flags = flags
  unsafe sigaction(signal, &action, nil)
}

/// Whether the process ignores the signal, as it may have inherited.
func isIgnored(_ signal: Int32) -> Bool {
  var action = sigaction()
  unsafe sigaction(signal, nil, &action)
  return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    == unsafeBitCast(SIG_IGN, to: Int.self)
}
