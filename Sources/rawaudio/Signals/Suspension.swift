// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc
internal import Synchronization

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
    // The handler may run at any later time, so this object lives as long as the process.
    let object = unsafe Unmanaged.passRetained(self).toOpaque()
    installed.store(UInt(bitPattern: object), ordering: .releasing)
    direct(to: receive)
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
    direct(to: SIG_DFL)
    raise(SIGTSTP)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    // The process stops here.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    direct(to: receive)
  }
}

private func direct(to handler: sighandler_t?) {
  var action = sigaction()
  unsafe action.__sigaction_handler.sa_handler = handler
  // Interrupted system calls are restarted.
  action.sa_flags = SA_RESTART
  unsafe sigaction(SIGTSTP, &action, nil)
}

/// The address of the installed object; 0 before there is one.
private let installed = Atomic<UInt>(0)

private func receive(_ signal: Int32) {
  let code = errno
  if let object = unsafe UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring)) {
    unsafe Unmanaged<Suspension>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.suspend() }
  }
  errno = code
}
