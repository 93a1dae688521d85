// SPDX-License-Identifier: Apache-2.0
extension BinaryInteger {
  /// The number in at least `digits` decimal digits, with leading zeros. For numbers that are not negative.
  package func padded(to digits: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension StringProtocol {
  /// The first occurrence of `text`; nil if there is none.
  ///
  /// The standard library's function for this links Swift's regular expressions, more than a megabyte.
  package func place(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

extension String {
  /// Makes the text of these bytes; nil if they are not UTF-8.
  ///
  /// `String(validating:as:)` takes any encoding, and so looks up its types at run time.
  package init?(validUTF8 bytes: [UInt8]) {
    guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
    self.init(copying: text)
  }
}
