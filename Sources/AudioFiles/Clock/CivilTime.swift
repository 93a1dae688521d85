// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The zone in which the time of day is read: the machine's, or UTC.
public struct CivilTime: Sendable, Hashable {
  /// A time from which another offset holds.
  struct Change: Sendable, Hashable {
    /// In seconds since 1970.
    var time: Int
    /// The offset of civil time from UTC after it, in seconds.
    var offset: Int
  }

  private enum Rule: Sendable, Hashable {
    case local
    case utc
    /// The changes, in order.
    case table(first: Int, [Change])
  }

  private let rule: Rule

  /// The time zone of the machine, or of the environment variable `TZ`.
  public static let local = CivilTime(rule: .local)
  /// Coordinated universal time, which has no summer.
  public static let utc = CivilTime(rule: .utc)

  private init(rule: Rule) { self.rule = rule }

  /// A custom zone.
  ///
  /// - Parameters:
  ///   - first: the offset from UTC before the first change, in seconds.
  ///   - changes: in order.
  init(offset first: Int, then changes: [Change]) { rule = .table(first: first, changes) }

  /// The offset from UTC, in seconds.
  ///
  /// - Parameter time: in seconds since 1970.
  func offset(at time: Int) -> Int { unsafe fields(at: time).tm_gmtoff }

  /// Date and time of day. The corresponding C functions are `localtime_r` and `gmtime_r`.
  func fields(at time: Int) -> tm {
    var fields = unsafe tm()
    var seconds = time_t(time)
    switch rule {
    case .local: unsafe localtime_r(&seconds, &fields)
    case .utc: unsafe gmtime_r(&seconds, &fields)
    case .table(let first, let changes):
      let offset = changes.last { $0.time <= time }?.offset ?? first
      seconds += offset
      unsafe gmtime_r(&seconds, &fields)
      unsafe fields.tm_gmtoff = offset
    }
    return unsafe fields
  }

  /// The time of day in seconds since midnight.
  ///
  /// - Parameter time: in nanoseconds since 1970.
  package func secondsOfDay(at time: Int64) -> Double {
    let perSecond: Int64 = 1_000_000_000
    let whole = time.dividedDown(by: perSecond)
    let local = unsafe fields(at: Int(whole))
    let seconds = unsafe Int(local.tm_hour) * 3_600 + Int(local.tm_min) * 60 + Int(local.tm_sec)
    return Double(seconds) + Double(time - whole * perSecond) / Double(perSecond)
  }

  /// Returns a conversion's text from `strftime`.
  func text(_ conversion: String, at time: Int) -> String {
    // strftime reads the fields as local time to compute these seconds.
    if conversion == "%s" { return "\(time)" }
    var fields = unsafe fields(at: time)
    return unsafe Self.text(conversion, &fields)
  }

  /// The corresponding C function is `strftime`.
  static func text(_ conversion: String, _ fields: inout tm) -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = unsafe strftime(&bytes, bytes.count, conversion, &fields)
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// An offset from UTC in seconds, as a text: `+02:00`.
  static func zoneText(_ offset: Int) -> String {
    let minutes = Int(offset.magnitude) / 60
    return
      "\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
  }

  /// The seconds since 1970 at which clocks show a time, in order: two if they are put back over it, none if they are
  /// put forward over it.
  ///
  /// - Parameter wall: the time that clocks show, as the seconds since 1970 at which UTC shows it.
  func times(showing wall: Int) -> [Int] {
    // The offset changes hardly ever twice within two days.
    let offsets = Set([-Self.dayLength, 0, Self.dayLength].map { offset(at: wall + $0) })
    return offsets.map { wall - $0 }.filter { $0 + offset(at: $0) == wall }.sorted()
  }

  /// The first of ``times(showing:)``. A time over which clocks are put forward is read by the offset before.
  func time(showing wall: Int) -> Int {
    times(showing: wall).first ?? wall - offset(at: wall - Self.dayLength)
  }

  private static let dayLength = 86_400

  /// A zone with one offset from UTC, in seconds.
  static func fixed(_ offset: Int) -> CivilTime { CivilTime(offset: offset, then: []) }

  /// The years whose times have nanoseconds since 1970 in 64 bits.
  static let years = 1_700..<2_200

  /// The seconds since 1970 at which UTC shows a date and a time of day. The corresponding C function is `timegm`.
  ///
  /// - Parameter seconds: since midnight, also of the next day.
  /// - Returns: nil if the date is out of range.
  static func utc(year: Int, month: Int, day: Int, seconds: Int) -> Int? {
    guard years.contains(year), (1...12).contains(month), (1...31).contains(day),
      (0..<2 * 86_400).contains(seconds)
    else { return nil }
    var fields = unsafe tm()
    unsafe fields.tm_year = Int32(clamping: year - 1_900)
    unsafe fields.tm_mon = Int32(month - 1)
    unsafe fields.tm_mday = Int32(day)
    unsafe fields.tm_sec = Int32(seconds)
    return unsafe timegm(&fields)
  }

  /// A time for people and programs: `2026-03-29T02:00:00.250+01:00`, as RFC 3339 writes it.
  ///
  /// - Parameter nanoseconds: since 1970; rounded down to milliseconds.
  public func description(of nanoseconds: Int64) -> String {
    let perSecond: Int64 = 1_000_000_000
    let seconds = nanoseconds.dividedDown(by: perSecond)
    let thousandths = ((nanoseconds - seconds * perSecond) / 1_000_000).padded(to: 3)
    let time = text("%Y-%m-%dT%H:%M:%S", at: Int(seconds))
    return "\(time).\(thousandths)\(Self.zoneText(offset(at: Int(seconds))))"
  }
}

extension FixedWidthInteger {
  /// The quotient, rounded down.
  func dividedDown(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
