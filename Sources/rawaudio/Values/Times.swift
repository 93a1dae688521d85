internal import AudioCore

extension TimePosition {
  /// Small enough that every time is less than 2^63 samples at every rate.
  private static let longest: Int64 = 1_000_000_000_000

  /// Parses `[[h:]m:]s[.frac]`, or `48000s` for samples.
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
    for (index, field) in fields.enumerated() {
      // `.5` is half a second.
      let omitted = field.isEmpty && fields.count == 1 && halves.count == 2
      let value = omitted ? 0 : try Self.integer(field)
      if index > 0, value > 59 {
        throw InvalidValue("'\(value)' behind a colon must be below 60")
      }
      whole = whole * 60 + value
    }
    guard whole <= Self.longest else { throw Self.tooLong }
    let attoseconds = try Self.attoseconds(halves.count == 2 ? halves[1] : "0")
    self = .time(Duration(secondsComponent: whole, attosecondsComponent: attoseconds))
  }

  private static func integer(_ text: Substring) throws(InvalidValue) -> Int64 {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { throw malformed }
    guard let value = Int64(text), value <= longest else { throw tooLong }
    return value
  }

  /// The decimal places of a second, exactly.
  private static func attoseconds(_ text: Substring) throws(InvalidValue) -> Int64 {
    var digits = text
    while digits.hasSuffix("0") { digits.removeLast() }
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { throw malformed }
    guard digits.count <= 18 else { throw InvalidValue("it has more than 18 decimal places") }
    return Int64(digits + String(repeating: "0", count: 18 - digits.count)) ?? 0
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

extension ValueSyntax<TimePosition> {
  static let time = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in try TimePosition(text)
  }

  /// A time above zero.
  static let length = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let time = try TimePosition(text)
    if time == .samples(0) || time == .time(.zero) { throw InvalidValue("it must be above 0") }
    return time
  }
}

extension ValueSyntax<DeviceLength> {
  /// The length of a period or a buffer of a device: `480` or `10ms`.
  static let bufferLength = ValueSyntax(name: "length", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let inMilliseconds = text.hasSuffix("ms")
    guard let value = Int(inMilliseconds ? String(text.dropLast(2)) : text), value > 0,
      // At most a minute, or what fits into ALSA's unsigned 32-bit counts.
      value <= (inMilliseconds ? 60_000 : 1 << 30)
    else {
      throw InvalidValue("it is a count of samples per channel, or milliseconds as in 10ms")
    }
    return inMilliseconds ? .time(.milliseconds(value)) : .samplesPerChannel(value)
  }
}
