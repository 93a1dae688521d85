// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// Times of day with and without zones, and the two nights of the year in which clocks are set.
@Suite struct RecordedTimeTests {
  private static let perSecond: Int64 = 1_000_000_000
  /// 28 March 2027, 01:00 UTC.
  private static let spring = 1_806_195_600
  /// 31 October 2027, 01:00 UTC.
  private static let autumn = 1_824_944_400
  private let zone = CivilTime(
    offset: 3_600,
    then: [.init(time: spring, offset: 7_200), .init(time: autumn, offset: 3_600)])

  private func seconds(_ text: String, from earliest: Int) throws -> Int? {
    let time = try #require(TimeOfDay(text), "\(text)")
    return time.time(from: Int64(earliest) * Self.perSecond, in: zone).map {
      Int($0 / Self.perSecond)
    }
  }

  @Test(arguments: [
    ("2027-03-28T01:59:58Z", spring + 3_598), ("2027-03-28T01:59:58+00:00", spring + 3_598),
    ("2027-03-28T01:59:58+0200", spring - 3_602), ("2027-03-28T01:59:58-03", spring + 14_398),
    ("2027-03-28T01:59:58", spring - 2), ("2027-03-28T03:00:02", spring + 2),
    ("2027-03-28T11:30:00+10:30", spring), ("2027-03-28 01:00Z", spring),
  ])
  func zones(text: String, expected: Int) throws {
    #expect(try seconds(text, from: Self.spring - 7_200) == expected)
  }

  @Test(arguments: ["2027-03-28T01:59:58+2", "2027-03-28T01:59:58+15:00", "01:00+02:60", "1:00Z"])
  func noZones(text: String) { #expect(TimeOfDay(text) == nil) }

  /// A time of day with a zone is the first one there.
  @Test func aTimeOfDayOfAnotherZone() throws {
    #expect(try seconds("00:30Z", from: Self.spring - 3_600) == Self.spring - 1_800)
    #expect(try seconds("00:30Z", from: Self.spring) == Self.spring + 84_600)
    #expect(try seconds("03:30+02:00", from: Self.spring) == Self.spring + 1_800)
  }

  @Test func aTimeOverWhichClocksArePutForward() throws {
    #expect(try seconds("2027-03-28T02:30:00", from: Self.spring - 7_200) == nil)
    // Without a date, that of the next day would be hours too late. Behind the jump it is meant.
    #expect(try seconds("02:30", from: Self.spring - 1_800) == nil)
    #expect(try seconds("02:30", from: Self.spring + 3_600) == Self.spring + 84_600)
    // A file that states it is read by the offset before.
    let stated = try #require(TimeOfDay("2027-03-28T02:30:00")?.stated)
    #expect(stated.times(in: zone) == [])
    #expect(stated.time(in: zone) == Int64(Self.spring + 1_800) * Self.perSecond)
  }

  @Test func aTimeThatComesTwice() throws {
    let (first, second) = (Self.autumn - 1_800, Self.autumn + 1_800)
    let text = "2027-10-31T02:30:00"
    #expect(try seconds(text, from: first - 60) == first)
    #expect(try seconds(text, from: first) == first)
    #expect(try seconds(text, from: first + 1) == second)
    #expect(try seconds(text, from: second + 1) == second)
    #expect(try seconds("\(text)+02:00", from: second) == first)
    #expect(try seconds("\(text)+01:00", from: first) == second)
    #expect(try seconds("02:30", from: first + 1) == second)
    let stated = try #require(TimeOfDay(text)?.stated)
    #expect(stated.times(in: zone) == [first, second].map { Int64($0) * Self.perSecond })
  }

  /// Half an hour is repeated.
  @Test func aZoneWhoseSummerIsHalfAnHour() throws {
    let change = 1_806_764_400
    let zone = CivilTime(offset: 39_600, then: [.init(time: change, offset: 37_800)])
    let stated = try #require(TimeOfDay("2027-04-04T01:45:00")?.stated)
    #expect(
      stated.times(in: zone) == [change - 900, change + 900].map { Int64($0) * Self.perSecond })
    let once = try #require(TimeOfDay("2027-04-04T01:15:00")?.stated)
    #expect(once.times(in: zone) == [Int64(change - 2_700) * Self.perSecond])
  }

