// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio capture` from a device that loses samples: the file and the reports.
///
/// The card runs in real time. Each of its samples is its own position on the card's clock.
@Suite(.needsVirtualCard) struct RecordingTests {
  private static let rate = 192_000
  private static let length = 192_000
  /// The requested period: 10 ms.
  private static let period = 1_920
  private static let events = Array(repeating: "+9600:xrun", count: 8) + ["+9600:suspend"]

  private func capture(
    _ bench: CardBench, _ options: String..., sink: String = "take.wav"
  ) throws -> ProcessRun {
    try bench.start(
      [
        "capture", "-D", "card", "-r", "\(Self.rate)", "-c", "1", "-f", "s32", "-d",
        "\(Self.length)S", "-o", sink,
        // A buffer so short that the program reads every period.
        "--period-size", "10ms", "--buffer-size", "250ms",
      ] + options
    ).wait()
  }

  private func bench(_ events: [String] = Self.events) throws -> CardBench {
    try CardBench(["SPEED": "1", "RATES": "0", "EVENTS": events.joined(separator: " ")])
  }

  @Test func silenceStandsForWhatWasLost() throws {
    let bench = try bench()
    let run = try capture(bench, "--json")
    #expect(run.ending == .exit(0))
    let lines = try objects(run.standardError)
    let summary = try #require(lines.last)
    #expect(summary["event"] as? String == "summary")
    #expect(summary["outcome"] as? String == "finished")
    let source = try #require((summary["sources"] as? [[String: Any]])?.first)
    #expect(source["source"] as? String == "local")
    #expect(source["samplesPerChannel"] as? Int == Self.length)
    #expect(source["sampleRate"] as? Int == Self.rate)
    #expect(source["requestedSampleRate"] as? Int == Self.rate)
    #expect(source["channels"] as? Int == 1)
    #expect(source["encoding"] as? String == "s32")
    #expect(source["periodSize"] as? Int == Self.period)
    #expect(source["ringSize"] as? Int == 4 * Self.rate)
    let gaps = try #require(source["gaps"] as? [String: Any])
    let list = try #require(gaps["list"] as? [[String: Any]])
    #expect(list.count == gaps["count"] as? Int)
    #expect(list.count > 4)
    let told = lines.filter { $0["event"] as? String == "gap" }
    #expect(told.count == list.count)
    #expect(
      told.map { $0["samplePosition"] as? Int } == list.map { $0["samplePosition"] as? Int })
    #expect(list.allSatisfy { $0["estimated"] as? Bool == true })

    let take = try samples(of: "take.wav", in: bench)
    #expect(take.count == Self.length)
    // Within a period of the card's clock throughout.
    let largest = take.enumerated().filter { $1 != 0 }.map { abs($1 - $0) }.max()
    #expect(try #require(largest) <= Self.period)
    for gap in list {
      let position = try #require(gap["samplePosition"] as? Int)
      let lost = try #require(gap["lostSamples"] as? Int)
      #expect(take[position..<min(position + lost, take.count)].allSatisfy { $0 == 0 })
      if position > 0 { #expect(take[position - 1] != 0 || position == 1) }
    }
  }

