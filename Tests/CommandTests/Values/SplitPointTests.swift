import AudioCore
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

  @Test func theSignalIsNoLimit() throws {
    #expect(try ValueSyntax.splitPoint.parse("signal") == .signal)
  }
}
