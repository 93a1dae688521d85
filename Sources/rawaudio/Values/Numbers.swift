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
  static let sampleRate = ValueSyntax(
    name: "hertz", isNumeric: true,
    otherwise: "a rate is a whole number of hertz from \(StreamFormat.sampleRates.lowerBound) to"
      + " \(StreamFormat.sampleRates.upperBound), or kilohertz as in 44.1k"
  ) { hertz($0)?.within(StreamFormat.sampleRates) }.offering(
    "8000", "16000", "22050", "24000", "32000", "44100", "48000", "88200", "96000", "192000")

  /// `2`, `mono`, `stereo`.
  static let channelCount = ValueSyntax(
    name: "count", isNumeric: true,
    otherwise: "a channel count is mono, stereo or a whole number from"
      + " \(StreamFormat.channelCounts.lowerBound) to \(StreamFormat.channelCounts.upperBound)"
  ) { text in
    switch text.lowercased() {
    case "mono": 1
    case "stereo": 2
    default: Int(text)?.within(StreamFormat.channelCounts)
    }
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
    let zeros = String(repeating: "0", count: 3 - decimals.count)
    return Int("\(halves[0])\(decimals)\(zeros)")
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

  /// A whole number in `range`, which may have no upper end.
  static func integer(
    name: String, in range: ClosedRange<Int>, called what: String
  ) -> Self {
    let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
    return ValueSyntax(
      name: name, isNumeric: true,
      otherwise: "\(what) is a whole number from \(range.lowerBound)\(end)"
    ) { Int($0)?.within(range) }
  }
}

extension ValueSyntax<Double> {
  /// A gain in decibels: `-6`, `+3.5`, `-6dB`.
  static let decibels = number(
    of: "db", in: -300...300, called: "a gain is a number of decibels", example: "-6")

  /// A gain that puts the largest sample at a level in dBFS: `-1`, `-1dB`, `-1dBFS`.
  static let peak = number(
    of: "db", "dbfs", in: -300...300, called: "a gain is a number of decibels", example: "-6")

  /// A level in dBFS: `-40`, `-40dB`, `-40dBFS`.
  static let level = number(
    of: "db", "dbfs", in: -300...0, called: "a level is a number of decibels", example: "-40")

  /// `-16`, `-16LUFS`, `-16LKFS`: ITU-R BS.1770's name of the same unit.
  static let loudness = number(
    of: "lufs", "lkfs", in: -70...0, called: "a loudness is a number", example: "-16")

  /// `-1`, `-1dB`, `-1dBTP`.
  static let truePeak = number(
    of: "dbtp", "db", in: -70...20, called: "a true peak is a number", example: "-1")

  /// A balance: −1 is left, 0 the centre, 1 right.
  static let pan = ValueSyntax(
    name: "pan", isNumeric: true, otherwise: "a pan is a number from -1 (left) to 1 (right)"
  ) { Double(decimal: $0)?.within(-1...1) }

  /// A number in `range`, with or without one of its units. The first is the name on help pages.
  private static func number(
    of units: String..., in range: ClosedRange<Double>, called what: String, example: String
  ) -> Self {
    ValueSyntax(
      name: units[0], isNumeric: true,
      otherwise:
        "\(what) from \(Int(range.lowerBound)) to \(Int(range.upperBound)), for example \(example)"
    ) { text in
      let word = text.lowercased()
      let unit = units.first(where: word.hasSuffix) ?? ""
      return Double(decimal: String(word.dropLast(unit.count)))?.within(range)
    }
  }
}

extension Comparable {
  /// This value. Nil outside of `range`.
  func within(_ range: ClosedRange<Self>) -> Self? { range.contains(self) ? self : nil }
}

extension Int {
  /// This number of samples without a level, in words.
  var samplesNotFinite: String {
    self == 1
      ? "a sample that is not a finite number" : "\(self) samples that are not finite numbers"
  }
}

extension [UInt8] {
  /// Two digits per byte.
  var hexadecimal: String {
    reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16, uppercase: true) }
  }
}
