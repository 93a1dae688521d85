// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPrograms

/// The memory that a listener keeps for its output.
@Suite struct ConnectionTests {
  /// The memory is bounded by the unread bytes, even if a client reads in small pieces without an end.
  @Test func whatWasSentIsFreed() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
    let reader = try Descriptor(ends[1], cannot: "make", "a socket")
    let connection = Connection(try Descriptor(ends[0], cannot: "make", "a socket"))
    func read(_ count: Int) -> [UInt8] {
      var block = [UInt8](repeating: 0, count: count)
      let length = unsafe recv(reader.number, &block, block.count, 0)
      return Array(block[..<max(0, length)])
    }
    let piece = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 / 251) }
    var (sent, received) = (0, [UInt8]())
    for _ in 0..<400 {
      if connection.unsentCount < 1 << 18 {
        connection.send(piece)
        sent += 1
      }
      #expect(connection.flush() != .ended)
      #expect(connection.heldCount <= 2 * connection.unsentCount)
      received += read(40_000)
    }
    #expect(sent > 10)
    while connection.unsentCount > 0 {
      received += read(1 << 20)
      #expect(connection.flush() != .ended)
    }
    while case let rest = read(1 << 20), !rest.isEmpty { received += rest }
    #expect(received.count == sent * piece.count)
    #expect(
      stride(from: 0, to: received.count, by: piece.count).allSatisfy {
        received[$0..<$0 + piece.count].elementsEqual(piece)
      })
    #expect(connection.heldCount == 0)
  }
}
