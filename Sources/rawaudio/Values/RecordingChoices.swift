// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The condition for a new part of a recording, as given on a command line.
enum SplitPoint: Sendable, Hashable {
  case limit(SplittingSink.Limit)
  /// After a length, at a quiet place or with an overlap.
  case cuts(CuttingSink.Cuts)
  /// Only on SIGUSR1.
  case signal
  /// At the marks or chapters of a file.
  case marks
  /// Each channel into a file of its own.
  case channels
}

extension ValueSyntax<SplitPoint> {
  /// `60`, `1:30`, `44100S`, `hour`, `15min`, `2GiB`, `700MB`, `event` or `signal`.
  static let splitPoint = ValueSyntax(name: "point", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    switch text.lowercased() {
    case "event": return .limit(.event)
    case "signal": return .signal
    case "marks": return .marks
    case "channels": return .channels
    default: break
    }
    if let interval = try ClockInterval(words: text) { return .limit(.clock(interval)) }
    if let size = try FileSize(text) { return .limit(.fileSize(size.bytes)) }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count > 1 { return .cuts(try CuttingSink.Cuts(String(parts[0]), parts.dropFirst())) }
    let time: TimePosition
    do throws(InvalidValue) {
      time = try TimePosition(text)
    } catch {
      throw InvalidValue(
        "it is a length (60, 1:30:00), a stretch of the clock (15min, hour, day), a size (2GiB, 700MB), 'event',"
          + " 'channels' or 'signal'")
    }
    switch time {
    case .samples(let count) where count < 1_000:
      throw InvalidValue("a part lasts 1000 samples at least, and this is \(count)")
    case .time(let duration) where duration < .milliseconds(10):
      throw InvalidValue("a part lasts 10 ms at least")
    default: return .limit(.duration(time))
    }
  }.offering("hour", "day", "15min", "event", "marks", "channels", "signal")
}

extension CuttingSink.Cuts {
  /// - Parameters:
  ///   - length: the length of a part.
  ///   - choices: `quiet=5`, `overlap=2`.
  fileprivate init(_ length: String, _ choices: ArraySlice<Substring>) throws(InvalidValue) {
    self.init(length: try ValueSyntax<TimePosition>.length.parse(length))
    for choice in choices {
      let words = choice.split(separator: "=", maxSplits: 1)
      guard words.count == 2 else { throw Self.unknown(choice) }
      let time = try ValueSyntax<TimePosition>.length.parse(String(words[1]))
      switch words[0] {
      case "quiet": quiet = time
      case "overlap": overlap = time
      default: throw Self.unknown(choice)
      }
    }
  }

  private static func unknown(_ choice: Substring) -> InvalidValue {
    InvalidValue("behind a length stands quiet=TIME or overlap=TIME, as in 30,quiet=5,overlap=2")
  }
}

extension ClockInterval {
  private static let units: [(names: [Substring], seconds: Int)] = [
    (["sec", "second", "seconds"], 1), (["min", "minute", "minutes"], 60),
    (["hour", "hours"], 3_600), (["day", "days"], 86_400),
  ]

  /// `hour`, `15min`, `6hours`, `day`: a stretch of the clock.
  ///
  /// - Returns: nil if the text does not end in the word for a unit. A one-letter unit makes a duration.
  init?(words text: String) throws(InvalidValue) {
    let text = text.lowercased()
    let number = text.prefix { $0.isASCII && $0.isNumber }
    let word = text.dropFirst(number.count)
    guard let unit = Self.units.first(where: { $0.names.contains(word) }) else { return nil }
    // A number beyond the range of integers is too long.
    let count = number.isEmpty ? 1 : Int(number) ?? .max
    guard count > 0 else { throw InvalidValue("a stretch of the clock is longer than nothing") }
    let perDay = 86_400 / unit.seconds
    guard count <= perDay else {
      throw InvalidValue(
        "a day is the longest stretch of the clock; for parts of one length write it as in 48:00:00"
      )
    }
    if perDay % count != 0 {
      let (less, more) = (
        (1...count).last { perDay % $0 == 0 }, (count...perDay).first { perDay % $0 == 0 }
      )
      let name = unit.names[0]
      throw InvalidValue(
        "a day is no whole number of them; take \(less ?? 1)\(name) or \(more ?? perDay)\(name), or for parts of one"
          + " length \(count)\(name.prefix(1))")
    }
    guard let interval = try? ClockInterval(seconds: count * unit.seconds) else { return nil }
    self = interval
  }
}

