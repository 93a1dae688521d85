// SPDX-License-Identifier: Apache-2.0
extension StringProtocol {
  /// Where `text` stands first; nil where it does not.
  ///
  /// What the standard library has for this links Swift's regular expressions, more than a megabyte.
  package func place(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
