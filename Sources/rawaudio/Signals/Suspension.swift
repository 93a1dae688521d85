// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles
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

private let suspending = InstalledObject()
