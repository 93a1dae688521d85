// SPDX-License-Identifier: Apache-2.0
/// The times of day at which to record.
package struct RecordingSchedule: Sendable, Hashable {
  /// The begin or the end of a window.
  package enum Bound: Sendable, Hashable {
    /// A time on the clock, in seconds since midnight; 86,400 at most.
    case clock(Int)
    /// A moment of the sun's day, and the seconds from it to the bound.
    case sun(SunTimes.Event, offset: Int)

    fileprivate var offset: Int { if case .sun(_, let offset) = self { offset } else { 0 } }
  }

  /// A stretch of each day. It may go over midnight.
  package struct Window: Sendable, Hashable {
    package var begin: Bound
    package var end: Bound

    package init(_ begin: Bound, _ end: Bound) {
      self.begin = begin
      self.end = end
    }

    package var needsSun: Bool {
      switch (begin, end) {
      case (.clock, .clock): false
      default: true
      }
    }
  }

  /// Whether it is time to record, and the second at which that changes; nil = never, for all that a year shows.
  package enum State: Sendable, Hashable {
    case open(until: Int?)
    case closed(until: Int?)

    package var isOpen: Bool { if case .open = self { true } else { false } }

    package var end: Int? {
      switch self {
      case .open(until: let end), .closed(until: let end): end
      }
    }
  }

  private static let day = 86_400
  /// A window between the sun and the clock that is usually so much shorter than nothing is one of some seasons, as
  /// `07:00..sunrise` is one of winter. One that is shorter still ends on the next day. In seconds.
  private static let longestInversion = 6 * 3_600

  private let windows: [Window]
  private let sun: SunTimes?
  private let civilTime: CivilTime

  /// - Parameters:
  ///   - sun: the place; nil = no bound needs it.
  ///   - civilTime: the zone of times on the clock.
  package init(_ windows: [Window], sun: SunTimes?, in civilTime: CivilTime) {
    self.windows = windows
    self.sun = sun
    self.civilTime = civilTime
  }

  /// - Parameter time: in seconds since 1970.
  package func state(at time: Int) -> State {
    // Most windows come daily; those of the sun may be a winter away.
    for days in [2, 16, 400] {
      let last = time + days * Self.day
      let openings = openings(between: time, and: last)
      if let present = openings.first(where: { $0.contains(time) }) {
        if present.upperBound < last { return .open(until: present.upperBound) }
      } else if let next = openings.first(where: { $0.lowerBound > time }) {
        return .closed(until: next.lowerBound)
      } else if days == 400 {
        return .closed(until: nil)
      }
    }
    return .open(until: nil)
  }

  /// The stretches in which to record that touch a range, in order and apart, in seconds since 1970. The last may end
  /// later than stated if it reaches behind `last`.
  package func openings(between first: Int, and last: Int) -> [Range<Int>] {
    var all: [Range<Int>] = []
    for window in windows { all += occurrences(of: window, between: first, and: last) }
    all = all.filter { $0.upperBound > first && $0.lowerBound <= last }
    all.sort { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int>] = []
    for range in all {
      // The noon that ends a day of the polar night begins the next, but for rounding.
      guard let before = joined.last, range.lowerBound <= before.upperBound + 1 else {
        joined.append(range)
        continue
      }
      joined[joined.count - 1] = before.lowerBound..<max(before.upperBound, range.upperBound)
    }
    return joined
  }

  private func occurrences(
    of window: Window, between first: Int, and last: Int
  ) -> [Range<Int>] {
    // No window is longer than three days, offsets included.
    let days = (first.dividedDown(by: Self.day) - 3)...(last.dividedDown(by: Self.day) + 2)
    // Two moments of the sun that fall together may be a second apart by rounding.
    let shortest = window.needsSun ? 2 : 1
    return days.flatMap { day in
      times(of: window.begin, onDay: day).compactMap { begin in
        end(of: window, from: begin, onDay: day).flatMap {
          $0 >= begin + shortest ? begin..<$0 : nil
        }
      }
    }
  }

  /// The end of the window that begins at `begin`; nil if it has none.
  private func end(of window: Window, from begin: Int, onDay day: Int) -> Int? {
    let usual = usualTime(of: window.end, at: begin) - usualTime(of: window.begin, at: begin)
    switch (window.begin, window.end) {
    case (.clock(let first), .clock(let last)):
      // Clocks that are put forward over both come to both at once.
      let earliest = first < last ? begin : begin + 1
      return (day...(day + 3)).lazy.flatMap { times(of: window.end, onDay: $0) }
        .first { $0 >= earliest }
    case (.sun, .sun):
      // The events of one day of the sun belong together, also where they lie far from their usual times.
      let end = usual <= -Self.longestInversion ? day + 1 : day
      return times(of: window.end, onDay: end).first
    default:
      let lowest = -Self.longestInversion + 1
      let length = lowest + ((usual - lowest) % Self.day + Self.day) % Self.day
      let wanted = begin + length + window.end.offset - window.begin.offset
      let near = wanted.dividedDown(by: Self.day)
      return ((near - 2)...(near + 2)).flatMap { times(of: window.end, onDay: $0) }
        .min { abs($0 - wanted) < abs($1 - wanted) }
    }
  }

  /// The time of a bound without its offset where the sun rises at six and sets at eighteen, in seconds since midnight
  /// UTC; may be a day off.
  private func usualTime(of bound: Bound, at time: Int) -> Int {
    switch bound {
    case .clock(let seconds): seconds - civilTime.offset(at: time)
    case .sun(let event, _): event.usualTime - Int((sun?.longitude ?? 0) * 240)
    }
  }

  /// The times of a bound on a day: none or one, or two on a day on which clocks are put back.
  private func times(of bound: Bound, onDay day: Int) -> [Int] {
    switch bound {
    case .clock(let seconds): civilTime.times(passing: day * Self.day + seconds)
    case .sun(let event, let offset):
      sun.map { [$0.time(of: event, onDay: day) + offset] } ?? []
    }
  }
}

