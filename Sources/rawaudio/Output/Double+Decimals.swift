// SPDX-License-Identifier: Apache-2.0
extension Double {
  /// The number with `digits` decimal places: `-12.3`; `inf`, `-inf`, `nan`.
  func decimal(_ digits: Int) -> String {
    // NaN has no sign.
    if isNaN { return "nan" }
    let scale = Self.scale(digits)
    let scaled = (abs(self) * scale).rounded()
    guard scaled < 1e15 else { return "\(self)" }
    let number = Int(scaled)
    let sign = self < 0 && number != 0 ? "-" : ""
    if digits == 0 { return "\(sign)\(number)" }
    let fraction = String(number % Int(scale))
    return "\(sign)\(number / Int(scale))."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// The nearest number with `digits` decimal places. Never a negative zero.
  func rounded(toDigits digits: Int) -> Double {
    let scale = Self.scale(digits)
    return (self * scale).rounded() / scale + 0
  }

  private static func scale(_ digits: Int) -> Double {
    (0..<digits).reduce(1) { scale, _ in scale * 10 }
  }
}

extension BinaryInteger {
  /// This many things: `1 gap`, `2 gaps`.
  ///
  /// - Parameter noun: in the singular. Its plural must end in a mere `s`.
  func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
