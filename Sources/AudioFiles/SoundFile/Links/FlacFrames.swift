// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Watches the frame heads of a FLAC stream for a sample rate other than the stream's.
///
/// libFLAC 1.4 decodes such frames, and libsndfile 1.2.0 ignores the rate.
struct FlacFrames {
  /// The position of the rate change, in samples per channel from the beginning, and the new rate.
  private(set) var change: (position: Int64, sampleRate: Int)?

  private var last: FlacFrameHead?
  /// The possible first frame of another stream, until the next frame confirms it, and its position.
  private var restart: (head: FlacFrameHead, position: Int64)?
  /// The samples per channel of the frames so far.
  private var position: Int64 = 0
  /// The possible beginning of a head.
  private var held: [UInt8] = []
  private var nextOffset: Int64 = 0
  /// Whether two consecutive heads were seen.
  private var isConfirmed = false

  /// Examines the bytes at `offset` if they follow the previous ones. After a gap, ignores all bytes.
  ///
  /// - Parameter sampleRate: the stream's rate in hertz.
  mutating func look(at bytes: [UInt8], offset: Int64, sampleRate: Int) {
    guard change == nil, nextOffset == offset else { return }
    nextOffset = offset + Int64(bytes.count)
    let all = held + bytes
    var index = 0
    while index < all.count, change == nil {
      guard let place = Self.mark(in: all, from: index) else { break }
      guard place + FlacFrameHead.longest <= all.count else {
        held = Array(all[place...])
        return
      }
      if let head = FlacFrameHead(all[place..<place + FlacFrameHead.longest]) {
        take(head, sampleRate)
      }
      index = place + 1
    }
    held = all.last == 0xFF ? [0xFF] : []
  }

  private mutating func take(_ head: FlacFrameHead, _ sampleRate: Int) {
    let rate = head.sampleRate ?? sampleRate
    if let restart, head.follows(restart.head), head.sampleRate == restart.head.sampleRate {
      self.restart = nil
      if rate != sampleRate {
        change = (restart.position, rate)
        return
      }
      position = restart.position + restart.head.blockSize
    } else if let last, !head.follows(last) {
      if head.number == 0 { restart = (head, isConfirmed ? position : 0) }
      return
    } else if rate != sampleRate, last != nil {
      change = (position, rate)
      return
    }
    isConfirmed = last != nil
    last = head
    position += head.blockSize
  }

  /// The next place of the possible first two bytes of a head.
  private static func mark(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    return unsafe bytes.withUnsafeBytes { all in
      while index < all.count {
        guard let base = all.baseAddress,
          let found = unsafe memchr(base + index, 0xFF, all.count - index)
        else { return nil }
        index = unsafe UnsafeRawPointer(found) - base
        if index + 1 == all.count { return index }
        if unsafe all[index + 1] & 0xFE == 0xF8 { return index }
        index += 1
      }
      return nil
    }
  }
}

/// The head of a FLAC frame.
///
/// Source: RFC 9639, section 9.1.
struct FlacFrameHead {
  /// The longest head in bytes.
  static let longest = 16

  /// The number of the frame, or of its first sample if block sizes vary.
  let number: Int64
  let isVariable: Bool
  let blockSize: Int64
  /// In hertz; nil = the stream's rate.
  let sampleRate: Int?

  private var next: Int64 { isVariable ? number + blockSize : number + 1 }

  func follows(_ other: Self) -> Bool {
    isVariable == other.isVariable && number == other.next
  }

  /// - Parameter slice: as many bytes as the longest head has.
  /// - Returns: nil if the bytes are no head, or its checksum is wrong.
  init?(_ slice: ArraySlice<UInt8>) {
    let bytes = Array(slice)
    let sizeCode = Int(bytes[2] >> 4)
    let rateCode = Int(bytes[2] & 0x0F)
    guard sizeCode != 0, rateCode != 15, bytes[3] >> 4 < 11, bytes[3] & 0x0E != 0x06,
      bytes[3] & 1 == 0
    else { return nil }
    // Numbers are coded like characters in UTF-8, with up to 36 bits.
    let lead = bytes[4]
    let more = lead < 0x80 ? 0 : (~lead).leadingZeroBitCount - 1
    guard more >= 0, more <= 6, lead < 0x80 || more > 0 else { return nil }
    var number = Int64(more == 0 ? lead : lead & UInt8(0x3F >> more))
    for index in 0..<more { number = number << 6 | Int64(bytes[5 + index] & 0x3F) }
    var end = 5 + more
    func next(_ count: Int) -> Int {
      defer { end += count }
      return Int(bytes.integer(at: end, count, .big))
    }
    let blockSize =
      switch sizeCode {
      case 1: 192
      case 2...5: 144 << sizeCode
      case 6: next(1) + 1
      case 7: next(2) + 1
      default: 1 << sizeCode
      }
    let rate: Int? =
      switch rateCode {
      case 0: nil
      case 12: next(1) * 1_000
      case 13: next(2)
      case 14: next(2) * 10
      default: Self.rates[rateCode - 1]
      }
    guard end < bytes.count, Self.checksum(bytes[..<end]) == bytes[end] else { return nil }
    self.number = number
    isVariable = bytes[1] & 1 == 1
    self.blockSize = Int64(blockSize)
    sampleRate = rate
  }

  private static let rates = [
    88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
  ]

  /// The CRC of the polynomial 0x07.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 0x07 : value << 1 }
    }
  }
}
