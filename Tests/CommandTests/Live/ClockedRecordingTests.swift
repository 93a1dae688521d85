// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Recordings split by the wall clock, in virtual time, which begins at 22:13:20 UTC on 14 November 2023.
@Suite(.needsVirtualCard) struct ClockedRecordingTests {
  private static let library = VirtualCard.folder.appending(path: "simulation.so").path

  /// Mono, 8 kHz: sample k is k.
  private func record(
    _ options: String, faults: String = "", zone: String = "CET-1CEST,M3.5.0,M10.5.0/3",
    in bench: CardBench
  ) throws -> ProcessRun {
    try bench.pipeline(
      "TZ=\(zone) SIMULATION_FAULTS='\(faults)' LD_PRELOAD='\(Self.library)'"
        + " SIMULATION_LIMIT=1000000 rawaudio capture -D card -r 8000 -c 1 -f s32 --period-size 8000"
        + " \(options)")
  }

  /// Returns the samples per file, and whether the files in order hold 0, 1, 2, … without a gap.
  private func parts(in bench: CardBench) throws -> (names: [String: Int], areWhole: Bool) {
    let folder = bench.path("")
    let names = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".wav") }
    var parts: [(name: String, samples: [Int])] = []
    for name in names {
      let bytes = try bench.wave(name).samples
      let samples = stride(from: 0, to: bytes.count, by: 4).map { littleEndian(bytes, at: $0, 4) }
      parts.append((name, samples))
    }
    parts.sort { $0.samples.first ?? 0 < $1.samples.first ?? 0 }
    let all = parts.flatMap(\.samples)
    let areWhole = all.indices.allSatisfy { all[$0] == $0 }
    return (
      Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.samples.count) }), areWhole
    )
  }

  @Test func partsOfTheClockInFolders() throws {
    let bench = try CardBench(["SPEED": "1"])
    try record("--split 1min -o '%Y/%m/%d/%H%M%S.wav' -d 0:02:10", in: bench).expectExit(0)
    let (parts, areWhole) = try parts(in: bench)
    #expect(areWhole)
    #expect(
      parts.keys.sorted() == [
        "2023/11/14/231320.wav", "2023/11/14/231400.wav", "2023/11/14/231500.wav",
      ])
    // Within a few milliseconds: the delay of the card's thread is unknown.
    #expect(abs((parts["2023/11/14/231400.wav"] ?? 0) - 480_000) <= 40)
    // The time in a file is that of its cut, to the sample.
    for minute in [14, 15] {
      let file = try bench.bytes(of: "2023/11/14/23\(minute)00.wav")
      let chunk = try #require(Data(file).range(of: Data("bext".utf8))?.upperBound) + 4
      #expect(littleEndian(file, at: chunk + 338, 8) == (23 * 3_600 + minute * 60) * 8_000)
    }
  }

  /// Parts with numbers state their times, too, by the clock.
  @Test func numberedPartsStateTheirTimes() throws {
    let bench = try CardBench(["SPEED": "1"])
    try record("--split 20 -o 'part-%01d.wav' -d 60", in: bench).expectExit(0)
    let references = try (0...2).map { number in
      let file = try bench.bytes(of: "part-\(number).wav")
      let chunk = try #require(Data(file).range(of: Data("bext".utf8))?.upperBound) + 4
      return littleEndian(file, at: chunk + 338, 8)
    }
    // 23:13:20 in that zone, and the delay of the card's thread.
    #expect(abs(references[0] - (23 * 3_600 + 13 * 60 + 20) * 8_000) < 16_000)
    for (one, next) in zip(references, references.dropFirst()) {
      #expect(abs(next - one - 160_000) <= 40)
    }
  }

  /// The lines of JSON of parts, frames and the rows of the table state the time of day.
  @Test func linesAndRowsStateTheTime() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try record(
      "--split 1min -o '%H%M%S.wav' -d 0:01:50 --json --labels t.jsonl"
        + " --observe record,samples-per-call=8000:events=log", in: bench)
    #expect(run.ending == .exit(0))
    let boundaries = ["2023-11-14T23:14:00.000+01:00", "2023-11-14T23:15:00.000+01:00"]
    let parts = run.standardError.matches(of: /"event":"part".*?"time":"([^"]*)"/)
    #expect(parts.dropFirst().map { "\($0.1)" } == boundaries)
    let rows = String(decoding: try bench.bytes(of: "t.jsonl"), as: UTF8.self)
      .matches(of: /"time":"([^"]*)"/)
    #expect(rows.map { "\($0.1)" } == parts.map { "\($0.1)" })
    let log = String(decoding: try bench.bytes(of: "log"), as: UTF8.self)
    let frames = log.matches(of: /"samplePosition":(\d+),"renderTime":\d+,"time":"([^"]*)"/)
    #expect(frames.count == 110)
    let first = try Date("2023-11-14T22:13:20Z", strategy: .iso8601)
    for frame in frames {
      let text = frame.2.replacing(/\.\d{3}/, with: "")
      let thousandths = Double(frame.2.dropFirst(19).prefix(4)) ?? 0
      let time = try Date(text, strategy: .iso8601).timeIntervalSince(first) + thousandths
      // The delay of the card's thread, and a period.
      #expect(abs(time - (Double(frame.1) ?? 0) / 8_000) < 1.1, "\(frame.0)")
    }
  }

  /// Parts of a length are named after their first second, at any start of the recording.
  @Test func partsOfALengthHaveTheirTimes() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try record(
      "-v --utc --split 1.5 -o '%H%M%S.wav' -d 6", faults: "1:step:950", in: bench)
    #expect(run.ending == .exit(0))
    let told = run.standardError.matches(
      of:
        /part '(\d\d)(\d\d)(\d\d)\.wav': samples \d+ to \d+, from 2023-11-14T(\d\d):(\d\d):(\d\d)\./
    )
    #expect(told.count == 4, "\(run.standardError)")
    for part in told { #expect((part.1, part.2, part.3) == (part.4, part.5, part.6)) }
    #expect(try parts(in: bench).areWhole)
  }

  @Test func aDayThatIsTakenForANumber() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try record("-o out%d.wav -d 1", in: bench)
    #expect(run.ending == .exit(64))
    #expect(
      run.standardError.hasPrefix(
        "Error: The value 'out%d.wav' is invalid for '--output <sink>': '%d' is the day of the month, and"
          + " all parts of a day would have the same name; write %04d for the part's number, or %F for the"
          + " whole date\n"), "\(run.standardError)")
    #expect(!bench.exists("out14.wav"))
  }

  /// A summer time two minutes ahead ends at 23:17, which becomes 23:15: two minutes come twice.
  @Test func summerTimeEnds() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try record(
      "--split 1min -o '%H%M%S.wav' -d 0:04:10", zone: "WIN-1SUM-1:02,M3.5.0,J318/23:17:00",
      in: bench)
    run.expectExit(0)
    let (parts, areWhole) = try parts(in: bench)
    #expect(areWhole)
    #expect(
      parts.keys.sorted() == [
        "231500.wav", "231520.wav", "231600.wav", "231601.wav", "231700.wav",
      ])
  }

  /// The clock jumps forward by an hour, and back by two.
  @Test func aClockThatIsSet() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try record(
      "--utc --split hour -o '%H%M%S.wav' -d 45 --json",
      faults: "10000:step:3600000 30000:step:-7200000", in: bench)
    #expect(run.ending == .exit(0))
    let steps = run.standardError.matches(
      of:
        /\{"schema":1,"event":"clock-step","name":"%H%M%S.wav","samplePosition":(\d+),"sampleRate":8000,"seconds":(-?\d+)\.0,"time":"2023-11-14T(\S+)\+00:00"\}\n/
    )
    #expect(steps.map { "\($0.2)" } == ["3600", "-7200"], "\(run.standardError)")
    let (parts, areWhole) = try parts(in: bench)
    #expect(areWhole)
    #expect(parts.count == 3)
    #expect(parts.keys.contains("221320.wav"))
    let names = run.standardError.matches(of: /"path":"(\d+)\.wav"/).map { "\($0.1)" }
    #expect(names.first == "221320")
    #expect(names.dropFirst().first.map { "231329"..."231331" ~= $0 } == true, "\(names)")
    #expect(names.last.map { "211349"..."211351" ~= $0 } == true, "\(names)")
  }

  /// Earlier recordings are never overwritten and never block a new one.
  @Test func aRestartGoesOn() throws {
    for (pattern, expected) in [
      ("take-%03d.wav", ["take-000.wav", "take-001.wav", "take-002.wav", "take-003.wav"]),
      ("%H%M%S.wav", ["231320.wav", "231321.wav", "231330.wav", "231331.wav"]),
      ("%H.wav", ["23.wav", "23_x2.wav", "23_x3.wav", "23_x4.wav"]),
    ] {
      let bench = try CardBench(["SPEED": "1"])
      for _ in 0..<2 {
        try record("--split 30sec -o '\(pattern)' -d 15", in: bench).expectExit(0)
      }
      #expect(try parts(in: bench).names.keys.sorted() == expected)
      // A fixed name keeps its file.
      let old = try bench.bytes(of: expected[0])
      let refused = try record("-o \(expected[0]) -d 1", in: bench)
      refused.expectMessages(
        "cannot write to '\(expected[0])': it exists already; use --force to overwrite")
      #expect(try bench.bytes(of: expected[0]) == old)
    }
  }

  /// A folder that cannot be created ends the recording at once and keeps the written parts.
  @Test func aFolderThatCannotBeMade() throws {
    let bench = try CardBench(["SPEED": "1"])
    try bench.write([1], to: "15")
    let run = try record("--split 30sec -o '%M/%S.wav' -d 0:03:00", in: bench)
    #expect(run.ending == .exit(1))
    let told = try #require(
      run.standardError.firstMatch(
        of:
          /rawaudio: cannot write to '15\/00\.wav': a part of the path is not a directory; (\d+) samples per channel are kept in 4 parts\n/
      ), "\(run.standardError)")
    let (parts, areWhole) = try parts(in: bench)
    #expect(areWhole)
    #expect(Int(told.1) == parts.values.reduce(0, +))
  }
}
