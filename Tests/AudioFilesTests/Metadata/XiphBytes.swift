// SPDX-License-Identifier: Apache-2.0

/// Blocks of FLAC and pages of Ogg, written byte by byte.
enum XiphBytes {
  static func block(_ number: UInt8, _ content: [UInt8], isLast: Bool = false) -> [UInt8] {
    [number | (isLast ? 0x80 : 0)] + ChunkBytes.number(content.count, 3, big: true) + content
  }

  static func comments(_ comments: [[UInt8]], vendor: String = "someone 1.0") -> [UInt8] {
    func text(_ bytes: [UInt8]) -> [UInt8] { ChunkBytes.number(bytes.count, 4) + bytes }
    let head = text(Array(vendor.utf8)) + ChunkBytes.number(comments.count, 4)
    return comments.reduce(head) { $0 + text($1) }
  }

  static func comments(_ texts: String..., vendor: String = "someone 1.0") -> [UInt8] {
    comments(texts.map { Array($0.utf8) }, vendor: vendor)
  }

  static func picture(_ kind: Int, _ data: [UInt8], description: String = "front") -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { ChunkBytes.number(value, 4, big: true) }
    func text(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }
    var bytes = number(kind) + text(Array("image/png".utf8))
    bytes += text(Array(description.utf8))
    for field in [640, 480, 24, 0] { bytes += number(field) }
    return bytes + text(data)
  }

  /// Two tracks and the lead-out of a disc of 3 seconds.
  static let cueSheet: [UInt8] = {
    func track(_ number: UInt8, at position: Int, isrc: String, _ flags: UInt8, _ count: UInt8)
      -> [UInt8]
    {
      var track = ChunkBytes.number(position, 8, big: true) + [number]
      track += ChunkBytes.text(isrc, 12) + [flags]
      return track + [UInt8](repeating: 0, count: 13) + [count]
    }
    func index(_ number: UInt8, at offset: Int) -> [UInt8] {
      ChunkBytes.number(offset, 8, big: true) + [number, 0, 0, 0]
    }
    var bytes = ChunkBytes.text("1234567890123", 128)
    bytes += ChunkBytes.number(88_200, 8, big: true) + [0x80]
    bytes += [UInt8](repeating: 0, count: 258) + [3]
    bytes += track(1, at: 0, isrc: "DEABC0012345", 0, 1) + index(1, at: 0)
    bytes += track(2, at: 58_800, isrc: "", 0xC0, 2) + index(0, at: 0) + index(1, at: 588)
    return bytes + track(170, at: 132_300, isrc: "", 0, 0)
  }()

  /// A FLAC file without samples, with these blocks after STREAMINFO.
  static func flac(_ blocks: [[UInt8]]) -> [UInt8] {
    let numbers: [UInt8] = [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0]
    var file = Array("fLaC".utf8)
    file += block(0, numbers + [UInt8](repeating: 0, count: 20), isLast: blocks.isEmpty)
    return file + blocks.joined()
  }

  /// Returns a page with a checksum computed bit by bit.
  static func page(
    flags: UInt8, granule: Int = 0, stream: Int = 7, _ sequence: Int, segments: [UInt8],
    _ body: [UInt8]
  ) -> [UInt8] {
    var head = Array("OggS".utf8) + [0, flags] + ChunkBytes.number(granule, 8)
    head += ChunkBytes.number(stream, 4) + ChunkBytes.number(sequence, 4)
    let page = head + [0, 0, 0, 0, UInt8(segments.count)] + segments + body
    var remainder: UInt32 = 0
    for byte in page {
      for bit in (0..<8).reversed() {
        let carry = remainder >> 31 ^ UInt32(byte >> bit & 1)
        remainder = remainder << 1 ^ (carry == 1 ? 0x04C1_1DB7 : 0)
      }
    }
    return Array(page[..<22]) + ChunkBytes.number(Int(remainder), 4) + Array(page[26...])
  }

  /// Returns the segments of a whole packet.
  static func segments(_ count: Int) -> [UInt8] {
    [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)]
  }

  /// Returns the pages of packets, each on as many pages as it needs.
  static func pages(_ packets: [[UInt8]], stream: Int = 7) -> [UInt8] {
    var bytes: [UInt8] = []
    var sequence = 0
    for (index, packet) in packets.enumerated() {
      var rest = packet[...]
      var sizes = segments(packet.count)[...]
      var flags: UInt8 = index == 0 ? 2 : 0
      while !sizes.isEmpty {
        let part = Array(sizes.prefix(255))
        let count = part.reduce(0) { $0 + Int($1) }
        bytes += page(
          flags: flags, stream: stream, sequence, segments: part, Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
        sizes = sizes.dropFirst(part.count)
        sequence += 1
        flags = 1
      }
    }
    return bytes
  }
}
