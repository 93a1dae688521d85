// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// Windows of the day, in Berlin in 2026, whose clocks go forward on 29 March and back on 25 October.
@Suite struct RecordingScheduleTests {
  private typealias Window = RecordingSchedule.Window
  private typealias Bound = RecordingSchedule.Bound
  private static let berlin = SunTimes(latitude: 52.5, longitude: 13.4)
  private static let arctic = SunTimes(latitude: 80, longitude: 0)

  private static func clock(_ hour: Int, _ minute: Int = 0) -> Bound {
    .clock(hour * 3_600 + minute * 60)
  }

  /// The stretches that touch a day of UTC: `28 04:00 +0100 to 28 09:00 +0100`.
  private func openings(
    _ windows: (Bound, Bound)..., on month: Int, _ day: Int, hours: Int = 24,
    from hour: Int = 0, sun: SunTimes? = berlin, in zone: CivilTime = .berlin
  ) -> [String] {
    let schedule = RecordingSchedule(windows.map { Window($0, $1) }, sun: sun, in: zone)
    let first = CivilTime.utc2026(month, day, hour)
    return schedule.openings(between: first, and: first + hours * 3_600).map { range in
      let (begin, end) = (range.lowerBound, range.upperBound)
      return "\(zone.text("%d %H:%M %z", at: begin)) to \(zone.text("%d %H:%M %z", at: end))"
    }
  }

