// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles
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

private let splitting = InstalledObject()
