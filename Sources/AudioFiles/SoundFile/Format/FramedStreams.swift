// SPDX-License-Identifier: Apache-2.0
// Streams without a container, recognised by several frames in a row.

/// The frames of a stream of AC-3 or Enhanced AC-3.
///
/// Source: ATSC A/52:2018, sections 5.3, 5.4.1 and E.1.2.
enum AC3Frames {
  /// The frames in a row that distinguish a stream from bytes that look like one.
  private static let likelyCount = 8

  /// Whether a file begins with several frames, or consists of a single one.
  static func fill(_ window: FileWindow) throws(AudioError) -> Bool {
    var position = window.range.lowerBound
    var count = 0
    while count < likelyCount, let size = size(try window.bytes(6, at: position)),
      position + Int64(size) <= window.range.upperBound
    {
      count += 1
      position += Int64(size)
    }
    return count > 1 || count == 1 && position == window.range.upperBound
  }

  private static let kilobits = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// The bytes of the frame that begins with `head`; nil if `head` is no frame's.
  static func size(_ head: [UInt8]) -> Int? {
    guard head.count == 6, head[0] == 0x0B, head[1] == 0x77 else { return nil }
    let version = head[5] >> 3
    guard version <= 16 else { return nil }
    if version > 10 { return 2 * (Int(head.integer(at: 2, 2, .big) & 0x7FF) + 1) }
    let code = Int(head[4] & 0x3F)
    guard code < 2 * kilobits.count else { return nil }
    let rate = kilobits[code / 2]
    switch head[4] >> 6 {
    case 0: return 4 * rate
    // 1,536 samples at 44,100 Hz, in words of 16 bits.
    case 1: return 2 * (rate * 1_000 * 1_536 / 44_100 / 16 + code % 2)
    case 2: return 6 * rate
    default: return nil
    }
  }
}

/// The packets of an MPEG transport stream.
///
/// Source: ITU-T H.222.0, section 2.4.3.2; 4 bytes of time stand in front of each packet on Blu-ray discs (m2ts), and 16
/// bytes of correction behind each in some broadcasts.
enum TransportPackets {
  private static let synchronization: UInt8 = 0x47
  /// The packets in a row that are examined.
  private static let count = 3

  /// The bytes of a packet, if bytes are the beginning of such a stream. Three packets do not occur by chance.
  static func size(_ bytes: [UInt8]) -> Int? {
    [(0, 188), (4, 192), (0, 204)].first { start, size in
      let places = (0..<count).map { start + size * $0 }
      return places.allSatisfy { $0 < bytes.count && bytes[$0] == synchronization }
    }?.1
  }
}

/// The frames of a stream of SBC, the codec of Bluetooth.
///
/// Source: Bluetooth SIG, "Advanced Audio Distribution Profile" 1.3, section 12.9.
enum SBCFrames {
  private static let synchronization: UInt8 = 0x9C
  /// The frames in a row that distinguish a stream from bytes that look like one.
  private static let likelyCount = 3

  /// Whether bytes are the beginning of such a stream.
  static func begin(_ bytes: [UInt8]) -> Bool {
    var (position, count) = (0, 0)
    while count < likelyCount, let size = size(bytes[position...]) {
      count += 1
      position += size
      guard position < bytes.count else { break }
    }
    return count == likelyCount
  }

  /// The bytes of the frame that begins with `head`; nil if `head` is no frame's.
  private static func size(_ head: ArraySlice<UInt8>) -> Int? {
    guard head.count >= 4, head[head.startIndex] == synchronization else { return nil }
    let (shape, pool) = (Int(head[head.startIndex + 1]), Int(head[head.startIndex + 2]))
    let blocks = 4 * ((shape >> 4 & 3) + 1)
    let mode = shape >> 2 & 3
    let subbands = shape & 1 == 0 ? 4 : 8
    let isMono = mode == 0
    // Each scale factor has four bits. Both channels share the pool of bits in the modes 2 and 3.
    let factors = subbands * (isMono ? 1 : 2) / 2
    let bits = (mode == 3 ? subbands : 0) + blocks * pool * (mode == 1 ? 2 : 1)
    return 4 + factors + (bits + 7) / 8
  }
}
