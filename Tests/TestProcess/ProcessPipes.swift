// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Synchronization

/// The two ends of a pipe, which no other process inherits.
private func makePipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  guard unsafe rawaudio_pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
  return (ends[0], ends[1])
}

/// Reads all of a pipe, on a thread of its own.
final class PipeReader: Sendable {
  let writingEnd: Int32
  private let readingEnd: Int32
  private let collected = Mutex<[UInt8]>([])
  private let hasEnded = DispatchSemaphore(value: 0)

  init() throws { (readingEnd, writingEnd) = try makePipe() }

  func closeWritingEnd() { close(writingEnd) }

  func start() {
    Thread.detachNewThread { [self] in
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe read(readingEnd, &block, block.count)
        if count > 0 { collected.withLock { [block] in $0 += block[..<count] } }
        if count == 0 || count < 0 && errno != EINTR { break }
      }
      close(readingEnd)
      hasEnded.signal()
    }
  }

  /// Waits until all writers have closed the pipe.
  ///
  /// - Returns: whether they have, within so many seconds.
  func isComplete(within seconds: Double) -> Bool {
    if hasEnded.wait(timeout: .now() + seconds) == .timedOut { return false }
    hasEnded.signal()
    return true
  }

  /// Everything, once all writers have closed the pipe; what has come by then where they do not.
  func bytes(within seconds: Double) -> [UInt8] {
    _ = isComplete(within: seconds)
    return collected.withLock { $0 }
  }
}

/// Feeds a pipe on a thread of its own and closes it.
final class PipeWriter: Sendable {
  let readingEnd: Int32
  private let writingEnd: Int32
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    (readingEnd, writingEnd) = try makePipe()
    // A process that does not read to the end must not end the tests.
    signal(SIGPIPE, SIG_IGN)
  }

  func closeReadingEnd() { close(readingEnd) }

  func start() {
    Thread.detachNewThread { [self] in
      var written = 0
      while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { bytes in
          unsafe write(
            writingEnd, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
        }
        if count > 0 { written += count }
        if count < 0, errno != EINTR { break }
      }
      close(writingEnd)
    }
  }
}
