// SPDX-License-Identifier: Apache-2.0
extension String {
  /// Makes the text of these bytes; nil if they are not UTF-8.
  ///
  /// `String(validating:as:)` takes any encoding, and so looks up its types at run time.
  package init?(validUTF8 bytes: [UInt8]) {
    guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
    self.init(copying: text)
  }
}
