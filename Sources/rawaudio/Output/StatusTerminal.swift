// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The terminal on standard error, for texts that are written over again and again: what it does not take at once waits
/// for the next time, so that a terminal that stands still (Ctrl-S) holds up nothing.
///
/// Main thread only.
final class StatusTerminal {
  /// An open file of its own: to make the shared one nonblocking would change it for other programs.
  private let descriptor: Int32
  /// What was not taken yet.
  private var rest: [UInt8] = []

  /// - Returns: nil where it cannot be opened again, as after `su`.
  init?() {
    descriptor = unsafe open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// - Returns: false where the terminal takes nothing now; then `text` is forgotten.
  func write(_ text: String) -> Bool {
    guard flush() else { return false }
    rest = Array(text.utf8)
    _ = flush()
    return true
  }

  /// What was begun and has to be written before anything else is.
  func takeRest() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// - Returns: whether nothing is left.
  private func flush() -> Bool {
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      // A failure is for what is written otherwise to tell.
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }
}
