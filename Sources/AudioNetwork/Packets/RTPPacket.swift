// SPDX-License-Identifier: Apache-2.0
/// The header of an RTP packet. Source: RFC 3550, section 5.1.
struct RTPPacket: Equatable, BitwiseCopyable {
  /// Bytes of the header without contributing sources and extension.
  static let shortestHeader = 12

  /// The number of the payload's format, 0 to 127.
  var payloadType: UInt8
  var isMarked: Bool
  var sequence: UInt16
  /// The place of the first sample on the sender's clock.
  var timestamp: UInt32
  /// The identifier of the sender's stream (SSRC).
  var source: UInt32
  /// The place of the payload among the bytes of the packet.
  var payloadStart: Int
  var payloadEnd: Int

  var payload: Range<Int> { payloadStart..<payloadEnd }

  /// Reads the header of a datagram.
  ///
  /// - Returns: nil if the bytes are no RTP packet of version 2, or if a stated length reaches beyond them.
  init?(_ bytes: RawSpan) {
    guard let first = bytes.byte(at: 0), first >> 6 == 2, let second = bytes.byte(at: 1),
      let sequence = bytes.word(at: 2, as: UInt16.self),
      let timestamp = bytes.word(at: 4, as: UInt32.self),
      let source = bytes.word(at: 8, as: UInt32.self)
    else { return nil }
    var start = Self.shortestHeader + Int(first & 15) * 4
    if first & 0x10 != 0 {
      guard let words = bytes.word(at: start + 2, as: UInt16.self) else { return nil }
      start += 4 + Int(words) * 4
    }
    var end = bytes.byteCount
    if first & 0x20 != 0 {
      guard let padding = bytes.byte(at: end - 1), padding > 0 else { return nil }
      end -= Int(padding)
    }
    guard start <= end else { return nil }
    payloadType = second & 0x7F
    isMarked = second & 0x80 != 0
    self.sequence = sequence
    self.timestamp = timestamp
    self.source = source
    payloadStart = start
    payloadEnd = end
  }

  /// - Parameters:
  ///   - payloadType: 0 to 127.
  ///   - byteCount: of the payload.
  init(
    payloadType: UInt8, isMarked: Bool = false, sequence: UInt16, timestamp: UInt32,
    source: UInt32, byteCount: Int
  ) {
    self.payloadType = payloadType & 0x7F
    self.isMarked = isMarked
    self.sequence = sequence
    self.timestamp = timestamp
    self.source = source
    payloadStart = Self.shortestHeader
    payloadEnd = Self.shortestHeader + byteCount
  }

  /// The bytes of the shortest header.
  var header: [UInt8] {
    [0x80, payloadType | (isMarked ? 0x80 : 0)] + sequence.networkBytes
      + timestamp.networkBytes + source.networkBytes
  }
}

extension FixedWidthInteger {
  /// Its bytes, the highest first.
  var networkBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: self >> $0)
    }
  }
}
