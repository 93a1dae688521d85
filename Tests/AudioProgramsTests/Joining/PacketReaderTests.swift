// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioPrograms

@Suite struct PacketReaderTests {
  /// A packet of the reader, its pieces joined.
  struct Packet: Equatable {
    var position: UInt64?
    var payload: [UInt8] = []
  }

  static func header(_ position: UInt64?, _ count: Int, flags: UInt32 = 0) -> [UInt8] {
    func bytes(_ word: some FixedWidthInteger) -> [UInt8] {
      (0..<word.bitWidth / 8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return bytes(position ?? .max) + bytes(UInt32(count)) + bytes(flags)
  }

  /// Reads `bytes`, cut into pieces of the given lengths, repeated.
  static func packets(
    _ bytes: [UInt8], cut lengths: [Int], sampleFrameSize: Int = 2
  ) throws -> [Packet] {
    var reader = PacketReader(sampleFrameSize: sampleFrameSize)
    var packets: [Packet] = []
    var start = 0
    var turn = 0
    while start < bytes.count {
      let end = min(bytes.count, start + lengths[turn % lengths.count])
      turn += 1
      try unsafe reader.read(bytes.span.bytes.extracting(start..<end)) {
        (header) throws(AudioError) in
        packets.append(Packet(position: header.position))
      } append: { (piece) throws(AudioError) in
        for index in 0..<piece.byteCount {
          packets[packets.count - 1].payload.append(
            unsafe piece.unsafeLoad(fromByteOffset: index, as: UInt8.self))
        }
      }
      start = end
    }
    #expect(reader.isBetweenPackets)
    return packets
  }

  @Test(arguments: [[1], [2, 3], [7], [15, 17], [16], [33, 1], [1_000]])
  func whereverTheBytesAreCut(_ lengths: [Int]) throws {
    let sent = [
      Packet(position: 0, payload: [1, 2, 3, 4]), Packet(position: nil, payload: [5, 6]),
      Packet(position: 0x0123_4567_89AB_CDEF), Packet(position: .max - 1, payload: Array(0..<200)),
    ]
    let bytes = sent.flatMap { Self.header($0.position, $0.payload.count) + $0.payload }
    #expect(try Self.packets(bytes, cut: lengths) == sent)
  }

  @Test(arguments: [
    (header(0, 3), "its 3 bytes are not a multiple of 2, one sample of each channel"),
    (header(0, 4, flags: 1), "its header has the flags 1, which are unknown"),
    (header(0, (1 << 24) + 2), "it has 16777218 bytes, and 16777216 is the most"),
  ])
  func illegalHeaders(_ bytes: [UInt8], _ reason: String) {
    #expect { try Self.packets(bytes, cut: [5]) } throws: {
      "\($0)" == "cannot take the packet: \(reason)"
    }
  }

  @Test func theEndWithinAPacketShows() throws {
    for length in [1, 15, 16, 17] {
      var reader = PacketReader(sampleFrameSize: 2)
      let bytes = Array((Self.header(0, 2) + [0, 0])[..<length])
      try unsafe reader.read(bytes.span.bytes) { _ throws(AudioError) in
      } append: { _ throws(AudioError) in
      }
      #expect(!reader.isBetweenPackets)
    }
  }

  @Test func aFrameHeaderIs32Bytes() {
    var bytes: [UInt8] = []
    FrameHeader(
      samplePosition: 0x0102_0304_0506_0708, renderTime: -2, payload: 0x0A0B_0C0D, source: 3,
      flags: [.partial, .last]
    ).append(to: &bytes)
    #expect(
      bytes == [
        8, 7, 6, 5, 4, 3, 2, 1, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xD, 0xC, 0xB, 0xA,
        3,
        0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0,
      ])
  }
}
