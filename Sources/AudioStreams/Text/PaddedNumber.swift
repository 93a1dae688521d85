// SPDX-License-Identifier: Apache-2.0
extension BinaryInteger {
  /// The number in at least `digits` decimal digits, with leading zeros. For numbers that are not negative.
  package func padded(to digits: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
