// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc
internal import Synchronization

/// The signal that asks recordings for new parts: SIGUSR1. It never ends the process.
///
/// Installed once. The handler only sets flags, which is safe in a signal handler.
final class SplitSignal: Sendable {
  private let controls: [SplittingSink.Control]
  private let isUnanswered = Atomic(false)

  /// - Parameter controls: the outputs that can begin a new part. May be empty.
  init(_ controls: [SplittingSink.Control]) { self.controls = controls }

  /// Handles the signal from now on.
  func install() {
    // The handler may run at any later time, so this object lives as long as the process.
    let object = unsafe Unmanaged.passRetained(self).toOpaque()
    installed.store(UInt(bitPattern: object), ordering: .releasing)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in receive() }
    action.sa_flags = SA_RESTART
    unsafe sigaction(SIGUSR1, &action, nil)
  }

  /// Whether the signal came since the last call, to a command without parts.
  func takeUnanswered() -> Bool { isUnanswered.exchange(false, ordering: .acquiringAndReleasing) }

  fileprivate func request() {
    if controls.isEmpty { isUnanswered.store(true, ordering: .releasing) }
    for control in controls { control.requestPart() }
  }
}

/// The address of the installed object; 0 before there is one.
private let installed = Atomic<UInt>(0)

private func receive() {
  guard let object = unsafe UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring))
  else { return }
  unsafe Unmanaged<SplitSignal>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.request() }
}
