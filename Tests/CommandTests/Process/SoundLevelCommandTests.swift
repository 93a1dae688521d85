// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--observe …:levels` and `measure --levels`, with a tone that a calibrator would give.
@Suite struct SoundLevelCommandTests {
  private let directory = TemporaryDirectory()

  init() throws {
    // 1 kHz with an RMS of -26 dBFS in the first channel; the second one is silent.
    let amplitude = 32_768 * pow(10, -26.0 / 20) * 2.0.squareRoot()
    let samples = (0..<144_000).flatMap { index in
      [Int16((amplitude * sin(2 * .pi * Double(index) / 48)).rounded()), 0]
    }
    try directory.write(WaveBytes.file(samples, channelCount: 2, sampleRate: 48_000), "tone.wav")
  }

  private static let names =
    "LAeq,LAFmax,LASmax,LAF10,LAF50,LAF90,12.5,16,20,25,31.5,40,50,63,80,100,125,160,200,250,315,"
    + "400,500,630,800,1000,1250,1600,2000,2500,3150,4000,5000,6300,8000,10000,12500,16000,20000"

  @Test func aTable() throws {
    let run = try directory.run(
      "convert", "tone.wav", "-o", "null:", "-q", "--observe",
      "record,every=1,calibration=94@-26:levels=l.csv")
    #expect(run.standardError == "")
    run.expectExit(0)
    let rows = String(decoding: try directory.bytes("l.csv"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows.count == 7)
    #expect(rows[0].joined(separator: ",") == "time,source,start,end,channel," + Self.names)
    #expect(
      rows.dropFirst().map { $0[2...4].joined(separator: " ") } == [
        "0.0 1.0 1", "0.0 1.0 2", "1.0 2.0 1", "1.0 2.0 2", "2.0 3.0 1", "2.0 3.0 2",
      ])
    // The last second of the tone, when all filters have settled, and the silent channel.
    #expect(abs(try #require(Double(rows[5][5])) - 94) < 0.01)
    let third = try #require(rows[0].firstIndex(of: "1000"))
    #expect(abs(try #require(Double(rows[5][third])) - 94) < 0.05)
    #expect(rows[6][5...].allSatisfy { $0.isEmpty })
  }

  @Test func measuredFiles() throws {
    let run = try directory.run(
      "measure", "--levels", "C,calibration=94@-26,every=2", "--json-lines", "tone.wav")
    run.expectExit(0)
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(run.outputText.utf8)) as? [String: Any])
    let intervals = try #require(line["levels"] as? [[String: Any]])
    #expect(intervals.map { $0["start"] as? Double } == [0, 2])
    #expect(intervals.map { $0["end"] as? Double } == [2, 3])
    #expect(intervals[0]["weighting"] as? String == "C")
    let channels = try #require(intervals[1]["channels"] as? [[String: Any]])
    #expect(abs(try #require(channels[0]["LCeq"] as? Double) - 94) < 0.01)
    #expect(channels[1]["LCeq"] is NSNull)

    let page = try directory.run("measure", "--levels", "a", "tone.wav")
    page.expectExit(0)
    #expect(page.outputText.contains("  LAeq (dBFS)                        -26.0           -\n"))
    #expect(page.outputText.contains("  1000 Hz (dBFS)                     -26.0           -\n"))
  }

  @Test(arguments: [
    ("B", "a weighting is A, C or Z"),
    (
      "A,calibration=94",
      "a calibration is the level of a sound and its RMS in dBFS, for example 94@-26"
    ),
    ("A,bands=no", "'bands=no' is no setting of sound levels; there are calibration and every"),
  ]) func mistakes(value: String, reason: String) throws {
    let run = try directory.run("measure", "--levels", value, "tone.wav")
    run.expectUsageError(
      "The value '\(value)' is invalid for '--levels <weighting>': \(reason)", of: "measure")
  }
}