/// A number of bytes: `2GiB` (1024³), `700MB` (1000²), `1.5GB`.
struct FileSize: Sendable, Hashable {
  var bytes: Int64

  private static let units: [(name: String, bytes: Double)] = [
    ("kib", 0x1p10), ("mib", 0x1p20), ("gib", 0x1p30), ("tib", 0x1p40),
    ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12),
  ]

  /// - Returns: nil if the text does not end in a unit.
  init?(_ text: String) throws(InvalidValue) {
    let word = text.lowercased()
    guard let unit = Self.units.first(where: { word.hasSuffix($0.name) }) else { return nil }
    guard let number = Double(decimal: String(word.dropLast(unit.name.count))), number > 0,
      number * unit.bytes < 0x1p60
    else {
      throw InvalidValue("a size is a number above 0 and a unit, for example 2GiB, 700MB or 64KiB")
    }
    bytes = Int64((number * unit.bytes).rounded(.down))
  }
}

extension ValueSyntax where Value == FileSize {
  static let fileSize = ValueSyntax(name: "size", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    guard let size = try FileSize(text) else {
      throw InvalidValue("it is a number and a unit, for example 2GiB, 700MB or 64KiB")
    }
    return size
  }
}

/// The parts of a recording to keep, as given on a command line.
enum KeptParts: Sendable, Hashable {
  case age(Duration)
  /// In bytes.
  case size(Int64)
  /// The room to leave on the disk, in bytes.
  case free(Int64)
}

extension ValueSyntax<KeptParts> {
  private static var units: [(names: [Substring], hours: Double)] {
    [
      (["d", "day", "days"], 24), (["h", "hour", "hours"], 1), (["w", "week", "weeks"], 168),
      (["min", "minutes"], 1.0 / 60),
    ]
  }

  /// `30d`, `12h`, `2w`, `90min`, `500GiB`, `free=10GB`.
  static let keptParts = ValueSyntax(name: "how much", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    if text.hasPrefix("free=") {
      guard let size = try FileSize(String(text.dropFirst(5))) else {
        throw InvalidValue("free= is the room to leave on the disk, for example free=10GB")
      }
      return .free(size.bytes)
    }
    if let size = try FileSize(text) { return .size(size.bytes) }
    let word = text.lowercased()
    let number = word.prefix { !$0.isLetter }
    guard let unit = units.first(where: { $0.names.contains(word.dropFirst(number.count)) }),
      let count = Double(decimal: String(number)), count > 0, count * unit.hours < 1e6
    else {
      throw InvalidValue(
        "it is an age (30d, 12h, 2w, 90min), a size (500GiB, 700MB), or free= and a size (free=10GB)"
      )
    }
    return .age(.seconds(count * unit.hours * 3_600))
  }
}

/// The times when a file is forced onto the disk, as given on a command line.
enum SynchronizationKind: String, Sendable, CaseIterable {
  case never
  case end
  case always

  var synchronization: FileSynchronization {
    switch self {
    case .never: .never
    case .end: .onCompletion
    case .always: .regularly
    }
  }
}

/// The action for a gap in a recording.
enum OnXrun: String, Sendable, CaseIterable {
  /// Silence replaces the lost samples.
  case fill
  /// Silence replaces the lost samples. A mark is put into the file, and a line is printed on standard error.
  case mark
  /// The recording fails. The samples before the gap are kept.
  case fail
}

/// An incident in a completed run that `--fail-on` makes a failure (exit 2).
enum FailureCondition: String, Sendable, CaseIterable {
  /// Samples were beyond full scale and saturated.
  case clip
  /// A device overran or underran.
  case xrun
  /// An input was shorter than its header claims.
  case truncated
  /// An input ended before its requested part.
  case short
  /// The output lacks metadata of a source.
  case metadata
  /// The true peak did not allow the requested loudness.
  case loudness
}

extension ValueSyntax<Set<FailureCondition>> {
  static let failureConditions = ValueSyntax(
    name: "condition", choices: FailureCondition.allCases.map(\.rawValue),
    otherwise:
      "the conditions are clip, xrun, truncated, short, metadata and loudness, separated by commas"
  ) { text in
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let conditions = words.compactMap { FailureCondition(rawValue: $0.lowercased()) }
    return conditions.count == words.count ? Set(conditions) : nil
  }.offering { .list(FailureCondition.allCases.map(\.rawValue), in: $0) }
}
