// SPDX-License-Identifier: Apache-2.0
/// A page of an Ogg file: a part of a stream's packets.
///
/// Source: RFC 3533, section 6.
struct OggPage: Equatable {
  static let headSize = 27
  /// What its packets are cut into.
  static let segmentSize = 255
  /// Of the first packet's part, the page goes on with one of the page before.
  static let continues: UInt8 = 1
  static let isFirst: UInt8 = 2
  static let isLast: UInt8 = 4

  var flags: UInt8
  /// Of the last packet that ends on it; all bits set where none does.
  var granule: UInt64
  var stream: UInt32
  var sequence: UInt32
  /// The sizes of the segments.
  var segments: [UInt8]
  var body: [UInt8]

  /// The sizes of a page that begins with these bytes: of its head with the table of segments, and of all.
  ///
  /// - Returns: nil where no page begins, or its table is not all there.
  static func sizes(_ head: [UInt8]) -> (head: Int, all: Int)? {
    guard head.count >= headSize, head.has("OggS", at: 0), head[4] == 0 else { return nil }
    let size = headSize + Int(head[26])
    guard head.count >= size else { return nil }
    return (size, head[headSize..<size].reduce(size) { $0 + Int($1) })
  }

  init(
    flags: UInt8, granule: UInt64, stream: UInt32, sequence: UInt32, segments: [UInt8],
    body: [UInt8]
  ) {
    self.flags = flags
    self.granule = granule
    self.stream = stream
    self.sequence = sequence
    self.segments = segments
    self.body = body
  }

  /// - Returns: nil where the bytes are no whole page, or damaged.
  init?(_ bytes: [UInt8]) {
    guard let (head, all) = Self.sizes(bytes), bytes.count == all,
      bytes.integer(at: 22, 4, .little) == UInt64(Self.checksum(bytes))
    else { return nil }
    flags = bytes[5]
    granule = bytes.integer(at: 6, 8, .little)
    stream = UInt32(bytes.integer(at: 14, 4, .little))
    sequence = UInt32(bytes.integer(at: 18, 4, .little))
    segments = Array(bytes[Self.headSize..<head])
    body = Array(bytes[head...])
  }

  /// The page with its checksum.
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

  /// That of a page, whatever stands in the checksum's place.
  private static func checksum(_ page: [UInt8]) -> UInt32 {
    var checksum: UInt32 = 0
    for (index, byte) in page.enumerated() {
      let byte = (22..<26).contains(index) ? 0 : byte
      checksum = checksum << 8 ^ table[Int(UInt8(truncatingIfNeeded: checksum >> 24) ^ byte)]
    }
    return checksum
  }

  /// Of the polynomial 0x04C11DB7, not reflected.
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in
      value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
    }
  }
}

/// The packets of a stream, gathered from its pages.
struct OggPackets {
  /// What is whole.
  private(set) var packets: [[UInt8]] = []
  /// What goes on with the next page.
  private(set) var open: [UInt8] = []
  /// How much was added.
  private(set) var byteCount = 0
  private var isOpen = false

  /// Adds the next page of the stream.
  mutating func add(_ page: OggPage) {
    var start = 0
    byteCount += page.body.count
    if page.flags & OggPage.continues == 0 {
      open = []
      isOpen = false
    }
    for size in page.segments {
      guard start + Int(size) <= page.body.count else { return }
      open += page.body[start..<start + Int(size)]
      isOpen = true
      start += Int(size)
      if Int(size) < OggPage.segmentSize {
        packets.append(open)
        open = []
        isOpen = false
      }
    }
  }

  /// Whether the last page ended with a packet.
  var endsWhole: Bool { !isOpen }
}