  @Test func windowsByTheClock() {
    #expect(
      openings((Self.clock(4), Self.clock(9)), on: 2, 10) == ["10 04:00 +0100 to 10 09:00 +0100"])
    #expect(
      openings((.clock(0), .clock(1)), on: 2, 10, in: .utc)
        == ["10 00:00 +0000 to 10 00:00 +0000", "11 00:00 +0000 to 11 00:00 +0000"])
    // Over midnight.
    #expect(
      openings((Self.clock(22), Self.clock(4)), on: 2, 10) == [
        "09 22:00 +0100 to 10 04:00 +0100", "10 22:00 +0100 to 11 04:00 +0100",
      ])
    // To midnight, and from there.
    #expect(
      openings(
        (Self.clock(23), Self.clock(24)), (Self.clock(0), Self.clock(0, 30)), on: 2, 10, hours: 20,
        from: 3) == ["10 23:00 +0100 to 11 00:30 +0100"])
  }

  @Test func overlappingWindowsAreOne() {
    #expect(
      openings(
        (Self.clock(5), Self.clock(7)), (Self.clock(4), Self.clock(6)),
        (Self.clock(7), Self.clock(8)), (Self.clock(10), Self.clock(11)), on: 2, 10) == [
          "10 04:00 +0100 to 10 08:00 +0100", "10 10:00 +0100 to 10 11:00 +0100",
        ])
  }

  /// The hour from two to three does not exist.
  @Test func clocksGoForward() {
    func night(_ begin: Bound, _ end: Bound) -> [String] {
      openings((begin, end), on: 3, 28, hours: 6, from: 22)
    }
    #expect(night(Self.clock(2, 15), Self.clock(2, 45)) == [])
    #expect(
      night(Self.clock(1, 30), Self.clock(2, 30)) == ["29 01:30 +0100 to 29 03:00 +0200"])
    #expect(night(Self.clock(2, 30), Self.clock(5)) == ["29 03:00 +0200 to 29 05:00 +0200"])
    #expect(night(Self.clock(1), Self.clock(4)) == ["29 01:00 +0100 to 29 04:00 +0200"])
  }

  /// The hour from two to three comes twice.
  @Test func clocksGoBack() {
    func night(_ begin: Bound, _ end: Bound) -> [String] {
      openings((begin, end), on: 10, 24, hours: 7, from: 22)
    }
    #expect(
      night(Self.clock(2, 15), Self.clock(2, 45)) == [
        "25 02:15 +0200 to 25 02:45 +0200", "25 02:15 +0100 to 25 02:45 +0100",
      ])
    #expect(night(Self.clock(1), Self.clock(2, 30)) == ["25 01:00 +0200 to 25 02:30 +0200"])
    #expect(night(Self.clock(2, 30), Self.clock(5)) == ["25 02:30 +0200 to 25 05:00 +0100"])
    #expect(night(Self.clock(1), Self.clock(4)) == ["25 01:00 +0200 to 25 04:00 +0100"])
  }

  @Test func utcHasNoSummer() {
    #expect(
      openings((Self.clock(2), Self.clock(3)), on: 3, 29, in: .utc) == [
        "29 02:00 +0000 to 29 03:00 +0000"
      ])
  }

  @Test func windowsByTheSun() {
    let day = CivilTime.utc2026(5, 2, 0) / 86_400
    let schedule = RecordingSchedule(
      [Window(.sun(.sunset, offset: -1_800), .sun(.sunrise, offset: 1_800))], sun: Self.berlin,
      in: .berlin)
    let noon = CivilTime.utc2026(5, 2, 12)
    let found = schedule.openings(between: noon, and: noon + 86_400)
    #expect(
      found == [
        Self.berlin.time(of: .sunset, onDay: day) - 1_800..<Self.berlin.time(
          of: .sunrise, onDay: day + 1) + 1_800
      ])
    #expect(schedule.state(at: noon) == .closed(until: found[0].lowerBound))
    #expect(schedule.state(at: found[0].lowerBound) == .open(until: found[0].upperBound))
    #expect(!schedule.state(at: found[0].upperBound).isOpen)
  }

  /// Windows between the clock and the sun exist in some seasons only.
  @Test func windowsOfSomeSeasons() {
    func length(_ begin: Bound, _ end: Bound, _ month: Int, latitude: Double = 52.5) -> [Int] {
      let sun = SunTimes(latitude: latitude, longitude: 13.4)
      let schedule = RecordingSchedule([Window(begin, end)], sun: sun, in: .berlin)
      let noon = CivilTime.utc2026(month, 21, 12)
      return schedule.openings(between: noon, and: noon + 86_000)
        .map { ($0.upperBound - $0.lowerBound) / 1_800 }
    }
    let (sunrise, sunset) = (Bound.sun(.sunrise, offset: 0), Bound.sun(.sunset, offset: 0))
    // In half hours. The sun of Berlin rises at 4:43 in June, and at 8:15 in December.
    #expect(length(Self.clock(5), sunrise, 6) == [])
    #expect(length(Self.clock(5), sunrise, 12) == [6])
    #expect(length(Self.clock(22), sunrise, 6) == [13])
    #expect(length(Self.clock(22), sunrise, 12) == [20])
    // At 66° north it rises at 10:41 and sets at 13:27 in December, and not before midnight in June.
    #expect(length(Self.clock(20), sunrise, 12, latitude: 66) == [29])
    #expect(length(sunset, Self.clock(23), 12, latitude: 66).first == 19)
    #expect(length(sunset, Self.clock(23), 6, latitude: 66) == [])
  }

  /// Where the sun does not rise the night lasts all day, and where it does not set there is none.
  @Test func polarDayAndNight() throws {
    func state(_ begin: SunTimes.Event, _ end: SunTimes.Event, _ month: Int, _ day: Int) throws
      -> RecordingSchedule.State
    {
      let schedule = RecordingSchedule(
        [Window(.sun(begin, offset: 0), .sun(end, offset: 0))], sun: Self.arctic, in: .utc)
      return schedule.state(at: try #require(CivilTime.utc.midnight(2015, month, day)) + 43_200)
    }
    /// Whether the state changes within ten minutes of a time of a table.
    func changes(_ state: RecordingSchedule.State, _ month: Int, _ day: Int, _ time: Int) throws
      -> Bool
    {
      let midnight = try #require(CivilTime.utc.midnight(2015, month, day))
      let published = midnight + time / 100 * 3_600 + time % 100 * 60
      return abs(try #require(state.end) - published) <= 600
    }
    // USNO, N80 in 2015: it rises on 21 February at 11:21, and sets on 30 August at 23:01.
    let (night, noNight) = try (state(.sunset, .sunrise, 1, 15), state(.sunset, .sunrise, 6, 21))
    #expect(night.isOpen)
    #expect(try changes(night, 2, 21, 1_121))
    #expect(!noNight.isOpen)
    #expect(try changes(noNight, 8, 30, 2_301))
    let (noDay, day) = try (state(.sunrise, .sunset, 1, 15), state(.sunrise, .sunset, 6, 21))
    #expect(!noDay.isOpen)
    #expect(try changes(noDay, 2, 21, 1_121))
    #expect(day.isOpen)
    #expect(try changes(day, 8, 30, 2_301))
  }

  @Test func allDayIsAlways() {
    let schedule = RecordingSchedule(
      [Window(Self.clock(0), Self.clock(24))], sun: nil, in: .berlin)
    #expect(schedule.state(at: CivilTime.utc2026(3, 29, 1)) == .open(until: nil))
    let never = RecordingSchedule(
      [Window(.sun(.sunrise, offset: 7_200), .sun(.sunrise, offset: 3_600))], sun: Self.berlin,
      in: .berlin)
    #expect(never.state(at: CivilTime.utc2026(3, 29, 1)) == .closed(until: nil))
  }

  /// A device is opened a little before a window and closed a little behind it.
  @Test func theHoursOfTheDevice() {
    let schedule = RecordingSchedule([Window(Self.clock(4), Self.clock(9))], sun: nil, in: .utc)
    let hours = DeviceHours(schedule)
    func areNow(_ hour: Int, _ second: Int) -> Bool {
      hours.areNow(Int64(CivilTime.utc2026(2, 10, hour) + second) * 1_000_000_000)
    }
    #expect(!areNow(3, 3_590))
    #expect(areNow(3, 3_595))
    #expect(areNow(4, 0))
    #expect(areNow(9, 1))
    #expect(!areNow(9, 2))
    // The clock is set.
    #expect(areNow(6, 0))
    #expect(!areNow(1, 0))
  }
}
