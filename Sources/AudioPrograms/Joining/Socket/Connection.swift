// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes between the listener and one client; nothing here waits. The thread of the listener.
final class Connection {
  /// What a call that never waits came to.
  enum Transfer: Equatable {
    case moved(Int)
    case wouldWait
    /// The client is gone.
    case ended
  }

  /// A line of the client.
  enum Line: Equatable {
    /// Without its line break.
    case whole([UInt8])
    /// The rest has not come.
    case begun
    case tooLong
    /// The client is gone; what it began to write is dropped.
    case ended
  }

  let descriptor: Descriptor
  private var line: [UInt8] = []
  private var outgoing: [UInt8] = []
  private var sent = 0
  /// Bytes of memory for what the client has not taken.
  var heldCount: Int { outgoing.count }

  init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// Bytes that the client has not taken.
  var unsentCount: Int { outgoing.count - sent }

  func receive(into bytes: UnsafeMutableRawBufferPointer) -> Transfer {
    transfer(unsafe recv(descriptor.number, bytes.baseAddress, bytes.count, 0))
  }

  /// Reads to the end of the line and not a byte further, for what follows may be no line.
  ///
  /// - Parameter scratch: at least one byte.
  func readLine(_ scratch: UnsafeMutableRawBufferPointer) -> Line {
    while true {
      // Looked at first, then taken as far as it belongs to the line.
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

  /// Whether the client has closed its end altogether: one that has only said that it sends no more still reads.
  var isGone: Bool {
    var request = pollfd(fd: descriptor.number, events: 0, revents: 0)
    return unsafe poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Appends to what is to be sent; ``flush()`` sends it.
  func send(_ bytes: [UInt8]) {
    if unsentCount == 0 {
      outgoing = bytes
      sent = 0
    } else {
      outgoing += bytes
    }
  }

  /// Sends what the client takes now.
  func flush() -> Transfer {
    var moved = 0
    while unsentCount > 0 {
      // A client that is gone is no reason to end by SIGPIPE.
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
        // The memory of what was sent goes when it is as much as what is left.
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

  /// What an idle client may keep of the memory of a busy one, in bytes.
  private static let keptCapacity = 1 << 16

  private func transfer(_ result: Int) -> Transfer {
    if result > 0 { return .moved(result) }
    if result < 0, errno == EAGAIN || errno == EINTR { return .wouldWait }
    return .ended
  }
}
