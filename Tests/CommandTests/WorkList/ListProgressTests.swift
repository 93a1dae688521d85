// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// The status line of work on many files.
@Suite struct ListProgressTests {
  /// The line shown at a time, in milliseconds since the begin; nil if unchanged.
  private final class Line {
    private var text = ""
    private var time: Int64 = 7_000
    private var progress: ListProgress?

    init(total: Int?) {
      let console = Console(
        verbosity: .normal, style: TerminalStyle(isColoured: false), errorIsTerminal: true,
        writeOutput: { _ in }, writeError: { self.text += $0 })
      progress = ListProgress("converting", total: total, on: console, now: { self.time })
    }

    func shown(at milliseconds: Int64, _ counts: ListCounts) -> String? {
      (text, time) = ("", 7_000 + milliseconds)
      progress?.update(counts)
      return text.isEmpty ? nil : text.replacing("\r", with: "").replacing("\u{1B}[K", with: "")
    }
  }

  @Test func beginsLateAndKeepsItsPace() {
    let line = Line(total: nil)
    #expect(line.shown(at: 999, ListCounts(done: 1)) == nil)
    #expect(line.shown(at: 1_000, ListCounts(done: 1)) == "converting 1 files")
    #expect(line.shown(at: 1_099, ListCounts(done: 2)) == nil)
    #expect(line.shown(at: 1_100, ListCounts(done: 2)) == "converting 2 files")
  }

  @Test func tellsEverythingThatIsKnown() {
    let line = Line(total: 1_000)
    #expect(line.shown(at: 1_500, ListCounts()) == "converting 0 of 1000 files")
    #expect(
      line.shown(at: 10_000, ListCounts(done: 97, failed: 3, seconds: 1_800))
        == "converting 100 of 1000 files, 0.5 h of audio, 180 × real time, 3 failed, 0:01:30 left")
    #expect(
      line.shown(at: 100_000, ListCounts(done: 1_000, seconds: 36_000))
        == "converting 1000 of 1000 files, 10.0 h of audio, 360 × real time")
    // The list has grown since it was counted.
    #expect(line.shown(at: 100_200, ListCounts(done: 1_001)) == "converting 1001 files")
  }

  /// A second run skips existing outputs at once, then goes at the pace of the first.
  @Test func whatIsSkippedDoesNotShortenTheRest() {
    let line = Line(total: 2_000)
    #expect(
      line.shown(at: 5_000, ListCounts(skipped: 1_000))
        == "converting 1000 of 2000 files, 0:00:05 left")
    // One each second from now on.
    for second in 6...94 {
      _ = line.shown(at: Int64(second) * 1_000, ListCounts(done: second - 5, skipped: 1_000))
    }
    #expect(
      line.shown(at: 95_000, ListCounts(done: 90, skipped: 1_000))
        == "converting 1090 of 2000 files, 0:15:10 left")
    // Nothing for two minutes: the mean of the whole run counts.
    for second in stride(from: 96, through: 205, by: 1) {
      _ = line.shown(at: Int64(second) * 1_000, ListCounts(done: 90, skipped: 1_000))
    }
    #expect(
      line.shown(at: 218_000, ListCounts(done: 90, skipped: 1_000))
        == "converting 1090 of 2000 files, 0:03:02 left")
  }
}
