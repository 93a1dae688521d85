// SPDX-License-Identifier: Apache-2.0
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
