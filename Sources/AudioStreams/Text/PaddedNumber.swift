// SPDX-License-Identifier: Apache-2.0
extension BinaryInteger {
  /// In decimal digits, at least so many, with zeros in front. For numbers that are not negative.
  package func padded(to digits: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
