// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// The lines of docs/raspberry-pi.md that add up the log of a year.
@Suite(.needsVirtualCard) struct YearTests {
  /// The indented block that begins like this, as it is pasted.
  private func block(beginning: String) throws -> String {
    let lines = try Package.text("docs/raspberry-pi.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("    " + beginning) })
    return lines[start...].prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
      .joined(separator: "\n")
  }

  @Test func theLogIsAddedUp() throws {
    let bench = try CardBench(
      ["EVENTS": "20000:xrun +30000:xrun", "SPEED": "1"],
      input: DeviceBytes.noise(4 * 100_000))
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "80000S", "--split", "10000S", "--keep",
      "200kB", "-o", "%03d.wav", "--log", "year.jsonl", "--on-part", "true", "--alarm-silence",
      "100ms")
    #expect(run.ending == .exit(0))
    var (recorded, lost) = (0.0, 0.0)
    var counts: [String: Int] = [:]
    var (bytes, begins) = (0, 0)
    for line in String(decoding: try bench.bytes(of: "year.jsonl"), as: UTF8.self)
      .split(separator: "\n")
    {
      let event = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let name = try #require(event["event"] as? String)
      counts[name, default: 0] += 1
      switch name {
      case "part": recorded += Double(event["samplesPerChannel"] as? Int ?? 0) / 44_100
      case "gap": lost += Double(event["lostSamples"] as? Int ?? 0) / 44_100
      case "alarm": begins += event["state"] as? String == "begin" ? 1 : 0
      case "part-removed": bytes += event["bytes"] as? Int ?? 0
      default: break
      }
    }
    #expect(counts["part"] == 8 && counts["gap"] == 2 && counts["part-command"] == 8)
    #expect(counts["part-removed", default: 0] > 0 && begins > 0)
    let sums = try bench.pipeline(try block(beginning: "awk '"))
    #expect(
      sums.outputText == """
        recorded: 8 parts, \(String(format: "%.1f", recorded)) s
        lost: 2 gaps of the device, \(String(format: "%.1f", lost)) s; a full disk, 0.0 s
        removed: \(counts["part-removed", default: 0]) parts, \(String(format: "%.1f", Double(bytes) / 1e6)) MB
        handed on: 8 parts
        alarms: \(begins); clock steps: 0

        """, "\(sums.standardError)")
  }

  /// All kinds of lines, with the examples of docs/events.md.
  @Test func everyEventIsCounted() throws {
    let bench = try CardBench()
    var lines = try Package.text("docs/events.md").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix(#"{"schema":1,"event":""#) }
    lines += [
      #"{"schema":1,"event":"part-command","path":"a","state":"done","tries":2,"error":null}"#,
      #"{"schema":1,"event":"gap","lostSamples":null,"sampleRate":48000}"#, "",
    ]
    let text = lines.joined(separator: "\n")
    try bench.write(Array(text.utf8), to: "year.jsonl")
    let sums = try bench.pipeline(try block(beginning: "awk '"))
    #expect(
      sums.outputText == """
        recorded: 1 parts, 60.0 s
        lost: 2 gaps of the device, 0.0 s; a full disk, 20.0 s
        removed: 1 parts, 261.5 MB
        handed on: 1 parts
        alarms: 1; clock steps: 1

        """)
  }
}
