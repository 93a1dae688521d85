// SPDX-License-Identifier: Apache-2.0
/// The length of a packet of Opus. Source: RFC 6716, section 3.1.
enum OpusPacket {
  /// Opus has this rate in RTP, whatever the sender samples at. RFC 7587, section 4.1.
  static let sampleRate = 48_000
  /// The longest packet in samples per channel: 120 ms.
  static let longest = 5_760
  /// A packet of so few bytes has no samples: the sender tells that it sends nothing (DTX).
  static let mostBytesOfSilence = 2

  /// Samples per channel at ``sampleRate``, by the first two bytes. Nil for a packet that is none.
  static func sampleCount(_ first: UInt8, _ second: UInt8?) -> Int? {
    let configuration = Int(first >> 3)
    let length =
      switch configuration {
      case 0..<12: [480, 960, 1_920, 2_880][configuration & 3]
      case 12..<16: [480, 960][configuration & 1]
      default: [120, 240, 480, 960][configuration & 3]
      }
    let frames: Int
    switch first & 3 {
    case 0: frames = 1
    case 1, 2: frames = 2
    default:
      guard let second else { return nil }
      frames = Int(second & 0x3F)
    }
    let count = frames * length
    return (1...longest).contains(count) ? count : nil
  }
}
