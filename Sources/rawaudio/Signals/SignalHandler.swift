// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles
internal import Glibc
internal import Synchronization

/// The object that a signal's handler calls.
struct InstalledObject: ~Copyable, Sendable {
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

/// - Parameter flags: by default, interrupted system calls are restarted.
func direct(_ signal: Int32, flags: Int32 = SA_RESTART, to handler: sighandler_t?) {
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
