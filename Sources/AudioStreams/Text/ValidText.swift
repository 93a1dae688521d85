// SPDX-License-Identifier: Apache-2.0
extension String {
  /// The text of these bytes; nil where they are no UTF-8.
  ///
  /// `String(validating:as:)` does the same for every encoding, and so looks its types up while the program runs.
  package init?(validUTF8 bytes: [UInt8]) {
    guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
    self.init(copying: text)
  }
}
