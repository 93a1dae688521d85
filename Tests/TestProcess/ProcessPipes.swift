// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Synchronization

/// Returns both ends of a pipe that no other process inherits.
private func makePipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  guard unsafe rawaudio_pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
  return (ends[0], ends[1])
}

/// Returns both ends of a packet socket.
private func makeSockets() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  // A process started in this moment closes the inherited ends.
  guard unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
    throw CocoaError(.fileReadUnknown)
  }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// Reads a whole pipe on its own thread.
final class PipeReader: Sendable {
  let writingEnd: Int32
  private let readingEnd: Int32
  private let collected = Mutex<[UInt8]>([])
  private let lengths = Mutex<[Int]>([])
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ output: TestProcess.Output = .pipe) throws {
    (readingEnd, writingEnd) = try output == .socket ? makeSockets() : makePipe()
    guard output == .packets else { return }
    #if arch(arm64)
    let direct: Int32 = 0o200000
    #else
    let direct: Int32 = 0o40000
    #endif
    // Linux 4.5 and later take the flag afterwards, too.
    _ = fcntl(writingEnd, F_SETFL, O_WRONLY | direct)
  }

  /// The bytes in each read.
  var readLengths: [Int] { lengths.withLock { $0 } }

  func closeWritingEnd() { close(writingEnd) }

  func start() {
    Thread.detachNewThread { [self] in
      var block = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = unsafe read(readingEnd, &block, block.count)
        if count > 0 {
          collected.withLock { [block] in $0 += block[..<count] }
          lengths.withLock { $0.append(count) }
        }
        if count == 0 || count < 0 && errno != EINTR { break }
      }
      close(readingEnd)
      hasEnded.signal()
    }
  }

  /// Waits until all writers have closed the pipe.
  ///
  /// - Returns: false if it is still open after so many seconds.
  func isComplete(within seconds: Double) -> Bool {
    if hasEnded.wait(timeout: .now() + seconds) == .timedOut { return false }
    hasEnded.signal()
    return true
  }

  /// Returns all bytes once all writers have closed the pipe, else the bytes so far.
  func bytes(within seconds: Double) -> [UInt8] {
    _ = isComplete(within: seconds)
    return collected.withLock { $0 }
  }
}

/// Feeds a pipe on its own thread and closes it.
final class PipeWriter: Sendable {
  let readingEnd: Int32
  private let writingEnd: Int32
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    (readingEnd, writingEnd) = try makePipe()
    // A process that stops reading must not end the tests.
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
