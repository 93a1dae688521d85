extension ValueSyntax<Double> {
  /// A level in dBFS: `-40`, `-40dB`.
  static let level = ValueSyntax(name: "db", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let number = text.lowercased().hasSuffix("db") ? String(text.dropLast(2)) : text
    guard let level = Double(decimal: number), (-300...0).contains(level) else {
      throw InvalidValue("a level is a number of decibels from -300 to 0, for example -40")
    }
    return level
  }
}
