// SPDX-License-Identifier: Apache-2.0
/// A page of an Ogg file: a part of a stream's packets.
///
/// Source: RFC 3533, section 6.
struct OggPage: Equatable {
  static let headSize = 27
  /// The size of a full segment, in bytes.
  static let segmentSize = 255
  /// The page begins with the rest of a packet from the page before.
  static let continues: UInt8 = 1
  static let isFirst: UInt8 = 2
  static let isLast: UInt8 = 4

  var flags: UInt8
  /// The granule position of the last packet that ends on the page; all bits set if none does.
  var granule: UInt64
  var stream: UInt32
  var sequence: UInt32
  var segments: [UInt8]
  var body: [UInt8]

  /// The sizes of a page by its first bytes: of its head with the table of segments, and of the page.
  ///
  /// - Returns: nil if no page begins there, or its table is incomplete.
  static func sizes(_ head: [UInt8]) -> (head: Int, all: Int)? {
    guard head.count >= headSize, head.has("OggS", at: 0), head[4] == 0 else { return nil }
    let size = headSize + Int(head[26])
    guard head.count >= size else { return nil }
    return (size, head[headSize..<size].reduce(size) { $0 + Int($1) })
  }
}

extension OggPage {
  /// - Returns: nil if the bytes are not exactly one page, or are damaged.
  init?(_ bytes: [UInt8]) {
    guard let (head, all) = Self.sizes(bytes), bytes.count == all, Self.isIntact(bytes)
    else { return nil }
    flags = bytes[5]
    granule = bytes.integer(at: 6, 8, .little)
    stream = UInt32(bytes.integer(at: 14, 4, .little))
    sequence = UInt32(bytes.integer(at: 18, 4, .little))
    segments = Array(bytes[Self.headSize..<head])
    body = Array(bytes[head...])
  }

  var bytes: [UInt8] {
    var bytes = Array("OggS".utf8) + [0, flags]
    bytes.append(granule, 8, .little)
    bytes.append(stream, 4, .little)
    bytes.append(sequence, 4, .little)
    bytes.append(0, 4, .little)
    bytes.append(segments.count, 1, .little)
    bytes += segments
    bytes += body
    let checksum = Self.checksum(bytes)
    for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
    return bytes
  }

  /// Whether a whole page's checksum is right.
  fileprivate static func isIntact(_ page: [UInt8]) -> Bool {
    page.integer(at: 22, 4, .little) == UInt64(checksum(page))
  }

  /// The checksum of a page, with zeros in place of the stored one.
  private static func checksum(_ page: [UInt8]) -> UInt32 {
    var checksum: UInt32 = 0
    for (index, byte) in page.enumerated() {
      let byte = (22..<26).contains(index) ? 0 : byte
      checksum = checksum << 8 ^ table[Int(UInt8(truncatingIfNeeded: checksum >> 24) ^ byte)]
    }
    return checksum
  }

  /// For the polynomial 0x04C11DB7, not reflected.
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in
      value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
    }
  }
}

/// Assembles the packets of a stream from its pages.
struct OggPackets {
  private(set) var packets: [[UInt8]] = []
  /// The packet that continues on the next page.
  private(set) var open: [UInt8] = []
  private(set) var byteCount = 0

  mutating func add(_ page: OggPage) {
    var start = 0
    byteCount += page.body.count
    if page.flags & OggPage.continues == 0 { open = [] }
    for size in page.segments {
      guard start + Int(size) <= page.body.count else { return }
      open += page.body[start..<start + Int(size)]
      start += Int(size)
      if Int(size) < OggPage.segmentSize {
        packets.append(open)
        open = []
      }
    }
  }

  /// Whether the last page ended with a packet.
  var endsWhole: Bool { open.isEmpty }
}

/// The end of an Ogg file. No header states it, but the last page of a stream is flagged.
///
/// Source: RFC 3533, section 6.
enum OggEnd {
  /// The largest possible page: its header and 255 segments of 255 bytes.
  private static let largestPage: Int64 = 27 + 255 + 255 * 255

  /// Whether the stream is cut before its last page.
  ///
  /// - Parameter range: the Ogg file, without tags behind it.
  static func isMissing(in window: FileWindow, _ range: Range<Int64>) throws(AudioError) -> Bool {
    let start = max(range.lowerBound, range.upperBound - largestPage)
    let bytes = try window.bytes(Int(range.upperBound - start), at: start)
    // Bytes behind the last page of a stream do not belong to it, unless they are a page. The capture pattern may occur
    // within a page by chance. No page from there ends at the file's end.
    for index in bytes.indices.reversed() where bytes[index] == 0x4F && bytes.has("OggS", at: index)
    {
      guard index + 27 <= bytes.count else { continue }
      let tableEnd = index + 27 + Int(bytes[index + 26])
      guard tableEnd <= bytes.count else { continue }
      let size = bytes[(index + 27)..<tableEnd].reduce(tableEnd - index) { $0 + Int($1) }
      let end = index + size
      if end == bytes.count { return bytes[index + 5] & OggPage.isLast == 0 }
      if end < bytes.count, bytes[index + 5] & OggPage.isLast != 0,
        OggPage.isIntact(Array(bytes[index..<end]))
      {
        return bytes.has("OggS", at: end)
      }
    }
    return true
  }
}
