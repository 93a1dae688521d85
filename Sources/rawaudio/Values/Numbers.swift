// SPDX-License-Identifier: Apache-2.0
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
  /// `44100`, `44.1k`, `48kHz`.
  static let sampleRate = ValueSyntax(name: "hertz", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let range = StreamFormat.sampleRates
    guard let rate = hertz(text), range.contains(rate) else {
      throw InvalidValue(
        "a rate is a whole number of hertz from \(range.lowerBound) to \(range.upperBound), or kilohertz as"
          + " in 44.1k")
    }
    return rate
  }.offering(
    "8000", "16000", "22050", "24000", "32000", "44100", "48000", "88200", "96000", "192000")

  /// `2`, `mono`, `stereo`.
  static let channelCount = ValueSyntax(name: "count", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    switch text.lowercased() {
    case "mono": return 1
    case "stereo": return 2
    default: break
    }
    let range = StreamFormat.channelCounts
    guard let count = Int(text), range.contains(count) else {
      throw InvalidValue(
        "a channel count is mono, stereo or a whole number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return count
  }.offering("mono", "stereo")

  /// Nil if the text is no whole number of hertz.
  private static func hertz(_ text: String) -> Int? {
    var word = text.lowercased()[...]
    if word.hasSuffix("hz") { word = word.dropLast(2) }
    guard word.hasSuffix("k") else { return Int(word) }
    let halves = word.dropLast().split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let decimals = halves.count == 2 ? halves[1] : "0"
    guard (1...3).contains(decimals.count), !halves[0].isEmpty else { return nil }
    return Int(halves[0] + decimals + String(repeating: "0", count: 3 - decimals.count))
  }

  /// `ObserverList` checks it further when rate and channel count are known.
  static let samplesPerCall = integer(
    name: "samples", in: 1...Int(Int32.max), called: "a count of samples over all channels")

  /// Rate × channels.
  static let samplesPerSecond = integer(
    name: "count",
    in: StreamFormat.sampleRates.lowerBound...StreamFormat.sampleRates.upperBound
      * StreamFormat.channelCounts.upperBound, called: "a limit of samples a second")

  static let priority = integer(
    name: "level", in: RealTimePriority.levels, called: "a priority")

  /// A whole number in `range`.
  static func integer(
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

extension Int {
  /// This number of samples without a level, in words.
  var samplesNotFinite: String {
    self == 1
      ? "a sample that is not a finite number" : "\(self) samples that are not finite numbers"
  }
}
