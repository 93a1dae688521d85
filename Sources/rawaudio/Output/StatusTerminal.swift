// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The terminal on standard error, for texts that are rewritten repeatedly. Rejected bytes wait for the next write, so
/// that a stopped terminal (Ctrl-S) never blocks.
///
/// Main thread only.
final class StatusTerminal {
  /// Its own open file: making the shared one nonblocking would change it for other programs.
  private let descriptor: Int32
  /// The bytes not yet taken.
  private var rest: [UInt8] = []

  /// - Returns: nil if it cannot be reopened, as after `su`.
  init?() {
    descriptor = unsafe open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// - Returns: false if the terminal still takes no bytes. Then `text` is dropped.
  func write(_ text: String) -> Bool {
    guard flush() else { return false }
    rest = Array(text.utf8)
    _ = flush()
    return true
  }

  /// Takes the rest of a begun text, which must be written before any other.
  func takeRest() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// - Returns: whether all bytes are written.
  private func flush() -> Bool {
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      // Other writes report a failure.
      guard count > 0 else { return false }
      rest.removeFirst(count)
    }
    return true
  }
}
