// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A named pipe on which a test and a program wait for each other.
package final class Gate {
  package let path: String
  private let descriptor: Int32

  package init(_ scratch: ScratchDirectory, _ name: String) throws {
    path = scratch.file(name)
    guard unsafe mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
    // Open at both ends, so that no open call waits for the other end.
    descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Lets a program that runs `read line <PATH` go on.
  package func open(_ line: String = "") {
    let bytes = Array((line + "\n").utf8)
    _ = unsafe write(descriptor, bytes, bytes.count)
  }

  /// Waits for a line that a program writes with `echo >PATH`.
  package func wait() {
    var byte: UInt8 = 0
    while unsafe read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
  }

  /// Returns whether such a line has come, and takes it.
  package func isOpen() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, 0) == 1 else { return false }
    wait()
    return true
  }
}
