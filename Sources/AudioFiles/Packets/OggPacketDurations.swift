// SPDX-License-Identifier: Apache-2.0
/// The samples per channel that a decoder gives for each packet of a stream in Ogg.
enum OggPacketDurations {
  /// At 48,000 Hz.
  case opus
  /// By the kinds of blocks: a packet gives a quarter of its own block and of the one before.
  case vorbis(VorbisModes, last: Int64?)

  /// - Parameter headers: the packets in front of the samples.
  /// - Returns: nil if they are damaged.
  init?(_ codec: OggCodec, _ headers: [[UInt8]]) {
    switch codec {
    case .opus: self = .opus
    case .vorbis:
      guard let modes = VorbisModes(headers) else { return nil }
      self = .vorbis(modes, last: nil)
    default: return nil
    }
  }

  /// - Returns: 0 for a packet that gives none.
  mutating func next(_ packet: [UInt8]) -> Int64 {
    switch self {
    case .opus: return Self.opus(packet)
    case .vorbis(let modes, let last):
      guard let size = modes.blockSize(packet) else { return 0 }
      self = .vorbis(modes, last: size)
      return last.map { ($0 + size) / 4 } ?? 0
    }
  }

  /// Source: RFC 6716, section 3.1.
  private static func opus(_ packet: [UInt8]) -> Int64 {
    guard let head = packet.first else { return 0 }
    let kind = Int(head >> 3)
    let size =
      kind < 12
      ? [480, 960, 1_920, 2_880][kind & 3]
      : kind < 16 ? [480, 960][kind & 1] : [120, 240, 480, 960][kind & 3]
    let count =
      switch head & 3 {
      case 0: 1
      case 1, 2: 2
      default: packet.count > 1 ? Int(packet[1] & 0x3F) : 0
      }
    return Int64(size * count)
  }
}

/// The sizes of the blocks of a Vorbis stream, by the mode of a packet.
///
/// Source: the Vorbis I specification, sections 4.2.2, 4.2.4 and 4.3.1. The modes are the end of the last header; they are
/// read backwards, because all in front of them has no length of its own.
struct VorbisModes {
  private let sizes: (short: Int64, long: Int64)
  private let areLong: [Bool]
  private let bitCount: Int

  init?(_ headers: [[UInt8]]) {
    guard headers.count == 3, headers[0].count >= 29 else { return nil }
    let exponents = headers[0][28]
    sizes = (1 << Int64(exponents & 15), 1 << Int64(exponents >> 4))
    var reader = BackwardBits(headers[2])
    // The framing bit, behind which there is filling.
    while let bit = reader.value(1), bit == 0 {}
    var modes: [Bool] = []
    var found: [Bool]?
    while modes.count < 64, let mapping = reader.value(8), mapping < 64, reader.value(16) == 0,
      reader.value(16) == 0, let flag = reader.value(1)
    {
      modes.insert(flag == 1, at: 0)
      var ahead = reader
      if ahead.value(6).map({ $0 + 1 }) == modes.count { found = modes }
    }
    guard let found else { return nil }
    areLong = found
    bitCount = Int.bitWidth - (found.count - 1).leadingZeroBitCount
  }

  /// - Returns: nil if the packet is none of samples.
  func blockSize(_ packet: [UInt8]) -> Int64? {
    guard let first = packet.first, first & 1 == 0 else { return nil }
    let mode = Int(first >> 1) & (1 << bitCount - 1)
    guard mode < areLong.count else { return nil }
    return areLong[mode] ? sizes.long : sizes.short
  }
}

/// Bits from the end of bytes to their beginning.
private struct BackwardBits {
  private let bytes: [UInt8]
  private var place: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.count * 8
  }

  mutating func value(_ count: Int) -> Int? {
    guard place >= count else { return nil }
    var value = 0
    for _ in 0..<count {
      place -= 1
      value = value << 1 | Int(bytes[place / 8] >> UInt8(place % 8) & 1)
    }
    return value
  }
}
