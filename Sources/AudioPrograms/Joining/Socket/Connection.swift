// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes between the listener and one client; nothing here waits. On the listener's thread.
final class Connection {
  /// The result of a non-blocking call.
  enum Transfer: Equatable {
    case moved(Int)
    case wouldWait
    /// The client is gone.
    case ended
  }

  enum Line: Equatable {
    /// Without its line break.
    case whole([UInt8])
    /// The line is incomplete.
    case begun
    case tooLong
    /// The client is gone; an incomplete line is dropped.
    case ended
  }

  let descriptor: Descriptor
  private var line: [UInt8] = []
  private var outgoing: [UInt8] = []
  private var sent = 0
  /// Bytes of memory that hold unsent bytes.
  var heldCount: Int { outgoing.count }

  init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// The number of unsent bytes.
  var unsentCount: Int { outgoing.count - sent }

  func receive(into bytes: UnsafeMutableRawBufferPointer) -> Transfer {
    transfer(unsafe recv(descriptor.number, bytes.baseAddress, bytes.count, 0))
  }

  /// Reads to the end of the line and no byte further, for other data may follow it.
  ///
  /// - Parameter scratch: at least one byte.
  func readLine(_ scratch: UnsafeMutableRawBufferPointer) -> Line {
    while true {
      // Peek first, then take only the bytes of the line.
      let seen = transfer(
        unsafe recv(descriptor.number, scratch.baseAddress, scratch.count, Int32(MSG_PEEK)))
      guard case .moved(let count) = seen else { return seen == .ended ? .ended : .begun }
      let lineBreak = unsafe scratch.prefix(count).firstIndex(of: 0x0A)
      let end = lineBreak.map { $0 + 1 } ?? count
      _ = unsafe recv(descriptor.number, scratch.baseAddress, end, 0)
      unsafe line.append(contentsOf: scratch.prefix(lineBreak ?? count))
      guard line.count <= LineMembers.longestLine else { return .tooLong }
      if lineBreak != nil {
        defer { line.removeAll() }
        return .whole(line)
      }
    }
  }

  /// Whether the client has closed both directions: a client that only sends no more still reads.
  var isGone: Bool {
    var request = pollfd(fd: descriptor.number, events: 0, revents: 0)
    return unsafe poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Appends bytes to be sent by ``flush()``.
  func send(_ bytes: [UInt8]) {
    if unsentCount == 0 {
      outgoing = bytes
      sent = 0
    } else {
      outgoing += bytes
    }
  }

  /// Sends the bytes that the client takes now.
  func flush() -> Transfer {
    var moved = 0
    while unsentCount > 0 {
      // SIGPIPE of a client that is gone must not end the process.
      let result = unsafe outgoing.withUnsafeBytes { bytes in
        unsafe Glibc.send(
          descriptor.number, bytes.baseAddress.map { unsafe $0 + sent }, bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      switch transfer(result) {
      case .moved(let count):
        sent += count
        moved += count
      case .wouldWait:
        // Frees the memory of the sent bytes once they are as many as the unsent ones.
        if sent >= unsentCount {
          outgoing = Array(outgoing[sent...])
          sent = 0
        }
        return moved > 0 ? .moved(moved) : .wouldWait
      case .ended: return .ended
      }
    }
    outgoing.removeAll(keepingCapacity: outgoing.capacity <= Self.keptCapacity)
    sent = 0
    return .moved(moved)
  }

  /// The most memory that an idle client keeps, in bytes.
  private static let keptCapacity = 1 << 16

  private func transfer(_ result: Int) -> Transfer {
    if result > 0 { return .moved(result) }
    if result < 0, errno == EAGAIN || errno == EINTR { return .wouldWait }
    return .ended
  }
}
