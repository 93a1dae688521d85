// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// `--record` in virtual time, which begins at 22:13:20 UTC on 14 November 2023. Sample k of the card is k, counted from
/// each opening of the device.
@Suite(.needsVirtualCard) struct ScheduledRecordingTests {
  private static let library = VirtualCard.folder.appending(path: "simulation.so").path

  /// - Parameter other: a command of the shell for the fault `other`.
  private func record(
    _ options: String, faults: String = "", other: String = "true", in bench: CardBench
  ) throws -> ProcessRun {
    try bench.pipeline(
      "TZ=UTC0 SIMULATION_OTHER='\(other)' SIMULATION_FAULTS='\(faults)' LD_PRELOAD='\(Self.library)' SIMULATION_LIMIT=1000000"
        + " rawaudio capture -D card -r 8000 -c 1 -f s32 -o '%dT%H%M%S.wav' \(options)")
  }

  /// Returns the samples of a file.
  private func samples(_ name: String, in bench: CardBench) throws -> [Int] {
    let bytes = try bench.wave(name).samples
    return stride(from: 0, to: bytes.count, by: 4).map { littleEndian(bytes, at: $0, 4) }
  }

  /// Returns how often the card was opened.
  private func openings(in bench: CardBench) throws -> Int {
    String(decoding: try bench.bytes(of: "card.log"), as: UTF8.self).split(separator: "\n")
      .count { $0.contains(" close ") }
  }

  private func names(in bench: CardBench) -> [String] {
    bench.names.filter { $0.hasSuffix(".wav") }
  }

  /// Three days: every sample of each window is in a file, and the file has nothing else.
  @Test(arguments: ["close", "keep"])
  func threeDays(between: String) throws {
    let bench = try CardBench(["SPEED": "1"])
    let isKept = between == "keep"
    // A device that runs on gives two thousand million samples in three days.
    let days = isKept ? 1 : 3
    let run = try record(
      "--record 22:20-22:21,04:00-04:01:30 --between \(between) -d \(days * 24):00:00 --json"
        + (isKept ? " --period-size 8000" : ""), in: bench)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let expected = (0..<days).flatMap { ["\(14 + $0)T222000.wav", "\(15 + $0)T040000.wav"] }
    #expect(names(in: bench) == expected.sorted())
    for name in expected {
      let found = try samples(name, in: bench)
      let first = try #require(found.first)
      let areWhole = found.indices.allSatisfy { found[$0] == first + $0 }
      #expect(areWhole, "\(name)")
      // The delay of the card's thread is not known.
      #expect(abs(found.count - (name.contains("T04") ? 720_000 : 480_000)) <= 80, "\(name)")
    }
    let text = run.standardError
    #expect(!text.contains(#""event":"gap""#) && !text.contains(#""event":"alarm""#))
    #expect(
      text.contains(
        #"{"schema":1,"event":"pause","name":"%dT%H%M%S.wav","state":"begin","samplePosition":0,"sampleRate":8000,"#
      ))
    #expect(text.contains(#""until":"2023-11-14T22:20:00+00:00"}"#))
    #expect(
      text.contains(
        "rawaudio: '%dT%H%M%S.wav' pauses until 2023-11-15T04:00:00+00:00, by --record\n"))
    // The pause that the end of the run cuts short is not finished.
    #expect(
      text.matches(of: /"event":"pause","name":"[^"]*","state":"begin"/).count == 2 * days + 1)
    #expect(
      text.matches(of: /"event":"pause","name":"[^"]*","state":"end"/).count == 2 * days)
    let summary = try #require(
      text.split(separator: "\n").last { $0.contains(#""event":"summary""#) })
    #expect(summary.contains(#""losses":0"#) && summary.contains(#""lostSamples":0"#))
    #expect(summary.contains(#""pauses":[{"position":0,"samplesPerChannel":"#))
    // Once to learn its format, and once for each window.
    #expect(try openings(in: bench) == (isKept ? 1 : 1 + 2 * days))
  }

  /// A boot without a clock: the time becomes known meanwhile.
  @Test func theClockIsSetMeanwhile() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try record(
      "--record 04:00-04:00:30 -d 120", faults: "20000:step:20830000", in: bench)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    // 22:13:40 becomes 04:00:50, which is too late.
    #expect(names(in: bench) == [])
    let other = try CardBench(["SPEED": "1"])
    try record("--record 04:00-04:00:30 -d 120", faults: "20000:step:20780000", in: other)
      .requireSuccess()
    #expect(names(in: other).count == 1)
    let name = try #require(names(in: other).first)
    // From 04:00:00 on it records as soon as the device is open.
    #expect(name.hasPrefix("15T04000"))
    #expect((8_000 * 26...8_000 * 30 + 80).contains(try samples(name, in: other).count))
  }

  /// A device that is missing when a window begins ends the recording, or is waited for.
  @Test func aDeviceThatIsMissing() throws {
    for reopens in [false, true] {
      let bench = try CardBench(["SPEED": "1", "PRESENT": "plugged"])
      try bench.write([], to: "plugged")
      let run = try record(
        "--record 22:14-22:15,22:16-22:17 -d 0:04:00 --json" + (reopens ? " --reopen" : ""),
        faults: "120000:other", other: "rm -f plugged", in: bench)
      #expect(names(in: bench) == ["14T221400.wav"])
      #expect(run.standardError.contains(#""event":"alarm","alarm":"device""#) == reopens)
      #expect(run.ending == .exit(reopens ? 0 : 1), "\(run.standardError)")
      if reopens {
        #expect(run.standardError.contains(#""cause":"lost""#))
        #expect(run.standardError.contains(#""losses":1"#))
      } else {
        #expect(
          run.standardError.contains("rawaudio: cannot open device 'card': "),
          "\(run.standardError)")
      }
    }
  }

  /// Silence outside of the windows is none of an alarm, and a pause does not make one.
  @Test func aPauseIsNoSilence() throws {
    let bench = try CardBench(["SPEED": "1"])
    let run = try record(
      "--record 22:14-22:15,22:30-22:31 -d 0:20:00 --alarm-silence 2m --silence-level -150 --json",
      in: bench)
    #expect(run.ending == .exit(0))
    #expect(!run.standardError.contains(#""event":"alarm""#), "\(run.standardError)")
    #expect(names(in: bench).count == 2)
  }
}
