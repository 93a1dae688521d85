// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The logs of a recording that is started again and again.
@Suite(.needsVirtualCard) struct LogTests {
  private func text(_ name: String, of bench: CardBench) throws -> String {
    String(decoding: try bench.bytes(of: name), as: UTF8.self)
  }

  private func frames(_ name: String, of bench: CardBench) throws -> [[String: Any]] {
    try text(name, of: bench).split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }.filter { $0["event"] == nil }
  }

  /// README's line, as a service repeats it.
  @Test func aSecondRunGoesOn() throws {
    let bench = try CardBench()
    for _ in 0..<3 {
      let run = try bench.run(
        "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "2.5", "--split", "1:00:00", "-o",
        "%F_%H%M%S.flac", "--observe", "record:events=levels.json")
      run.expectExit(0)
    }
    let frames = try frames("levels.json", of: bench)
    #expect(
      frames.map { $0["samplePosition"] as? Int } == [
        0, 8_000, 16_000, 0, 8_000, 16_000, 0, 8_000, 16_000,
      ])
    #expect(frames.map { $0["samplesPerChannel"] as? Int }.prefix(3) == [8_000, 8_000, 4_000])
    #expect(frames.map { $0["index"] as? Int }.prefix(3) == [0, 1, 2])
  }

  @Test func forceIsForTheSound() throws {
    let bench = try CardBench()
    for _ in 0..<2 {
      let run = try bench.run(
        "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "1", "--force", "-o", "take.wav",
        "--observe", "record:events=levels.json")
      run.expectExit(0)
    }
    #expect(try frames("levels.json", of: bench).count == 2)
  }

  @Test func theIntervalIsAKey() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "125", "-o", "take.wav", "--observe",
      "record,every=60:events=minutes", "--observe", "record,samples-per-call=80:events=calls",
      "--observe", "record,every=0.25:loudness=loud")
    #expect(run.ending == .exit(0))
    #expect(
      try frames("minutes", of: bench).map { $0["samplesPerChannel"] as? Int } == [
        480_000, 480_000, 40_000,
      ])
    #expect(try text("loud", of: bench).split(separator: "\n").count == 501)
    #expect(try frames("calls", of: bench).count <= 12_500)
  }

  @Test func aFileOfAnotherKindStays() throws {
    let bench = try CardBench()
    let sound = DeviceBytes.noise(400)
    try bench.write(Array("RIFF".utf8) + sound, to: "old.wav")
    let run = try bench.run(
      "capture", "-D", "card", "-d", "1", "--force", "-o", "take.wav", "--observe",
      "record:events=old.wav")
    run.expectExit(
      1, "cannot append to 'old.wav': it is a file of another kind; give the log a name of its own")
    #expect(try bench.bytes(of: "old.wav") == Array("RIFF".utf8) + sound)
    #expect(!bench.exists("take.wav"))
  }

  @Test func tablesHaveOneHead() throws {
    let bench = try CardBench()
    for _ in 0..<2 {
      let run = try bench.run(
        "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "2", "--split", "1", "-o",
        "p%02d.wav", "--labels", "parts-%Y.csv", "--force", "--utc")
      #expect(run.ending == .exit(0))
    }
    let name = try #require(bench.names.first { $0.hasPrefix("parts-2") })
    let lines = try text(name, of: bench).split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.filter { $0.hasPrefix("source,") } == [lines[0]])
    #expect(lines[1].contains(",p00,p00.wav,2") && lines[4].contains(",p01,p01.wav,2"))
  }

  @Test func aNameMayHaveTheDate() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "1", "-o", "take.wav", "--utc",
      "--observe", "record:events=logs%Y/%m.jsonl")
    run.expectExit(0)
    let now = Date().ISO8601Format()
    #expect(
      try frames("logs\(now.prefix(4))/\(now.dropFirst(5).prefix(2)).jsonl", of: bench).count == 1)
    let numbered = try bench.run(
      "capture", "-D", "card", "-d", "1", "-o", "other.wav", "--observe", "record:events=l-%03d")
    numbered.expectUsageError(
      "The value 'record:events=l-%03d' is invalid for '--observe <observer>': a log has no number; write %F for the"
        + " date, as in levels-%F.jsonl", of: "capture")
  }

  @Test func rawTapsAreExtendedByChoice() throws {
    let fed = DeviceBytes.noise(4 * 5_000)
    let bench = try CardBench(input: fed)
    for name in ["a.wav", "b.wav"] {
      let run = try bench.run(
        "capture", "-D", "card", "-r", "44100", "-d", "5000S", "-o", name, "--observe",
        "record,append=yes,encoding=s16:tap=all.raw")
      run.expectExit(0)
    }
    #expect(try bench.bytes(of: "all.raw") == fed + fed)
    let refused = try bench.run(
      "capture", "-D", "card", "-d", "5000S", "-o", "c.wav", "--observe",
      "record,append=yes:tap=all.wav")
    #expect(refused.ending == .exit(64))
    #expect(refused.standardError.contains("the file's header tells its length; name it .raw"))
  }

  /// The first run's disk is full in the middle of a line.
  @Test func aFullDiskCutsNoLaterLine() throws {
    let bench = try CardBench()
    let line =
      "rawaudio capture -D card -r 8000 -c 1 -d 60 -o - --observe record,every=0.1:events=log >/dev/null"
    let full = try bench.pipeline("trap '' XFSZ; ulimit -f 20; \(line)")
    #expect(full.ending == .exit(1))
    #expect(full.standardError.contains("cannot write to 'log': file too large"))
    #expect(try bench.bytes(of: "log").count == 20_480)
    let again = try bench.pipeline(line)
    #expect(again.ending == .exit(0))
    let lines = try text("log", of: bench).split(separator: "\n", omittingEmptySubsequences: false)
    let broken = lines.dropLast().filter {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) == nil
    }
    #expect(broken.count == 1 && lines.last == "")
    #expect(lines.count > 600)
  }

  /// A kill leaves the gaps of the part that it cut, and the next run's lines go behind them.
  @Test func gapsSurviveAKill() throws {
    var bench = try CardBench(["SPEED": "1", "EVENTS": "24000:xrun +24000:xrun"])
    let words = [
      "capture", "-D", "card", "-r", "48000", "-c", "1", "-f", "s32", "-o", "p%02d.wav", "--log",
      "log-%Y.jsonl",
    ]
    func lines() throws -> [[String: Any]] {
      guard let name = bench.names.first(where: { $0.hasPrefix("log-") }) else { return [] }
      return try text(name, of: bench).split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    let killed = try bench.start(words)
    while try lines().count < 2 { usleep(10_000) }
    #expect(killed.wait(sending: SIGKILL).ending == .signal(SIGKILL))
    let gaps = try lines()
    #expect(gaps.allSatisfy { $0["event"] as? String == "gap" && $0["cause"] as? String == "xrun" })
    // Each sample of the card is its position: silence stands where the lines say.
    let read = try bench.pipeline("rawaudio convert p00.wav -t raw -f s32 -o -")
    for gap in gaps.prefix(1) {
      let begin = try #require(gap["samplePosition"] as? Int)
      let count = try #require(gap["lostSamples"] as? Int)
      let range = (begin..<begin + count).prefix { 4 * $0 + 4 <= read.standardOutput.count }
      #expect(range.allSatisfy { littleEndian(read.standardOutput, at: 4 * $0, 4) == 0 })
    }
    bench.settings = ["SPEED": "0"]
    let again = try bench.start(words + ["-d", "48000S"]).wait()
    #expect(again.ending == .exit(0))
    let all = try lines()
    #expect(all.count == gaps.count + 1)
    #expect(all.last?["event"] as? String == "part" && all.last?["path"] as? String == "p01.wav")
  }
}
