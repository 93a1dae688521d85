// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioFiles

@Suite struct PartNamesTests {
  @Test func numbers() throws {
    let names = try PartNames("take-%03d.wav")
    #expect(names.path(number: 0, time: 0) == "take-000.wav")
    #expect(names.path(number: 42, time: 0) == "take-042.wav")
    #expect(names.path(number: 1_234, time: 0) == "take-1234.wav")
    #expect(try PartNames("100%%-%01d%05d").path(number: 7, time: 0) == "100%-700007")
  }

  /// 2026-03-29 14:25:30 UTC, in any zone of the machine.
  @Test func times() throws {
    let time = 1_774_794_330
    let zoned = DateFormatter()
    zoned.locale = Locale(identifier: "en_US_POSIX")
    zoned.dateFormat = "yyyy-MM-dd_HHmmss"
    let expected = zoned.string(from: Date(timeIntervalSince1970: TimeInterval(time)))
    #expect(
      try PartNames("%F_%H%M%S.wav").path(number: 3, time: time) == expected + ".wav")
    #expect(
      try PartNames("%Y-%m-%d_%H%M%S").path(number: 3, time: time) == expected)
    #expect(try PartNames("%s").path(number: 0, time: time) == "\(time)")
    // Flags, widths and modifiers are strftime's, except %0Nd.
    #expect(try PartNames("%-S-%Ey-%5Y").path(number: 0, time: time) == "30-26-02026")
  }

  /// A year, an hour or a number beside it means that `%d` is a day.
  @Test(arguments: [
    "%Y%m%d.wav", "%y-%d", "%d-%H%M", "%d %T", "%d-%02d", "%d_%s", "%a%e.wav", "%m/%M.wav", "%c %d",
  ])
  func aDayThatIsMeant(pattern: String) throws {
    #expect(try PartNames(pattern).haveTimes)
    #expect(!PartNames.takesDayForNumber(pattern))
    #expect(PartNames.takesDayForNumber("%d-" + "%M"))
    #expect(try !PartNames("%03d").haveTimes)
  }

  @Test(arguments: [
    ("%F.wav", "./"), ("take-%F.wav", "./"), ("rec/%Y/%m.wav", "rec/"),
    ("/a/b/c%Y/%m.wav", "/a/b/"),
    ("/%Y", "/"), ("50%%/%Y.wav", "50%/"),
  ])
  func theFolderOfAll(pattern: String, folder: String) throws {
    #expect(try PartNames(pattern).folder == folder)
  }

  @Test func timesInUTC() throws {
    let time = 1_774_794_330
    #expect(
      try PartNames("%Y/%F_%H%M%S %z.wav", in: .utc).path(number: 0, time: time)
        == "2026/2026-03-29_142530 +0000.wav")
    #expect(
      try PartNames("%F %T %z", in: .berlin).path(number: 0, time: time)
        == "2026-03-29 16:25:30 +0200")
  }

  @Test(arguments: [
    (
      "out%d.wav",
      "'%d' is the day of the month, and all parts of a day would have the same name",
      "write %04d for the part's number, or %F for the whole date"
    ),
    (
      "%m-%3d_%M.wav",
      "'%3d' is the day of the month, and all parts of a day would have the same name",
      "write %04d"
    ),
    (
      "{stem}-%03d.wav", "'{stem}' is no field, and there is none here",
      "a brace itself is written twice"
    ),
    ("{%03d.wav", "a brace is not closed", "a brace itself is written twice"),
    ("take.wav", "all parts would have the same name", "put %03d into it"),
    ("100%%.wav", "all parts would have the same name", "put %03d into it"),
    ("take-%q.wav", "'%q' means nothing", "write %03d"),
    ("take-%", "'%' means nothing", "write %03d"),
    ("take-%n.wav", "'%n' means nothing", "write %03d"),
    ("%D.wav", "'%D' means nothing", "write %03d"),
    ("%x.wav", "'%x' puts a slash into the name", "write %F"),
    (
      "%Y/.wav/", "a folder or file behind the first conversion would have no name of its own",
      "write it like"
    ),
    (
      "%Y/../%m.wav",
      "a folder or file behind the first conversion would have no name of its own", "write it like"
    ),
    ("%0999d.wav", "'%0999d' is too wide", "a width has at most two digits"),
  ])
  func refusals(pattern: String, reason: String, advice: String) {
    do throws(AudioError) {
      _ = try PartNames(pattern)
      Issue.record("'\(pattern)' was taken")
    } catch {
      #expect(error.kind == .invalidParameter)
      #expect(error.subject == pattern)
      #expect(error.reason == reason)
      #expect(error.advice?.hasPrefix(advice) == true)
    }
  }
}