  @Test(
    arguments: [
      ("site_20270328_015958.wav", nil), ("20270328_015958Z.wav", 0), ("20270328T015958z", 0),
      ("2027-03-28T01-59-58+0200.flac", 7_200), ("2027-03-28T01-59-58+02:00.flac", 7_200),
      ("20270328_015958-03.wav", -10_800), ("20270328015958-0330_a.wav", -12_600),
      ("20270328_015958-1.wav", nil), ("20270328_015958_x2.wav", nil),
      ("20270328_015958Zoo.wav", nil), ("20270328_015958-2027.wav", nil),
    ] as [(String, Int?)])
  func names(name: String, offset: Int?) throws {
    let stated = try #require(RecordedTime(inName: name))
    #expect(stated.wall == Int64(Self.spring + 3_598) * Self.perSecond)
    #expect(stated.offset == offset)
    #expect(!stated.isExact)
  }

  /// A recorder whose `bext` counts in UTC, or in another zone, and GUANO with a zone: one moment.
  @Test(arguments: [
    ("2026-05-02", "20:00:00", true), ("2026-05-02", "22:00:01", true),
    ("2026-05-03", "05:45:00", true), ("2026-05-02", "20:07:00", false),
    ("2026-05-06", "20:00:00", false),
  ])
  func theZoneOfGuanoCounts(_ day: String, _ time: String, isOneMoment: Bool) throws {
    let text = "GUANO|Version: 1.0\nTimestamp: 2026-05-02T22:00:00+02:00\n"
    var metadata = Metadata(interpreting: [.init(.riff, "guan", Array(text.utf8))])
    let guano = try #require(metadata.statedTime(at: 48_000)?.time(in: .utc))
    metadata.broadcast = .init()
    metadata.broadcast?.originationDate = day
    metadata.broadcast?.originationTime = time
    let read = try #require(metadata.statedTime(at: 48_000)?.time(in: .fixed(-5 * 3_600)))
    #expect((abs(read - guano) <= Self.perSecond) == isOneMoment)
  }

  /// Dates beyond the range of nanoseconds in 64 bits are none.
  @Test(arguments: ["9999-01-01", "2262-06-01", "0001-01-01"])
  func datesOutOfRange(_ day: String) {
    #expect(TimeOfDay("\(day)T12:00:00Z")?.stated == nil)
    var origin = Metadata.BroadcastExtension()
    origin.originationDate = day
    origin.originationTime = "12:00:00"
    #expect(origin.statedTime(at: 48_000)?.time(in: .utc) == nil)
  }

  /// Our own `bext` chunk, GUANO and tags state one moment, in any zone of the reader.
  @Test func aRecordingStatesItsZone() throws {
    let time = Int64(Self.autumn + 1_800) * Self.perSecond + 123_456_000
    let made = Metadata(recordedAt: time, by: "test", in: zone).converted(to: 48_000)
    #expect(made.broadcast?.description == "Times are UTC+01:00")
    #expect(made.guano?["Timestamp"] == "2027-10-31T02:30:00.123456+01:00")
    #expect(made.guano?["Samplerate"] == "48000")
    var (chunk, text, tags) = (made, made, made.withGuano(in: nil, keepsRoom: false))
    chunk.guano = nil
    text.broadcast = nil
    tags = tags.withOriginAsTexts
    #expect(tags.chunks.isEmpty && tags.broadcast == nil)
    #expect(tags.tags["GUANO"].count == 1 && tags.tags["DESCRIPTION"].isEmpty)
    for metadata in [made, chunk, text, tags] {
      for reader in [zone, .utc] {
        let read = try #require(metadata.statedTime(at: 48_000)?.time(in: reader))
        // To the nearest sample.
        #expect(abs(read - time) <= Self.perSecond / 96_000 + 1)
      }
    }
    #expect(tags.withOriginFromTexts.broadcast?.timeReference == made.broadcast?.timeReference)
    #expect(tags.withOriginFromTexts.broadcast?.description == "Times are UTC+01:00")
  }
}
