// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

@Suite struct ClockIntervalTests {
  private func ends(
    of interval: ClockInterval, from start: Int, count: Int, in zone: CivilTime = .berlin
  ) -> [String] {
    var time = start
    return (0..<count).map { _ in
      time = interval.end(after: time, in: zone)
      return zone.text("%F %H:%M %z", at: time)
    }
  }

  @Test func anHourBeginsWithTheHour() {
    #expect(
      ends(of: .hour, from: CivilTime.utc2026(1, 1, 10, 59, 59), count: 2) == [
        "2026-01-01 12:00 +0100", "2026-01-01 13:00 +0100",
      ])
    // The boundary itself belongs to the next stretch.
    #expect(
      ends(of: .hour, from: CivilTime.utc2026(1, 1, 11), count: 1) == ["2026-01-01 13:00 +0100"])
  }

  @Test func summerTimeBegins() throws {
    let before = CivilTime.utc2026(3, 29, 0, 10)
    #expect(
      ends(of: .hour, from: before, count: 2) == [
        "2026-03-29 03:00 +0200", "2026-03-29 04:00 +0200",
      ])
    // 02:00 is missing: a stretch due then begins at 03:00.
    #expect(
      try ends(of: ClockInterval(seconds: 7_200), from: before, count: 2) == [
        "2026-03-29 03:00 +0200", "2026-03-29 04:00 +0200",
      ])
    #expect(
      try ends(of: ClockInterval(seconds: 21_600), from: before, count: 1) == [
        "2026-03-29 06:00 +0200"
      ])
  }

  @Test func summerTimeEnds() throws {
    let before = CivilTime.utc2026(10, 24, 23, 30)
    #expect(
      ends(of: .hour, from: before, count: 4) == [
        "2026-10-25 02:00 +0200", "2026-10-25 02:00 +0100", "2026-10-25 03:00 +0100",
        "2026-10-25 04:00 +0100",
      ])
    // A longer stretch is not cut at the repeated hour.
    #expect(
      try ends(of: ClockInterval(seconds: 7_200), from: before, count: 2) == [
        "2026-10-25 02:00 +0200", "2026-10-25 04:00 +0100",
      ])
  }

  @Test func aDayHas23Or25Hours() {
    for (day, hours) in [((3, 28), 23), ((10, 24), 25), ((6, 1), 24)] {
      let begin = ClockInterval.day.end(after: CivilTime.utc2026(day.0, day.1, 12), in: .berlin)
      let end = ClockInterval.day.end(after: begin, in: .berlin)
      #expect(end - begin == hours * 3_600)
      #expect(CivilTime.berlin.text("%H%M%S", at: begin) == "000000")
    }
  }

  /// If the clock goes from midnight back to 23:00, the day is not over.
  @Test func aChangeAtMidnight() {
    let midnight = CivilTime.utc2026(4, 5, 3)
    let zone = CivilTime(offset: -10_800, then: [.init(time: midnight, offset: -14_400)])
    #expect(ClockInterval.day.end(after: midnight - 7_200, in: zone) == midnight + 3_600)
    // An hour is over: 23:00 comes twice.
    #expect(ClockInterval.hour.end(after: midnight - 1_800, in: zone) == midnight)
    #expect(ClockInterval.hour.end(after: midnight, in: zone) == midnight + 3_600)
  }

  /// Lord Howe Island goes back by half an hour.
  @Test func aChangeByHalfAnHour() {
    let change = CivilTime.utc2026(4, 4, 15)
    let zone = CivilTime(offset: 39_600, then: [.init(time: change, offset: 37_800)])
    #expect(
      ends(of: .hour, from: change - 1_000, count: 3, in: zone) == [
        "2026-04-05 01:30 +1030", "2026-04-05 02:00 +1030", "2026-04-05 03:00 +1030",
      ])
  }

  /// Compares with every second of two days: a stretch has one number, and one offset if it is short.
  @Test(arguments: [1, 30, 900, 3_600, 5_400, 7_200, 21_600, 86_400])
  func everyEndIsTheFirstSecondOfAnother(seconds: Int) throws {
    let interval = try ClockInterval(seconds: seconds)
    for day in [CivilTime.utc2026(3, 28, 20), CivilTime.utc2026(10, 24, 20)] {
      func identity(_ time: Int) -> [Int] {
        let offset = time < 1_774_746_000 || time >= 1_792_890_000 ? 3_600 : 7_200
        return [(time + offset) / seconds, seconds <= 3_600 ? offset : 0]
      }
      var time = day
      while time < day + 36 * 3_600 {
        let end = interval.end(after: time, in: .berlin)
        let first = try #require((time...).first { identity($0) != identity(time) })
        #expect(end == first)
        guard end == first else { return }
        time = seconds < 60 ? end + 977 : end
      }
    }
  }

  @Test(arguments: [0, -60, 420, 86_401, 172_800])
  func whatDividesNoDay(seconds: Int) {
    #expect(throws: AudioError.self) { try ClockInterval(seconds: seconds) }
  }

  @Test func timesAreTold() {
    let nanoseconds = Int64(CivilTime.utc2026(10, 25, 0, 59, 59)) * 1_000_000_000 + 999_999_999
    #expect(CivilTime.berlin.description(of: nanoseconds) == "2026-10-25T02:59:59.999+02:00")
    #expect(CivilTime.berlin.description(of: nanoseconds + 1) == "2026-10-25T02:00:00.000+01:00")
    #expect(CivilTime.utc.description(of: nanoseconds) == "2026-10-25T00:59:59.999+00:00")
    #expect(CivilTime.utc.description(of: -1) == "1969-12-31T23:59:59.999+00:00")
  }

  @Test func whatAFileSaysOfItsTime() throws {
    var origin = Metadata.BroadcastExtension()
    #expect(origin.statedTime(at: 48_000)?.time(in: .berlin) == nil)
    origin.originationDate = "2026-03-29"
    origin.originationTime = "14:25:30"
    let time = Int64(CivilTime.utc2026(3, 29, 12, 25, 30)) * 1_000_000_000
    // No reference, a time code, and the real time.
    #expect(origin.statedTime(at: 48_000)?.time(in: .berlin) == time)
    origin.timeReference = 3_600 * 48_000
    #expect(origin.statedTime(at: 48_000)?.time(in: .berlin) == time)
    origin.timeReference = (14 * 3_600 + 25 * 60 + 30) * 48_000 + 24_000
    #expect(origin.statedTime(at: 48_000)?.time(in: .berlin) == time + 500_000_000)
    #expect(origin.statedTime(at: 48_000)?.time(in: .utc) == time + 7_200_500_000_000)
    // Ten hours later in the same file.
    origin.timeReference += 36_000 * 48_000
    #expect(origin.statedTime(at: 48_000)?.time(in: .berlin) == time + 36_000_500_000_000)
    origin.originationDate = "2026-13-29"
    #expect(origin.statedTime(at: 48_000)?.time(in: .berlin) == nil)
    let told = Metadata(recordedAt: time + 250_000_000, by: "me", in: .berlin)
    #expect(told.broadcast?.originationTime == "14:25:30")
    #expect(
      told.broadcast?.recordingTime(at: told.sampleRate ?? 0, in: .berlin) == time + 250_000_000)
  }
}
