internal import AudioCore

extension Double {
  /// Parses a plain decimal number: digits with at most one sign and one point, no exponent, no `inf`.
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

extension ValueSyntax<Int> {
  static let sampleRate = integer(
    name: "hertz", in: StreamFormat.sampleRates, called: "a rate in hertz")

  static let channelCount = integer(
    name: "count", in: StreamFormat.channelCounts, called: "a channel count")

  /// `ObserverList` checks it further when rate and channel count are known.
  static let samplesPerCall = integer(
    name: "samples", in: 1...Int(Int32.max), called: "a count of samples over all channels")

  static let priority = integer(
    name: "level", in: RealTimePriority.levels, called: "a priority")

  private static func integer(
    name: String, in range: ClosedRange<Int>, called what: String
  ) -> Self {
    ValueSyntax(name: name, isNumeric: true) { (text: String) throws(InvalidValue) in
      guard let value = Int(text), range.contains(value) else {
        throw InvalidValue(
          "\(what) is a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
  }
}

extension ValueSyntax<Double> {
  /// A gain in decibels: `-6`, `+3.5`, `-6dB`.
  static let decibels = decibels(in: -300...300, called: "a gain", example: "-6")

  /// A level in dBFS: `-40`, `-40dB`.
  static let level = decibels(in: -300...0, called: "a level", example: "-40")

  /// A balance: −1 is left, 0 the centre, 1 right.
  static let pan = ValueSyntax(name: "pan", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    guard let pan = Double(decimal: text), (-1...1).contains(pan) else {
      throw InvalidValue("a pan is a number from -1 (left) to 1 (right)")
    }
    return pan
  }

  private static func decibels(
    in range: ClosedRange<Int>, called what: String, example: String
  ) -> Self {
    ValueSyntax(name: "db", isNumeric: true) { (text: String) throws(InvalidValue) in
      let number = text.lowercased().hasSuffix("db") ? String(text.dropLast(2)) : text
      guard let value = Double(decimal: number),
        (Double(range.lowerBound)...Double(range.upperBound)).contains(value)
      else {
        throw InvalidValue(
          "\(what) is a number of decibels from \(range.lowerBound) to \(range.upperBound),"
            + " for example \(example)")
      }
      return value
    }
  }
}
