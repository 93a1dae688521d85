// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A time on the clock on the wall: `13:37`, `04:00:05.25`, `2026-05-02T04:00:05`, with `Z`, `+02:00`, `+0200` or `-03`
/// in another zone.
package struct TimeOfDay: Sendable, Hashable {
  private struct Day: Sendable, Hashable {
    var (year, month, day): (Int, Int, Int)

    static func == (one: Day, other: Day) -> Bool {
      (one.year, one.month, one.day) == (other.year, other.month, other.day)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(year)
      hasher.combine(month)
      hasher.combine(day)
    }
  }

  private var day: Day?
  /// Since midnight.
  private var seconds: Int
  private var nanoseconds: Int64
  /// From UTC, in seconds. Nil = that of a ``CivilTime``.
  private var offset: Int?

  static let perSecond: Int64 = 1_000_000_000

  /// - Returns: nil if the text is no such time.
  package init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    day = nil
    if let space = rest.firstIndex(where: { $0 == "T" || $0 == " " || $0 == "_" }) {
      let numbers = rest[..<space].split(separator: "-", omittingEmptySubsequences: false)
        .map { Int($0) }
      guard numbers.count == 3, let year = numbers[0], let month = numbers[1],
        let number = numbers[2], (1_970..<CivilTime.years.upperBound).contains(year),
        (1...12).contains(month),
        (1...31).contains(number)
      else { return nil }
      day = Day(year: year, month: month, day: number)
      rest = rest[rest.index(after: space)...]
    }
    (rest, offset) = Self.withoutZone(rest)
    let halves = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.count == 2 ? Int($0) : nil }
    guard (2...3).contains(fields.count), let hour = fields[0], let minute = fields[1],
      let second = fields.count == 3 ? fields[2] : 0, (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<61).contains(second)
    else { return nil }
    seconds = hour * 3_600 + minute * 60 + second
    nanoseconds = 0
    if halves.count == 2 {
      let digits = halves[1]
      guard fields.count == 3, (1...9).contains(digits.count), let number = Int64(digits),
        number >= 0
      else { return nil }
      nanoseconds = (digits.count..<9).reduce(number) { value, _ in value * 10 }
    }
  }

  /// Splits off a zone at the end of a text, and a blank in front of it.
  private static func withoutZone(_ text: Substring) -> (Substring, offset: Int?) {
    guard let sign = text.lastIndex(where: { "+-Zz".contains($0) }), sign > text.startIndex,
      let (offset, end) = zone(text[sign...]), end == text.endIndex
    else { return text.hasSuffix(" UTC") ? (text.dropLast(4), 0) : (text, nil) }
    let time = text[..<sign]
    return (time.last == " " ? time.dropLast() : time, offset)
  }

  /// The offset from UTC, in seconds, with which a text begins, and its end: `Z`, `+02:00`, `+0200` or `-03`.
  static func zone(_ text: Substring) -> (offset: Int, end: Substring.Index)? {
    guard let sign = text.first else { return nil }
    var rest = text.dropFirst()
    if sign == "Z" || sign == "z" {
      let isWord = rest.first.map { $0.isLetter || $0.isNumber } ?? false
      return isWord ? nil : (0, rest.startIndex)
    }
    guard sign == "+" || sign == "-" else { return nil }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest[digits.endIndex...]
    var fields = [digits]
    if digits.count == 4 {
      fields = [digits.prefix(2), digits.suffix(2)]
    } else if digits.count == 2, rest.first == ":" {
      let minutes = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      fields.append(minutes)
      rest = rest[minutes.endIndex...]
    }
    let numbers = fields.map { $0.count == 2 ? Int($0) : nil }
    guard let hours = numbers[0], let minutes = numbers.count == 2 ? numbers[1] : 0,
      hours <= (sign == "-" ? 12 : 14), minutes < 60
    else { return nil }
    let offset = hours * 3_600 + minutes * 60
    return (sign == "-" ? -offset : offset, rest.startIndex)
  }

  /// The time that a clock in its zone shows, in nanoseconds, as if it were UTC. Nil without a date.
  var stated: RecordedTime? {
    guard let day,
      let wall = CivilTime.utc(
        year: day.year, month: day.month, day: day.day, seconds: seconds)
    else { return nil }
    return RecordedTime(
      wall: Int64(wall) * Self.perSecond + nanoseconds, offset: offset, isExact: nanoseconds != 0)
  }

  /// Returns the first such time from a moment on, in nanoseconds since 1970. A time with a date may also lie before.
  ///
  /// - Parameters:
  ///   - earliest: in nanoseconds since 1970.
  ///   - civilTime: the zone if none is given.
  /// - Returns: nil if clocks never show it, because they are put forward over it.
  package func time(from earliest: Int64, in civilTime: CivilTime = .local) -> Int64? {
    if let stated {
      let times = stated.times(in: civilTime)
      return times.first { $0 >= earliest } ?? times.last
    }
    let zone = offset.map { CivilTime.fixed($0) } ?? civilTime
    let second = Int(earliest.dividedDown(by: Self.perSecond))
    let midnight = (second + zone.offset(at: second)).dividedDown(by: 86_400) * 86_400
    for day in -1...2 {
      let wall = Int64(midnight + day * 86_400 + seconds) * Self.perSecond + nanoseconds
      let times = RecordedTime(wall: wall, offset: offset, isExact: true).times(in: zone)
      if let time = times.first(where: { $0 >= earliest }) { return time }
      // Clocks are put forward over it: the next day's would be another time.
      let before = Int64(zone.offset(at: second)) * Self.perSecond
      if times.isEmpty, wall - before >= earliest { return nil }
    }
    return nil
  }

  /// Finds the date and the time that a recorder wrote into a name, as `20260502_040000` or `2026-05-02T04-00-00`, with
  /// or without a zone behind it.
  ///
  /// - Parameter name: a file's name.
  package init?(inName name: String) {
    let digits = name.split { !($0.isASCII && $0.isNumber) }
    for index in digits.indices {
      // A date in one piece or in three, and a time in one piece or in three.
      for (date, time) in [
        ([8], [6]), ([8], [2, 2, 2]), ([4, 2, 2], [6]), ([4, 2, 2], [2, 2, 2]), ([14], []),
      ] {
        let sizes = date + time
        guard index + sizes.count <= digits.count else { continue }
        let pieces = digits[index..<index + sizes.count]
        guard zip(pieces, sizes).allSatisfy({ $0.count == $1 }) else { continue }
        let all = Array(pieces.joined())
        func number(_ range: Range<Int>) -> String { String(all[range]) }
        let text =
          "\(number(0..<4))-\(number(4..<6))-\(number(6..<8))T\(number(8..<10)):\(number(10..<12)):\(number(12..<14))"
        if var found = TimeOfDay(text) {
          found.offset = pieces.last.flatMap { Self.zone(name[$0.endIndex...])?.offset }
          self = found
          return
        }
      }
    }
    return nil
  }
}
