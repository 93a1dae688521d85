extension Double {
  /// Reads a plain decimal number: digits with at most one sign and one point, no exponent, no `inf`.
  init?(decimal text: String) {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard text.utf8.count - digits.count <= 1,
      digits.contains(where: { $0 != UInt8(ascii: ".") }),
      digits.allSatisfy({
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
      }),
      let value = Double(text.hasSuffix(".") ? text + "0" : text), value.isFinite
    else { return nil }
    self = value
  }
}
