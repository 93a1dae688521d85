// SPDX-License-Identifier: Apache-2.0
/// Bytes as text. Source: RFC 4648, section 4.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each byte; 64 = none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()
  private static let padding = UInt8(ascii: "=")

  package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var word = 0
      for index in 0..<3 { word = word << 8 | (index < count ? Int(bytes[start + index]) : 0) }
      for place in 0..<4 {
        text.append(place <= count ? digits[word >> (18 - 6 * place) & 63] : padding)
      }
    }
    return text
  }

  /// - Returns: nil if the text is not Base64. The padding may be missing.
  package static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var word: UInt32 = 0
    var bits = 0
    var paddingCount = 0
    for digit in text {
      if digit == padding {
        paddingCount += 1
        continue
      }
      let value = values[Int(digit)]
      guard value < 64, paddingCount == 0 else { return nil }
      word = word << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return bits < 6 && paddingCount <= 2 ? bytes : nil
  }
}
