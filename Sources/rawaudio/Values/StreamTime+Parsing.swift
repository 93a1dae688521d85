extension StreamTime {
  /// So that every time counts less than 2^63 samples at every rate.
  private static let longest: Int64 = 1_000_000_000_000

  /// Reads `[[h:]m:]s[.frac]`, or `48000s` for samples.
  init(_ text: String) throws(InvalidValue) {
    if text.hasPrefix("-") { throw InvalidValue("it must not be negative") }
    if text.hasSuffix("s") {
      self = .samples(try Self.integer(text.dropLast()))
      return
    }
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count <= 3 else { throw Self.malformed }
    var whole: Int64 = 0
    for (place, field) in fields.enumerated() {
      // `.5` is half a second.
      let omitted = field.isEmpty && fields.count == 1 && halves.count == 2
      let value = omitted ? 0 : try Self.integer(field)
      if place > 0, value > 59 {
        throw InvalidValue("'\(value)' behind a colon must be below 60")
      }
      whole = whole * 60 + value
    }
    guard whole <= Self.longest else { throw Self.tooLong }
    let (fraction, digits) = try Self.fraction(halves.count == 2 ? halves[1] : "0")
    self = .seconds(whole, fraction: fraction, digits: digits)
  }

  private static func integer(_ text: Substring) throws(InvalidValue) -> Int64 {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { throw malformed }
    guard let value = Int64(text), value <= longest else { throw tooLong }
    return value
  }

  private static func fraction(_ text: Substring) throws(InvalidValue) -> (UInt64, digits: Int) {
    var digits = text
    while digits.hasSuffix("0") { digits.removeLast() }
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { throw malformed }
    guard digits.count <= 18 else { throw InvalidValue("it has more than 18 decimal places") }
    return (UInt64(digits) ?? 0, digits.count)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static var malformed: InvalidValue {
    InvalidValue("a time is [[h:]m:]s[.frac], for example 1:30.5, or samples, for example 44100s")
  }

  private static var tooLong: InvalidValue {
    InvalidValue("it is beyond \(longest) seconds or samples")
  }
}

extension ValueSyntax<StreamTime> {
  static let time = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in try StreamTime(text)
  }

  /// A time above zero.
  static let length = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let time = try StreamTime(text)
    if time.isZero { throw InvalidValue("it must be above 0") }
    return time
  }
}
