internal import AudioCore

extension ValueSyntax<Int> {
  static let sampleRate = integer(
    name: "hertz", in: StreamFormat.sampleRates, called: "a rate in hertz")

  static let channelCount = integer(
    name: "count", in: StreamFormat.channelCounts, called: "a channel count")

  /// Checked further by `ObservationRequest` once rate and channels are known.
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
  static let decibels = ValueSyntax(name: "db", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let number = text.lowercased().hasSuffix("db") ? String(text.dropLast(2)) : text
    guard let gain = Double(decimal: number), (-300...300).contains(gain) else {
      throw InvalidValue("a gain is a number of decibels from -300 to 300, for example -6")
    }
    return gain
  }

  /// A balance from −1 (left) over 0 (centre) to 1 (right).
  static let pan = ValueSyntax(name: "pan", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    guard let pan = Double(decimal: text), (-1...1).contains(pan) else {
      throw InvalidValue("a pan is a number from -1 (left) to 1 (right)")
    }
    return pan
  }
}
