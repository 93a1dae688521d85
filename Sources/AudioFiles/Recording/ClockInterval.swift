// SPDX-License-Identifier: Apache-2.0
/// Equal stretches of the day by the wall clock: every hour, every 15 minutes, every day.
///
/// A stretch begins at each whole multiple of its length since midnight. A stretch is shorter at the start of summer
/// time and longer at its end: such a day has 23 or 25 hours. Only stretches of over an hour get longer: the hour that
/// occurs twice counts as two stretches of an hour.
public struct ClockInterval: Sendable, Hashable, Comparable {
  /// The usual length of a stretch.
  public let seconds: Int

  public static let hour = ClockInterval(unchecked: 3_600)
  public static let day = ClockInterval(unchecked: dayLength)

  static let dayLength = 86_400

  private init(unchecked seconds: Int) { self.seconds = seconds }

  /// - Parameter seconds: from 1 to 86,400, the length of a day.
  /// - Throws: `invalidParameter` if a day is not a whole number of stretches.
  public init(seconds: Int) throws(AudioError) {
    guard seconds > 0, Self.dayLength % seconds == 0 else {
      throw AudioError(
        .invalidParameter, cannot: "split every", "\(seconds) s",
        because: "a day is no whole number of them",
        advice: "take a length that divides a day evenly")
    }
    self.seconds = seconds
  }

  /// Identifies the stretch of an instant.
  struct Stretch: Hashable {
    /// Since the first of 1970, by civil time.
    var number: Int
    /// The offset from UTC, which tells the two passes of a repeated hour apart; 0 for stretches of over an hour.
    var offset: Int
  }

  /// - Parameter time: in seconds since 1970.
  func stretch(at time: Int, in zone: CivilTime) -> Stretch {
    let offset = zone.offset(at: time)
    return Stretch(
      number: (time + offset).dividedDown(by: seconds),
      offset: seconds <= Self.hour.seconds ? offset : 0)
  }

  /// The end of an instant's stretch: the first second of the next one.
  ///
  /// - Parameter time: in seconds since 1970.
  func end(after time: Int, in zone: CivilTime) -> Int {
    let present = stretch(at: time, in: zone)
    var from = time
    // A zone may change its offset within a stretch, hardly ever twice.
    for _ in 0..<8 {
      let offset = zone.offset(at: from)
      let local = from + offset
      let candidate = from + seconds - (local - local.dividedDown(by: seconds) * seconds)
      let next =
        zone.offset(at: candidate) == offset
        ? candidate : change(of: offset, between: from, and: candidate, in: zone)
      if stretch(at: next, in: zone) != present { return next }
      from = next
    }
    return from + seconds
  }

  /// The first second between two times with another offset.
  private func change(of offset: Int, between first: Int, and last: Int, in zone: CivilTime) -> Int
  {
    var before = first
    var after = last
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if zone.offset(at: middle) == offset { before = middle } else { after = middle }
    }
    return after
  }

  public static func < (one: ClockInterval, other: ClockInterval) -> Bool {
    one.seconds < other.seconds
  }
}
