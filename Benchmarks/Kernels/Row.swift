// SPDX-License-Identifier: Apache-2.0
/// A line of the table: nil where a kernel does not exist in that precision.
struct Row: CustomStringConvertible {
  let name: String
  let float: Double?
  let double: Double?

  var description: String {
    "\(name)\t\(Self.text(float))\t\(Self.text(double))"
  }

  /// Three decimals; the standard library has no formats.
  private static func text(_ value: Double?) -> String {
    guard let value else { return "–" }
    let thousandths = Int((value * 1000).rounded())
    let digits = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(digits)"
  }
}
