// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Windows of the day as given on a command line: `04:00-09:00,sunset-30m..sunrise+30m`.
struct RecordingWindows: Sendable, Hashable {
  var windows: [RecordingSchedule.Window]
}

extension ValueSyntax<RecordingWindows> {
  static let recordingWindows = ValueSyntax(name: "windows") {
    (text: String) throws(InvalidValue) in
    var windows: [RecordingSchedule.Window] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      windows.append(try .init(part))
    }
    return RecordingWindows(windows: windows)
  }.offering("sunset..sunrise", "sunrise..sunset", "dusk..dawn", "dawn..dusk")
}

extension RecordingSchedule.Window {
  /// Parses two bounds with `..` between them, or two times of day with `-`.
  fileprivate init(_ text: Substring) throws(InvalidValue) {
    guard let (begin, end) = Self.halves(of: text) else { throw Self.malformed }
    self.init(try .init(begin), try .init(end))
    let isEmpty =
      switch (self.begin, self.end) {
      case (.clock(let begin), .clock(let end)): begin == end
      case (.sun(let one, let begin), .sun(let other, let end)): one == other && begin >= end
      default: false
      }
    if isEmpty {
      throw InvalidValue("'\(text)' is never; the whole day is 00:00-24:00")
    }
  }

  private static func halves(of text: Substring) -> (Substring, Substring)? {
    for index in text.indices {
      let rest = text[index...]
      if rest.hasPrefix("..") { return (text[..<index], rest.dropFirst(2)) }
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.first?.isNumber == true }) else { return nil }
    return (parts[0], parts[1])
  }

  fileprivate static var malformed: InvalidValue {
    InvalidValue(
      "a window is 04:00-09:00, or from one bound to another, as in sunset-30m..sunrise+1h15m or 22:00..dawn"
    )
  }
}

extension RecordingSchedule.Bound {
  /// In seconds. The sun moves by a quarter of its day in that time.
  private static let longestOffset = 6 * 3_600

  /// Parses a time of day, or a moment of the sun's day with an offset.
  fileprivate init(_ text: Substring) throws(InvalidValue) {
    let word = text.prefix { $0 != "+" && $0 != "-" }
    guard let event = SunTimes.Event(rawValue: String(word)) else {
      guard let seconds = Self.timeOfDay(text) else { throw RecordingSchedule.Window.malformed }
      self = .clock(seconds)
      return
    }
    let rest = text[word.endIndex...]
    guard let sign = rest.first else {
      self = .sun(event, offset: 0)
      return
    }
    let size = try ValueSyntax<Duration>.duration.parse(String(rest.dropFirst()))
    let seconds = size.components.seconds
    guard size == .seconds(seconds), seconds <= Self.longestOffset else {
      throw InvalidValue("'\(rest)' is not a whole number of seconds up to 6h")
    }
    self = .sun(event, offset: Int(sign == "-" ? -seconds : seconds))
  }

  /// Seconds since midnight; nil if it is no time from `00:00` to `24:00`.
  private static func timeOfDay(_ text: Substring) -> Int? {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.count == 2 && $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard (2...3).contains(fields.count), let hour = fields[0], let minute = fields[1],
      let second = fields.count == 3 ? fields[2] : 0, minute < 60, second < 60
    else { return nil }
    let seconds = hour * 3_600 + minute * 60 + second
    return seconds <= 86_400 ? seconds : nil
  }
}

/// A place on the Earth, in degrees of WGS 84: north and east are positive.
struct Location: Sendable, Hashable {
  var latitude: Double
  var longitude: Double
  /// The two numbers as they were given.
  fileprivate(set) var texts: [String]
}

extension ValueSyntax<Location> {
  /// `52.5,13.4`.
  static let location = ValueSyntax(
    name: "latitude,longitude", isNumeric: true,
    otherwise:
      "a location is its latitude and longitude in degrees, as in 52.5,13.4 or -36.85,174.76"
  ) { text in
    let texts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let numbers = texts.compactMap { Double(decimal: $0) }
    guard texts.count == 2, numbers.count == 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180
    else { return nil }
    return Location(latitude: numbers[0], longitude: numbers[1], texts: texts)
  }
}

extension Location {
  /// The value of GUANO's field `Loc Position`.
  var guanoPosition: String { texts.joined(separator: " ") }
}
