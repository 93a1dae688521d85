// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension JSONValue {
  /// A file name, or an address without its secrets. JSON is UTF-8, so other bytes are escaped reversibly.
  static func path(_ path: String) -> JSONValue { .string(Pathname(path.withoutSecrets).escaped) }
}

extension String {
  /// A text about names that the user gave, without the secrets of addresses among them.
  var told: String { withoutSecrets.printable }

  /// The text with escapes such as `\u{202E}` for characters that could control the terminal, or change the order or
  /// the look of the text around them, and for bytes that are not UTF-8. File names and metadata may hold any of them.
  var printable: String {
    var text = ""
    for scalar in Pathname.shown(in: self).unicodeScalars {
      if scalar.isUnseen {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension StringProtocol {
  /// The text without blanks around it.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension String {
  /// The text as a shell reads it.
  var shellWord: String {
    let isPlain = allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber) || "%+,-./:=@_".contains($0)
    }
    if isPlain { return self }
    let parts = split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: #"'\''"#))'"
  }
}

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
