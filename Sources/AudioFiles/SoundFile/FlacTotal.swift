// SPDX-License-Identifier: Apache-2.0
/// The length that a FLAC file states, and the length by its last frame.
///
/// libsndfile 1.2.0 stops at the length in STREAMINFO. Source: RFC 9639, sections 8.2 and 9.1.
struct FlacTotal {
  /// In samples per channel; 0 = unknown.
  let stated: Int64
  /// The end of the last frame in samples per channel; nil if no whole frame ends the file.
  let actual: Int64?
  private let head: [UInt8]
  /// The longest last frame that is found, in bytes.
  private static let searchLength: Int64 = 1 << 17
  /// The false frames after which the search ends.
  private static let mostGuesses = 64

  /// - Parameter part: the file's bytes within the window.
  /// - Returns: nil if the file does not begin like FLAC.
  init?(in window: FileWindow, _ part: Range<Int64>) throws(AudioError) {
    head = try window.bytes(42, at: part.lowerBound)
    guard head.count == 42, head.has("fLaC", at: 0), head[4] & 0x7F == 0 else { return nil }
    stated = Int64(head.integer(at: 21, 5, .big) & 0xF_FFFF_FFFF)
    let start = max(part.lowerBound + 42, part.upperBound - Self.searchLength)
    guard start < part.upperBound else {
      actual = nil
      return
    }
    let bytes = try window.bytes(Int(part.upperBound - start), at: start)
    let blockSize = Int64(head.integer(at: 10, 2, .big))
    actual = Self.end(ofLastFrameIn: bytes, blockSize: blockSize)
  }

  /// The samples per channel beyond the stated length.
  var surplus: Int64 { actual.map { stated > 0 ? max(0, $0 - stated) : 0 } ?? 0 }

  /// The header bytes that state the true length.
  var correction: PlacedBytes? {
    guard let actual, actual < 1 << 36 else { return nil }
    // Four bits of another number share the first byte.
    let bits = head.integer(at: 21, 5, .big) & ~0xF_FFFF_FFFF | UInt64(actual)
    let bytes = (0..<5).map { UInt8(truncatingIfNeeded: bits >> (8 * (4 - UInt64($0)))) }
    return PlacedBytes(offset: 21, bytes: bytes)
  }

  private static func end(ofLastFrameIn bytes: [UInt8], blockSize: Int64) -> Int64? {
    // A frame including its checksum has the checksum 0. The last header that passes this test is the right one.
    var guesses = 0
    for start in bytes.indices.reversed() where bytes[start] == 0xFF && guesses < mostGuesses {
      guard start + 6 <= bytes.count, bytes[start + 1] & 0xFE == 0xF8,
        let end = end(ofFrame: bytes[start...], blockSize: blockSize)
      else { continue }
      guesses += 1
      if checksum(bytes[start...]) == 0 { return end }
    }
    return nil
  }

  /// - Returns: nil if `frame` does not begin with a header.
  private static func end(ofFrame frame: ArraySlice<UInt8>, blockSize: Int64) -> Int64? {
    let longest = FlacFrameHead.longest
    // The last frame may be shorter than the longest head.
    let padding = [UInt8](repeating: 0, count: max(0, longest - frame.count))
    guard let head = FlacFrameHead(frame.prefix(longest) + padding) else { return nil }
    return (head.isVariable ? head.number : head.number * blockSize) + head.blockSize
  }

  /// CRC-16 of the polynomial x^16 + x^15 + x^2 + 1.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      var sum = sum ^ UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
      return sum
    }
  }
}
