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

private let interrupting = InstalledObject()
