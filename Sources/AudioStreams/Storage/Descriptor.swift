// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An open descriptor of the system, closed with its last user. Any thread.
package final class Descriptor: Sendable {
  package let number: Int32

  /// Takes over `number`, the result of a system call.
  ///
  /// - Throws: the error of that call if `number` is negative.
  package init(_ number: Int32, cannot action: String, _ subject: String) throws(AudioError) {
    guard number >= 0 else { throw AudioError(systemCode: errno, cannot: action, subject) }
    self.number = number
  }

  deinit { Glibc.close(number) }
}
