internal import AudioCore
internal import Glibc
internal import Synchronization

/// The signal that asks a recording for a new part: SIGUSR1.
///
/// The handler sets a flag, which is safe in a signal handler. Main thread only.
enum SplitSignal {
  /// From now on, the signal asks `control` for a new part.
  static func install(_ control: SplittingSink.Control) {
    // The handler may run at any later time, so this object lives as long as the process.
    let object = unsafe Unmanaged.passRetained(control).toOpaque()
    installed.store(UInt(bitPattern: object), ordering: .releasing)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in requestPart() }
    action.sa_flags = SA_RESTART
    unsafe sigaction(SIGUSR1, &action, nil)
  }
}

/// The address of the installed control; 0 before there is one.
private let installed = Atomic<UInt>(0)

private func requestPart() {
  guard let object = unsafe UnsafeRawPointer(bitPattern: installed.load(ordering: .acquiring))
  else { return }
  unsafe Unmanaged<SplittingSink.Control>.fromOpaque(object)._withUnsafeGuaranteedRef {
    $0.requestPart()
  }
}
