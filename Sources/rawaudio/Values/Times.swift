// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension TimePosition {
  /// The largest time, which keeps every time below 2^63 samples at every rate.
  private static let longest: Int64 = 1_000_000_000_000

  /// The forms of a time, for help pages.
  static let forms = "90, 1:30.5, 500ms or 44100S (see 'rawaudio help times')"

  /// Parses `[[h:]m:]s[.frac]`, numbers with units such as `2s`, `500ms` or `1h30m`, or samples: `88200samples`,
  /// `88200S`.
  init(_ text: String) throws(InvalidValue) {
    if text.hasPrefix("-") { throw InvalidValue("it must not be negative") }
    for unit in ["samples", "S"] where text.hasSuffix(unit) {
      self = .samples(try Self.integer(text.dropLast(unit.count)))
      return
    }
    if text.last?.isLetter == true {
      self = .time(try Self.duration(inUnits: text[...]))
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
    let attoseconds = try Self.attoseconds(halves.count == 2 ? halves[1] : "0", ofSecondsTo: 18)
    self = .time(Duration(secondsComponent: whole, attosecondsComponent: attoseconds))
  }

  /// The units of time, the longest first.
  private static let units: [(names: [Substring], length: Duration)] = [
    (["h"], .seconds(3_600)), (["m", "min"], .seconds(60)), (["s", "sec"], .seconds(1)),
    (["ms"], .milliseconds(1)),
  ]

  /// The sum of numbers with units, the longest first, each unit at most once: `1h30m`, `2.5s`.
  private static func duration(inUnits text: Substring) throws(InvalidValue) -> Duration {
    var rest = text
    var units = units[...]
    var sum = Duration.zero
    while !rest.isEmpty {
      let number = rest.prefix { $0 == "." || $0.utf8.allSatisfy(isDigit) }
      rest = rest.dropFirst(number.count)
      let name = rest.prefix(while: \.isLetter)
      rest = rest.dropFirst(name.count)
      guard let index = units.firstIndex(where: { $0.names.contains(name) }) else {
        throw malformed
      }
      sum += try duration(number, units[index].length)
      units = units[(index + 1)...]
    }
    guard sum <= .seconds(longest) else { throw tooLong }
    return sum
  }

  private static func duration(
    _ number: Substring, _ unit: Duration
  ) throws(InvalidValue) -> Duration {
    let halves = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    // `.5s` is half a second.
    let whole = halves[0].isEmpty && halves.count == 2 ? 0 : try integer(halves[0])
    let isShort = unit < .seconds(1)
    let fraction = try attoseconds(
      halves.count == 2 ? halves[1] : "0", ofSecondsTo: isShort ? 15 : 18)
    return unit * whole + Duration(secondsComponent: 0, attosecondsComponent: fraction)
      * (isShort ? 1 : unit.components.seconds)
  }

  private static func integer(_ text: Substring) throws(InvalidValue) -> Int64 {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { throw malformed }
    guard let value = Int64(text), value <= longest else { throw tooLong }
    return value
  }

  /// The exact fraction from the decimal places of a second, or of a millisecond with 15 places.
  private static func attoseconds(
    _ text: Substring, ofSecondsTo places: Int
  ) throws(InvalidValue) -> Int64 {
    var digits = text
    while digits.hasSuffix("0") { digits.removeLast() }
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { throw malformed }
    guard digits.count <= places else {
      throw InvalidValue("it has more than \(places) decimal places")
    }
    return Int64(digits + String(repeating: "0", count: places - digits.count)) ?? 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  fileprivate static var malformed: InvalidValue {
    InvalidValue(
      "a time is [[h:]m:]s[.frac], for example 1:30.5, a number with a unit, for example 2s, 500ms or 1h30m,"
        + " or samples, for example 44100S")
  }

  private static var tooLong: InvalidValue {
    InvalidValue("it is beyond \(longest) seconds or samples")
  }
}

extension ValueSyntax<TimePosition> {
  static let time = ValueSyntax(name: "time", isNumeric: true, parse: TimePosition.init)

  /// A time above zero.
  static let length = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let time = try TimePosition(text)
    if time == .samples(0) || time == .time(.zero) { throw InvalidValue("it must be above 0") }
    return time
  }
}

extension ValueSyntax<Duration> {
  /// `10s`, `50ms`: a time, not a count of samples.
  static let duration = ValueSyntax(name: "time") { (text: String) throws(InvalidValue) in
    do throws(InvalidValue) {
      let time = try ValueSyntax<TimePosition>.length.parse(text)
      if case .time(let duration) = time { return duration }
    } catch {
      // It recommends samples.
      if error.reason != TimePosition.malformed.reason { throw error }
    }
    throw InvalidValue("'\(text)' is not a time; give one, for example 10s or 50ms")
  }
}

extension ValueSyntax<DeviceLength> {
  /// The length of a period or a buffer of a device: `480`, `480S` or `10ms`.
  static let bufferLength = ValueSyntax(
    name: "length", isNumeric: true,
    otherwise: "it is a count of samples per channel, or a time with a unit as in 10ms"
  ) { text in
    let hasUnit = text.last?.isLetter == true
    // At most a minute, or 2^30 samples, which fit into ALSA's unsigned 32-bit counts.
    switch try? TimePosition(hasUnit ? text : text + "S") {
    case .samples(let count)? where (1...1 << 30).contains(count):
      return .samplesPerChannel(Int(count))
    case .time(let time)? where time > .zero && time <= .seconds(60): return .time(time)
    default: return nil
    }
  }
}

/// Silence around a source.
struct Padding: Sendable, Hashable {
  var before = TimePosition.samples(0)
  var behind: TimePosition
}

/// The move of a sound in time.
enum Shift: Sendable, Hashable {
  /// Silence in front of it.
  case later(TimePosition)
  /// Its beginning is left out.
  case earlier(TimePosition)
}

extension ValueSyntax<Shift> {
  /// `120ms`, `-120ms`.
  static let shift = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    text.hasPrefix("-")
      ? .earlier(try TimePosition(String(text.dropFirst()))) : .later(try TimePosition(text))
  }
}

extension ValueSyntax<Padding> {
  /// `2` at the end, `1,2` at the beginning and at the end.
  static let padding = ValueSyntax(name: "time", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    switch parts.count {
    case 1: return Padding(behind: try TimePosition(text))
    case 2:
      return Padding(
        before: try TimePosition(String(parts[0])), behind: try TimePosition(String(parts[1])))
    default: throw InvalidValue("padding is a time, or two: in front and at the end, as in 1,2")
    }
  }
}
