// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Testing

@testable import rawaudio

@Suite struct SplitPointTests {
  @Test(arguments: [
    ("60", SplittingSink.Limit.duration(.time(.seconds(60)))),
    ("1:30", .duration(.time(.seconds(90)))),
    ("60s", .duration(.time(.seconds(60)))), ("1h30m", .duration(.time(.seconds(5_400)))),
    ("44100S", .duration(.samples(44_100))),
    ("2GiB", .fileSize(2_147_483_648)), ("2gib", .fileSize(2_147_483_648)),
    ("700MB", .fileSize(700_000_000)), ("64KiB", .fileSize(65_536)), ("1.5kB", .fileSize(1_500)),
    ("1TiB", .fileSize(1_099_511_627_776)), ("event", .event),
  ])
  func limits(text: String, limit: SplittingSink.Limit) throws {
    #expect(try ValueSyntax.splitPoint.parse(text) == .limit(limit))
  }

  /// A word as the unit means the clock, a letter means a length.
  @Test(arguments: [
    ("hour", 3_600), ("1hour", 3_600), ("6hours", 21_600), ("15min", 900), ("90min", 5_400),
    ("30sec", 30),
    ("minute", 60), ("day", 86_400), ("24hours", 86_400), ("DAY", 86_400),
  ])
  func stretchesOfTheClock(text: String, seconds: Int) throws {
    #expect(
      try ValueSyntax.splitPoint.parse(text) == .limit(.clock(ClockInterval(seconds: seconds))))
  }

  @Test(arguments: [
    "7min": "a day is no whole number of them; take 6min or 8min, or for parts of one length 7m",
    "5hours":
      "a day is no whole number of them; take 4hour or 6hour, or for parts of one length 5h",
    "2days":
      "a day is the longest stretch of the clock; for parts of one length write it as in 48:00:00",
    "0min": "a stretch of the clock is longer than nothing",
    "99999999999999999999min":
      "a day is the longest stretch of the clock; for parts of one length write it as in 48:00:00",
  ])
  func noStretches(text: String, reason: String) {
    do throws(InvalidValue) {
      _ = try ValueSyntax.splitPoint.parse(text)
      Issue.record("it was taken")
    } catch {
      #expect(error.reason == reason)
    }
  }

  @Test func theSignalIsNoLimit() throws {
    #expect(try ValueSyntax.splitPoint.parse("signal") == .signal)
  }
}