  @Test func peopleAreToldWhereTheGapsAre() throws {
    let bench = try bench(["+9600:xrun"])
    let run = try capture(bench, "--fail-on", "xrun")
    #expect(run.ending == .exit(2))
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.count == 2)
    let count = try #require(lines.first)
    #expect(count.hasPrefix("rawaudio: device 'card': 1 overrun, "))
    #expect(count.contains(" per channel lost (estimated ±"))
    let gap = try #require(lines.last)
    #expect(gap.hasPrefix("rawaudio: device 'card': overrun at 0:00:00.0"))
    #expect(gap.contains(" samples (estimated ±"))
  }

  /// The samples dropped by a full ring are the reported lost samples.
  @Test func anOverflowIsToldOnce() throws {
    let bench = try CardBench(["SPEED": "1", "RATES": "0", "EVENTS": "700000:touch:late"])
    let run = try bench.pipeline(
      "rawaudio capture -D card -r 768000 -c 1 --ring-size 100ms -d 900000S -o - --json 2>said |"
        + " { head -c 1000; until [ -e late ]; do sleep 0.01; done; cat; } > take.wav")
    #expect(run.ending == .exit(0))
    let said = String(decoding: try bench.bytes(of: "said"), as: UTF8.self)
    let note = try #require(
      said.firstMatch(
        of: /\n(rawaudio: [^\n]* overflows? of the ring, (\d+) samples per channel lost)\n/))
    #expect(!note.1.contains("dropped"))
    let summary = try #require(try objects(said).last)
    let source = try #require((summary["sources"] as? [[String: Any]])?.first)
    let lost = (source["gaps"] as? [String: Any])?["lostSamples"] as? Int
    #expect(Int(note.2) == lost)
    #expect(try #require(source["overflowedSamples"] as? Int) > 0)
  }

  @Test func aMarkIsACuePointAndALine() throws {
    let bench = try bench()
    let run = try capture(
      bench, "--on-xrun", "mark", "--json", "--observe", "record:events=events.json")
    #expect(run.ending == .exit(0))
    let told = try objects(run.standardError).filter { $0["event"] as? String == "gap" }
    #expect(told.count > 4)
    let logged = try objects(String(decoding: bench.bytes(of: "events.json"), as: UTF8.self))
      .filter { $0["event"] as? String == "gap" }
    #expect(logged.count == told.count)
    let bytes = try bench.bytes(of: "take.wav")
    let cues = try #require(WaveFile.chunk("cue ", of: bytes))
    #expect(cues.count == 4 + 24 * told.count)
    for (index, gap) in told.enumerated() {
      let position = (0..<4).reduce(0) { $0 | Int(cues[4 + 24 * index + 4 + $1]) << (8 * $1) }
      #expect(position == gap["samplePosition"] as? Int)
    }
    let labels = String(decoding: try #require(WaveFile.chunk("LIST", of: bytes)), as: UTF8.self)
    let first = try #require(told.first)
    let label =
      "\(first["cause"] ?? "") \(first["lostSamples"] ?? "") samples (estimated ±\(first["uncertainty"] ?? ""))"
    #expect(labels.contains(label + "\0"))
  }

  /// The positions of gaps count from the start of the file. Earlier gaps have no mark.
  @Test func gapsArePlacedInWhatIsRecorded() throws {
    let bench = try bench()
    let start = 48_000
    let run = try bench.start([
      "capture", "-D", "card", "-r", "\(Self.rate)", "-c", "1", "-f", "s32", "--start", "\(start)S",
      "-d", "96000S", "-o", "take.wav", "--on-xrun", "mark", "--json",
    ]).wait()
    #expect(run.ending == .exit(0))
    let take = try samples(of: "take.wav", in: bench)
    #expect(take.count == 96_000)
    #expect(take.enumerated().allSatisfy { $1 == 0 || abs($1 - $0 - start) <= Self.period })
    let lines = try objects(run.standardError)
    let gaps = lines.filter { $0["event"] as? String == "gap" }
    let positions = gaps.compactMap { $0["samplePosition"] as? Int }
    #expect(positions.contains { $0 < 0 })
    let inside = positions.filter { (1..<96_000).contains($0) }
    #expect(inside.count > 1)
    for position in inside {
      #expect(take[position] == 0)
      #expect(take[position - 1] != 0)
    }
    let summary = try #require(lines.last)
    let source = try #require((summary["sources"] as? [[String: Any]])?.first)
    let list = (source["gaps"] as? [String: Any])?["list"] as? [[String: Any]]
    #expect(list?.compactMap { $0["samplePosition"] as? Int } == positions)
    let cues = try #require(WaveFile.chunk("cue ", of: bench.bytes(of: "take.wav")))
    var marks: [Int] = []
    for index in stride(from: 8, to: cues.count, by: 24) {
      marks.append(littleEndian(cues, at: index, 4))
    }
    #expect(marks.filter { $0 > 0 } == inside)
  }

  @Test func aMarkIsTold() throws {
    let run = try capture(try bench(["+9600:xrun"]), "--on-xrun", "mark")
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("rawaudio: device 'card': overrun at 0:00:00.0") == true)
    #expect(run.ending == .exit(0))
  }

  @Test func aGapMayBeFatal() throws {
    let bench = try bench(["+19200:xrun"])
    let run = try capture(bench, "--on-xrun", "fail")
    #expect(run.ending == .exit(1))
    let take = try samples(of: "take.wav", in: bench)
    let beginning = "rawaudio: cannot capture without a gap from 'card': its buffer overran, after "
    let line = run.standardError.split(separator: "\n").last ?? ""
    #expect(line.hasPrefix("\(beginning)\(take.count) samples per channel; "))
    #expect(line.contains(" samples per channel were lost (estimated ±"))
    #expect(take == Array(0..<take.count))
    #expect(take.count <= 19_200)

    let json = try capture(try self.bench(["+19200:xrun"]), "--on-xrun", "fail", "--json")
    let summary = try #require(try objects(json.standardError).last)
    #expect(summary["outcome"] as? String == "failed")
    #expect((summary["error"] as? String)?.contains("its buffer overran") == true)
  }

  @Test func anotherRateIsResampled() throws {
    // Low enough that resampling never clips.
    let bench = try CardBench(["INFILE": "silence.raw"])
    try bench.write([0, 0, 0, 0], to: "silence.raw")
    let run = try bench.run(
      "capture", "-D", "cd", "-r", "48000", "-d", "44100S", "--rate-policy", "resample", "-o",
      "take.wav")
    run.expectExit(
      0, "device 'cd' does not give 48000 Hz; it runs at 44100 Hz, and its samples are resampled")
    let take = try bench.wave("take.wav")
    #expect(take.sampleRate == 48_000)
    #expect(take.samples.count == 4 * 48_000)
    let given = try bench.run(
      "capture", "-D", "cd", "-r", "44100", "-d", "100S", "--rate-policy", "resample", "-o",
      "given.wav")
    #expect(given.standardError == "")
  }

  @Test func aSessionTellsOfItsSources() throws {
    let bench = try bench(["+4800:xrun"])
    let run = try bench.run(
      "session", "--local", "alsa:card", "--publish", "take.wav", "-d", "0.5", "--on-xrun", "mark",
      "--json", "--ring-size", "1000ms", "--period-size", "10ms")
    #expect(run.ending == .exit(0))
    let summary = try #require(try objects(run.standardError).last)
    let source = try #require((summary["sources"] as? [[String: Any]])?.first)
    #expect((source["gaps"] as? [String: Any])?["count"] as? Int == 1)
    #expect(source["ringSize"] as? Int == 48_000)
    #expect(WaveFile.chunk("cue ", of: try bench.bytes(of: "take.wav"))?.count == 28)
  }

  /// Returns the lines of JSON.
  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func samples(of name: String, in bench: CardBench) throws -> [Int] {
    let bytes = try #require(WaveFile.chunk("data", of: bench.bytes(of: name)))
    return stride(from: 0, to: bytes.count, by: 4).map { index in
      Int(Int32(truncatingIfNeeded: littleEndian(bytes, at: index, 4)))
    }
  }
}
