// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Synchronization

/// The messages of libjack, which would otherwise go to standard error. Only the first error since the last
/// ``forget()`` is kept, for it names the cause.
enum JackMessages {
  private static let first = Mutex<String?>(nil)

  /// Takes all further messages of this process.
  static func keep() {
    unsafe jack_set_error_function { text in
      guard let text = unsafe text else { return }
      let line = unsafe String(cString: text)
      JackMessages.first.withLock { $0 = $0 ?? line }
    }
    unsafe jack_set_info_function { _ in }
  }

  static func forget() { first.withLock { $0 = nil } }

  /// The first error since then; nil without one.
  static var latest: String? { first.withLock { $0 } }
}
