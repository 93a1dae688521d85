// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

/// The text of a `guan` chunk follows the samples.
@Suite struct GuanoTextTests {
  private static let text = """
    GUANO|Version: 1.0
    Timestamp:  2012-03-29T03:58:01+04:00
    Note: a\\nb: c
    TE: 10
    Samplerate: 480000
    Length: 6.5
    Loc Position: 37.1878016 -86.1057312

    """

  private func metadata(_ text: String = text, at rate: Int = 48_000) -> Metadata {
    var metadata = Metadata(
      interpreting: [.init(.riff, "guan", Array(text.utf8))], sampleRate: rate)
    metadata.sampleRate = rate
    return metadata
  }

  private func lines(_ metadata: Metadata) -> [String] {
    String(decoding: metadata.guano?.bytes ?? [], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func anUnchangedTextStaysAsItIs() {
    #expect(metadata().guano?.bytes == Array(Self.text.utf8))
    #expect(metadata().guano?["Note"] == "a\\nb: c")
    #expect(metadata().guano?["Tim"] == nil)
  }

  /// Sound that was slowed down ten times lasts a tenth in the field.
  @Test func aPartBeginsLater() {
    let part = lines(metadata().trimmed(from: 48_000 * 25, length: 48_000))
    #expect(part[1] == "Timestamp:  2012-03-29T03:58:03.500000+04:00")
    #expect(part[4] == "Samplerate: 480000")
    #expect(part[5] == String(repeating: " ", count: 24))
    #expect(Array(part[2...3]) == ["Note: a\\nb: c", "TE: 10"])
    let whole = lines(metadata().trimmed(from: 48_000 * 20, length: nil))
    #expect(whole[1] == "Timestamp:  2012-03-29T03:58:03+04:00")
  }

  @Test func silenceInFrontBeginsEarlier() {
    let text = "GUANO|Version: 1.0\nTimestamp: 2028-03-01T00:00:00.25\n"
    let delayed = lines(metadata(text).delayed(by: 24_000))
    #expect(delayed[1] == "Timestamp: 2028-02-29T23:59:59.750000")
  }

  /// A zone behind a blank, or as a word, is one. A time that cannot be read goes, and is named.
  @Test(arguments: [
    ("2026-05-02 22:00:00 +02:00", "2026-05-02T22:00:01 +02:00", 20 as Int?),
    ("2026-05-02T22:00:00.5 UTC", "2026-05-02T22:00:01.500000 UTC", 22),
    ("2026-05-02T22:00:00-0330", "2026-05-02T22:00:01-0330", 25),
    ("20260502T220000Z", nil, nil), ("9999-05-02T22:00:00Z", nil, nil),
  ])
  func zonesAndTheirSpelling(_ stated: String, _ moved: String?, _ hour: Int?) {
    let metadata = metadata("GUANO|Version: 1.0\nTimestamp: \(stated)\nSamplerate: 48000\n")
    let time = metadata.statedTime(at: 48_000)?.time(in: .fixed(-36_000))
    // The hours since the second of May in UTC, rounded down.
    #expect(time.map { $0 / 3_600_000_000_000 - 493_800 } == hour.map { Int64($0) })
    let part = metadata.trimmed(from: 48_000, length: nil)
    #expect(part.guano?["Timestamp"] == moved)
    let lost = Metadata.Omission("time of GUANO", because: "it is not written as in ISO 8601")
    #expect(part.omissions == (moved == nil ? [lost] : []))
    #expect(part.trimmed(from: 48_000, length: nil).omissions == part.omissions)
  }

  /// A file may have the text twice: in its chunk, and in a tag.
  @Test func bothTextsFollowTheSamples() throws {
    var twice = metadata()
    twice.tags.append("GUANO", Self.text)
    let part = twice.trimmed(from: 48_000 * 20, length: 48_000).converted(to: 96_000)
    let text = String(decoding: part.guano?.evenBytes ?? [], as: UTF8.self)
    #expect(text.contains("03:58:03+04:00") && text.contains("Samplerate: 960000"))
    #expect(text.hasPrefix(try #require(part.tags["GUANO"].first)))
  }

  @Test func anotherRate() {
    #expect(metadata().converted(to: 96_000).guano?["Samplerate"] == "960000")
    // A rate that was never right is not changed.
    let text = "GUANO|Version: 1.0\nSamplerate: 44100\n"
    #expect(metadata(text).converted(to: 96_000).guano?["Samplerate"] == "44100")
  }

  @Test func theLength() {
    func statement(_ samples: Int64, _ rate: Int, _ expansion: Int = 1) -> String {
      String(
        decoding: GuanoText.statement(of: samples, at: rate, expansion: expansion),
        as: UTF8.self)
    }
    #expect(statement(0, 48_000) == "Length: 0.000000        ")
    #expect(statement(158_760_001, 44_100) == "Length: 3600.000023     ")
    #expect(statement(3_120_000, 48_000, 10) == "Length: 6.500000        ")
    #expect(statement(.max, 1_000).utf8.count == 24)
  }

  @Test func fieldsAreAddedInFrontOfTheRoom() {
    var made = Metadata(recordedAt: 0, by: "test", in: .utc)
    made.changeGuano { guano in
      guano["Make"] = "Dodotronic"
      guano["Temperature Ext"] = "12.5"
      guano["Make"] = "Other"
    }
    #expect(
      lines(made).dropLast() == [
        "GUANO|Version: 1.0", "Timestamp: 1970-01-01T00:00:00.000000+00:00",
        "Samplerate: 1000000000", "Make: Other", "Temperature Ext: 12.5",
        String(repeating: " ", count: 24),
      ])
    let chunk = made.chunks.first { $0.identifier == "guan" }
    #expect(chunk.map { $0.content.count & 1 } == 0)
  }
}
