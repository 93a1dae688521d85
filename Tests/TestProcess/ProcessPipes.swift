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
  private let isComplete = DispatchSemaphore(value: 0)

  init() throws { (readingEnd, writingEnd) = try makePipe() }

  func closeWritingEnd() { close(writingEnd) }

  func start() {
    Thread.detachNewThread { [self] in
      var bytes: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe read(readingEnd, &block, block.count)
        if count > 0 { bytes += block[..<count] }
        if count == 0 || count < 0 && errno != EINTR { break }
      }
      close(readingEnd)
      collected.withLock { [bytes] in $0 = bytes }
      isComplete.signal()
    }
  }

  /// Everything, once all writers have closed the pipe.
  func bytes() -> [UInt8] {
    isComplete.wait()
    isComplete.signal()
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
