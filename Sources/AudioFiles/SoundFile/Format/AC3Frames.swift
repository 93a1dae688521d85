// SPDX-License-Identifier: Apache-2.0
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
  private static func size(_ head: [UInt8]) -> Int? {
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
