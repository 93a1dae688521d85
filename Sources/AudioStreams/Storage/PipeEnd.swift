// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// One end of a pipe, or another descriptor for a program to inherit. Close-on-exec: other programs do not get it.
package final class PipeEnd {
  /// The result of a non-blocking read or write.
  package enum Transfer {
    case moved(Int)
    case wouldWait
    /// The other end is closed.
    case ended
  }

  package let number: Int32
  private var isOpen = true

  /// Takes over `descriptor`, at a number above the standard streams, even if one of those is closed.
  private init(moving descriptor: Int32) throws(AudioError) {
    if descriptor > STDERR_FILENO {
      number = descriptor
      return
    }
    number = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let code = errno
    Glibc.close(descriptor)
    if number < 0 { throw AudioError(systemCode: code, cannot: "make", "pipe") }
  }

  /// The null device: an ended input, or an output without a reader.
  package static func null(_ flags: Int32) throws(AudioError) -> PipeEnd {
    let descriptor = unsafe open("/dev/null", flags | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw AudioError(systemCode: errno, cannot: "open", "/dev/null")
    }
    return try PipeEnd(moving: descriptor)
  }

  /// A copy of this program's standard error; the null device if that is closed.
  static func standardError() throws(AudioError) -> PipeEnd {
    let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return descriptor < 0 ? try null(O_WRONLY) : try PipeEnd(moving: descriptor)
  }

  /// Makes a pipe of ``capacity`` bytes, if the system grants it.
  package static func pipe() throws(AudioError) -> (reading: PipeEnd, writing: PipeEnd) {
    var ends: [Int32] = [-1, -1]
    guard unsafe rawaudio_pipe(&ends) == 0 else {
      throw AudioError(systemCode: errno, cannot: "make", "pipe")
    }
    let reading: PipeEnd
    do {
      reading = try PipeEnd(moving: ends[0])
    } catch {
      Glibc.close(ends[1])
      throw error
    }
    _ = rawaudio_set_pipe_capacity(reading.number, Int32(capacity))
    return (reading, try PipeEnd(moving: ends[1]))
  }

  /// The most bytes that Linux grants to every user (pipe(7), /proc/sys/fs/pipe-max-size).
  package static let capacity = 1 << 20

  deinit { close() }

  package func close() {
    if isOpen { Glibc.close(number) }
    isOpen = false
  }

  /// Makes reads and writes at this end non-blocking; the other end is unaffected.
  package func makeNonBlocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  package func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Transfer {
    let count = SystemCall.retrying {
      unsafe Glibc.read(number, bytes.baseAddress, bytes.count)
    }
    if count == 0 { return .ended }
    return try transfer(count, cannot: "read")
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> Transfer {
    let count = SystemCall.retrying {
      unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
    }
    if count < 0, errno == EPIPE { return .ended }
    return try transfer(count, cannot: "write to")
  }

  private func transfer(_ count: Int, cannot action: String) throws(AudioError) -> Transfer {
    if count >= 0 { return .moved(count) }
    guard errno == EAGAIN else { throw AudioError(systemCode: errno, cannot: action, "pipe") }
    return .wouldWait
  }
}

extension Pathname {
  /// Whether a named pipe is there (fifo(7)).
  package var isNamedPipe: Bool {
    var status = stat()
    return unsafe stat(cString, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