extension CivilTime {
  /// The seconds since 1970 at which clocks come to show a time, in order: two if they are put back over it. Where they
  /// are put forward over it, the second at which that happens.
  ///
  /// - Parameter wall: the time that clocks show, as the seconds since 1970 at which UTC shows it.
  fileprivate func times(passing wall: Int) -> [Int] {
    // The offset changes hardly ever twice within two days.
    let offsets = Set([-86_400, 0, 86_400].map { offset(at: wall + $0) })
    let times = offsets.map { wall - $0 }.filter { $0 + offset(at: $0) == wall }.sorted()
    guard times.isEmpty, let least = offsets.min(), let most = offsets.max() else { return times }
    var (before, after) = (wall - most - 1, wall - least)
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if middle + offset(at: middle) < wall { before = middle } else { after = middle }
    }
    return [after]
  }

  /// A whole second as RFC 3339 writes it: `2026-03-29T02:00:00+01:00`.
  package func text(ofSecond second: Int) -> String {
    let zone = text("%z", at: second)
    return "\(text("%Y-%m-%dT%H:%M:%S", at: second))\(zone.prefix(3)):\(zone.suffix(2))"
  }
}

/// The state of a schedule at times that mostly go on. One thread at a time.
struct ScheduleReader {
  private let schedule: RecordingSchedule
  private var known: (since: Int, state: RecordingSchedule.State)?

  init(_ schedule: RecordingSchedule) { self.schedule = schedule }

  /// - Parameter second: since 1970.
  mutating func state(at second: Int) -> RecordingSchedule.State {
    if let known, second >= known.since, second < known.state.end ?? .max { return known.state }
    let state = schedule.state(at: second)
    known = (second, state)
    return state
  }
}
