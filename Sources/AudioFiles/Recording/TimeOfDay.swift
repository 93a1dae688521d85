// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A time on the clock on the wall: `13:37`, `04:00:05.25`, `2026-05-02T04:00:05`, with `Z` or `+02:00` in another zone.
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

  fileprivate static let perSecond: Int64 = 1_000_000_000

  /// - Returns: nil if the text is no such time.
  package init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    day = nil
    if let space = rest.firstIndex(where: { $0 == "T" || $0 == " " || $0 == "_" }) {
      let numbers = rest[..<space].split(separator: "-", omittingEmptySubsequences: false)
        .map { Int($0) }
      guard numbers.count == 3, let year = numbers[0], let month = numbers[1],
        let number = numbers[2], (1_970..<10_000).contains(year), (1...12).contains(month),
        (1...31).contains(number)
      else { return nil }
      day = Day(year: year, month: month, day: number)
      rest = rest[rest.index(after: space)...]
    }
    offset = nil
    if rest.hasSuffix("Z") {
      offset = 0
      rest = rest.dropLast()
    } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let digits = rest[rest.index(after: sign)...].filter { $0 != ":" }
      guard digits.count == 4, let number = Int(digits), number % 100 < 60 else { return nil }
      let size = number / 100 * 3_600 + number % 100 * 60
      offset = rest[sign] == "-" ? -size : size
      rest = rest[..<sign]
    }
    let halves = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.count == 2 ? Int($0) : nil }
    guard (2...3).contains(fields.count), let hour = fields[0], let minute = fields[1],
      let second = fields.count == 3 ? fields[2] : 0, (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<61).contains(second), offset == nil || day != nil
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

  /// Returns the time in nanoseconds since 1970. Nil if it does not exist.
  ///
  /// - Parameters:
  ///   - earliest: a time of day without a date is the first one from here on.
  ///   - civilTime: the zone if none is given.
  package func time(from earliest: Int64, in civilTime: CivilTime = .local) -> Int64? {
    func time(_ day: Day, later: Int = 0) -> Int64? {
      let zone = offset == nil ? civilTime : .utc
      let whole = zone.time(
        year: day.year, month: day.month, day: day.day, seconds: seconds + later)
      return whole.map { Int64($0 - (offset ?? 0)) * Self.perSecond + nanoseconds }
    }
    if let day { return time(day) }
    let fields = unsafe civilTime.fields(at: Int(earliest.dividedDown(by: Self.perSecond)))
    let day = unsafe Day(
      year: Int(fields.tm_year) + 1_900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday))
    guard let today = time(day) else { return nil }
    return today >= earliest ? today : time(day, later: 86_400)
  }

  /// Finds the date and the time that a recorder wrote into a name, as `20260502_040000` or `2026-05-02T04-00-00`.
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
        if let found = TimeOfDay(text) {
          self = found
          return
        }
      }
    }
    return nil
  }
}

extension Metadata {
  /// The time of the first sample, in nanoseconds since 1970, and whether it is stated to more than a second: by `bext`,
  /// by `iXML`, or by GUANO. Nil if nothing states it.
  ///
  /// - Parameter sampleRate: of the file, in hertz.
  package func recordingTime(
    at sampleRate: Int, in civilTime: CivilTime = .local
  ) -> (time: Int64, isExact: Bool)? {
    if let time = broadcast?.recordingTime(at: self.sampleRate ?? sampleRate, in: civilTime) {
      return (time, true)
    }
    return timeOfDay?.time(from: 0, in: civilTime).map { ($0, $0 % TimeOfDay.perSecond != 0) }
  }

  /// The time in a GUANO chunk, or in an iXML chunk's object BEXT.
  ///
  /// Source: "GUANO Metadata Specification" 1.0 (github.com/riggsd/guano-spec): a line `Timestamp:` in a chunk `guan`.
  fileprivate var timeOfDay: TimeOfDay? {
    for chunk in chunks where chunk.identifier == "guan" {
      let text = String(decoding: chunk.content, as: UTF8.self)
      for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("Timestamp:") {
        let value = line.dropFirst("Timestamp:".count).drop { $0 == " " }
        if let time = TimeOfDay(value.prefix { $0 != "\r" && $0 != "\0" }) { return time }
      }
    }
    for chunk in chunks where chunk.identifier == "iXML" {
      let text = String(decoding: chunk.content, as: UTF8.self)
      if let date = Self.element("BWF_ORIGINATION_DATE", of: text),
        let time = Self.element("BWF_ORIGINATION_TIME", of: text),
        let found = TimeOfDay("\(date)T\(time)")
      {
        return found
      }
    }
    return nil
  }

  private static func element(_ name: String, of text: String) -> Substring? {
    let pieces = text.split(separator: "<")
    return pieces.first { $0.hasPrefix("\(name)>") }?.dropFirst(name.count + 1)
  }
}
