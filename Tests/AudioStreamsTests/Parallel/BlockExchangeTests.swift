// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

@Suite struct BlockExchangeTests {
  private final class Written { var bytes: [UInt8] = [] }

  private static let failure = AudioError(.inputOutput, cannot: "write", "x", because: "test")

  private static func block(_ bytes: [UInt8]) -> ByteQueue { ByteQueue(holding: bytes) }

  @Test func blocksArriveInOrder() throws {
    let written = Written()
    func take(_ block: ByteQueue) throws(AudioError) -> Bool {
      unsafe written.bytes += block.bytes
      block.consume(block.count)
      return true
    }
    let exchange = try BlockExchange(
      named: "test", todo: [], done: [Self.block([])], work: take)
    for number in 0..<200 {
      let free = try exchange.exchange(Self.block([UInt8(number)]))
      #expect(free?.count == 0)
    }
    try exchange.drain()
    #expect(written.bytes == (0..<200).map { UInt8($0) })
    exchange.end()
  }

  @Test func aFailureReachesTheSession() throws {
    var count = 0
    func take(_ block: ByteQueue) throws(AudioError) -> Bool {
      count += 1
      if count == 3 { throw Self.failure }
      return true
    }
    let exchange = try BlockExchange(
      named: "test", todo: [], done: [Self.block([])], work: take)
    #expect(throws: AudioError.self) {
      for _ in 0..<6 { _ = try exchange.exchange(Self.block([])) }
    }
    #expect(throws: AudioError.self) { try exchange.drain() }
    exchange.end()
    #expect(count == 3)
  }

  @Test func afterTheEndThereIsNothing() throws {
    var count = 0
    func fill(_ block: ByteQueue) throws(AudioError) -> Bool {
      count += 1
      block.append(exactly: 1) { $0.storeBytes(of: UInt8(count), as: UInt8.self) }
      return count < 4
    }
    let exchange = try BlockExchange(
      named: "test", todo: [ByteQueue(capacity: 8), ByteQueue(capacity: 8)], done: [], work: fill)
    var read: [UInt8] = []
    while let block = try exchange.exchange(ByteQueue(capacity: 8)) {
      unsafe read += block.bytes
      block.consume(block.count)
    }
    #expect(read == [1, 2, 3, 4])
    exchange.end()
  }
}
