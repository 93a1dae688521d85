// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// The status fits into every width and shows the most important figures first.
@Suite struct StatusLayoutTests {
  private let layout = StatusLayout(isColoured: false, characters: .ascii)

  private func level(_ peak: Double, _ rms: Double, hold: Double, clips: Bool = false) -> ShownLevel
  {
    ShownLevel(peak: peak, rms: rms, hold: hold, hasClipped: clips)
  }

  private var recording: StatusFigures {
    StatusFigures(
      activity: "recording", elapsed: 754, total: 3_600,
      levels: [level(-15, -30, hold: -6), level(-.infinity, -.infinity, hold: -.infinity)],
      xruns: 0,
      parts: 3, room: 45_000)
  }

  @Test(arguments: [
    (
      80, "recording 0:12:34 of 1:00:00  L #####==.|  -6.0   R .........  -inf   disk 12 h"
    ),
    (
      110,
      "recording 0:12:34 of 1:00:00  L ########====.|.  -6.0   R ...............  -inf   disk 12 h  3 parts  0 xruns"
    ),
    (50, "recording 0:12:34 of 1:00:00  7.  disk 12 h"),
    (31, "recording 0:12:34 of 1:00:00"),
    (12, "recording 0"),
  ])
  func aRecording(width: Int, expected: String) {
    #expect(layout.line(recording, width: width - 1).text == expected)
  }

  @Test func nothingIsEverTooWide() {
    var figures = recording
    for channels in [0, 1, 2, 6, 64] {
      figures.levels = (0..<channels).map {
        level(Double(-$0), Double(-$0 - 3), hold: 0, clips: true)
      }
      if channels > 1 {
        // Possible values in a float stream.
        figures.levels[0] = level(.infinity, .infinity, hold: .infinity, clips: true)
        figures.levels[1] = level(.nan, .nan, hold: .nan)
      }
      for xruns in [nil, 0, 1, 99_999] {
        figures.xruns = xruns
        for width in 1...250 {
          let line = layout.line(figures, width: width)
          #expect(line.columns <= width && line.columns == line.text.count)
          for line in layout.lines(figures, width: width) { #expect(line.columns <= width) }
        }
      }
    }
  }

  @Test func xrunsAndClippingAreSeen() {
    var figures = recording
    figures.xruns = 2
    figures.levels = [level(0, -3, hold: 0, clips: true)]
    #expect(
      layout.line(figures, width: 79).text
        == "recording 0:12:34 of 1:00:00   ############   0.0!  2 xruns  disk 12 h  3 parts")
  }

  /// Levels without room give way to more important figures.
  @Test func xrunsOfManyChannelsAreSeen() {
    var figures = recording
    figures.levels = Array(repeating: level(-6, -9, hold: -6), count: 64)
    figures.xruns = 2
    #expect(
      layout.line(figures, width: 79).text
        == "recording 0:12:34 of 1:00:00  2 xruns  disk 12 h  3 parts")
    #expect(layout.line(figures, width: 37).text == "recording 0:12:34 of 1:00:00  2 xruns")
    #expect(layout.line(figures, width: 36).text == "recording 0:12:34 of 1:00:00")
  }

  @Test func anInfinityFillsTheBar() {
    var figures = recording
    figures.levels = [level(.infinity, .infinity, hold: .infinity, clips: true)]
    figures.parts = nil
    figures.xruns = nil
    #expect(
      layout.line(figures, width: 61).text
        == "recording 0:12:34 of 1:00:00 (20%)   ######   inf!  disk 12 h")
  }

  @Test(arguments: [
    (
      61.0, 3_721.0 as Double?, 12.0, "mixing 0:01:01 of 1:02:01 (1%), 0:05:05 left, 12 × real time"
    ),
    (3_721, 3_721, 800, "mixing 1:02:01 of 1:02:01 (100%), 800 × real time"),
    (5, nil, 0.52, "mixing 0:00:05, 0.5 × real time"),
  ])
  func offline(elapsed: Double, total: Double?, speed: Double, expected: String) {
    let figures = StatusFigures(activity: "mixing", elapsed: elapsed, total: total, speed: speed)
    #expect(layout.line(figures, width: 79).text == expected)
  }
}
