// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Parts whose command fails, hangs or never ran are handed on later: in the same run or in the next one.
@Suite(.needsVirtualCard) struct PartRetryTests {
  /// A recording in parts of a thousand samples, for which this command runs.
  private func capture(_ length: Int?, _ command: String, _ options: String...) -> [String] {
    ["capture", "-D", "card", "-r", "8000", "-c", "1", "--split", "1000S", "-o", "p%03d.wav"]
      + (length.map { ["-d", "\($0)S"] } ?? []) + ["--on-part", command] + options
  }

  private func lines(_ name: String, in bench: CardBench) -> [String] {
    guard let bytes = try? bench.bytes(of: name) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func await(_ count: Int, in name: String, of bench: CardBench) -> Bool {
    for _ in 0..<6_000 {
      if lines(name, in: bench).count >= count { return true }
      usleep(10_000)
    }
    return false
  }

  private func ledgers(in bench: CardBench) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: bench.path(""))
      .filter { $0.hasPrefix(".rawaudio-parts") }
  }

  private func told(_ run: ProcessRun) -> [Substring] {
    run.standardError.split(separator: "\n").filter { $0.hasPrefix("rawaudio: --on-part") }
  }

  private static let publish = #"echo "$RAWAUDIO_PART" >> told"#

  /// The first two hundred runs fail. Behind the first success the oldest part comes first.
  @Test func twoHundredFailuresInARow() throws {
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start(
      capture(
        nil, #"echo x >> tries; test $(wc -l < tries) -gt 200 && \#(Self.publish)"#,
        "--on-part-retry", "1ms", "--log", "log"))
    #expect(self.await(201, in: "tries", of: bench))
    // Until all parts that failed are done.
    let early = bench.names.count { $0.hasSuffix(".wav") }
    #expect(self.await(early + 1, in: "told", of: bench))
    let run = process.wait(sending: SIGINT)
    #expect(run.ending == .exit(0))
    let parts = bench.names.filter { $0.hasSuffix(".wav") }
    let handed = lines("told", in: bench)
    #expect(handed.sorted() == parts)
    let rest = Array(handed.dropFirst())
    #expect(rest == parts.filter { $0 != handed.first })
    #expect(lines("tries", in: bench).count == 200 + parts.count)
    #expect(try ledgers(in: bench) == [])
    // On a busy machine parts wait.
    let notes = told(run).filter { !$0.contains("is too slow") }
    #expect(notes.first == "rawaudio: --on-part for 'p000.wav': it exited with status 1")
    #expect(notes.dropFirst().first?.contains("has succeeded at try ") == true)
    #expect(notes.count == 2)
    // The log has the first failure of each part, and its success.
    let log = lines("log", in: bench).filter { $0.contains(#""event":"part-command""#) }
    #expect(log.count { $0.contains(#""state":"done""#) } == parts.count)
    let failed = log.filter { $0.contains(#""state":"failed""#) }
    #expect(failed.count <= parts.count && failed.allSatisfy { $0.contains(#""tries":1,"#) })
    #expect(
      failed.first
        == #"{"schema":1,"event":"part-command","path":"p000.wav","state":"failed","tries":1,"error":"it exited with status 1"}"#
    )
  }

  @Test func theNextRunHandsOnWhatIsLeft() throws {
    var bench = try CardBench()
    let failed = try bench.start(capture(3_000, "exit 3")).wait()
    #expect(failed.ending == .exit(0))
    #expect(
      told(failed) == [
        "rawaudio: --on-part for 'p000.wav': it exited with status 3",
        "rawaudio: --on-part has failed for 'p000.wav' and 2 more: the next run tries again",
      ])
    let list = try ledgers(in: bench)
    #expect(list.count == 1)
    // One that is gone is told, one that its command moves is not missed.
    try FileManager.default.removeItem(atPath: bench.path("p001.wav"))
    bench.settings["SPEED"] = "1"
    let process = try bench.start(
      capture(nil, Self.publish + #"; mv "$RAWAUDIO_PART" moved-"$RAWAUDIO_PART""#, "--json"))
    #expect(self.await(3, in: "told", of: bench))
    let run = process.wait(sending: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(lines("told", in: bench).prefix(3) == ["p000.wav", "p002.wav", "p003.wav"])
    #expect(
      told(run) == [
        "rawaudio: --on-part goes on with 'p000.wav' and 2 more, left by an earlier run",
        "rawaudio: --on-part is not run for 'p001.wav': it is gone",
      ])
    #expect(
      run.standardError.contains(
        #"{"schema":1,"event":"part-command","path":"p001.wav","state":"dropped","tries":1,"error":null}"#
      ))
    #expect(bench.names.filter { $0.hasPrefix("p") && $0.hasSuffix(".wav") } == [])
    #expect(try ledgers(in: bench) == [])
  }

  /// SIGKILL comes while a part is written, one is handed on and one has failed.
  @Test func aKillLosesNoPart() throws {
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start(
      capture(
        nil,
        "case $RAWAUDIO_PART in p000*) exit 1;; p001*) ;; *) echo $$ > pid; exec sleep 1000;; esac"
      ))
    #expect(self.await(1, in: "pid", of: bench))
    #expect(bench.awaitFile("p004.wav"))
    #expect(bench.awaitSize(1_000, of: "p004.wav"))
    process.send(signal: SIGKILL)
    // It has the pipe of the recording's standard error.
    if let command = lines("pid", in: bench).first.flatMap({ pid_t($0) }) { kill(command, SIGKILL) }
    #expect(process.wait().ending == .signal(SIGKILL))
    let parts = bench.names.filter { $0.hasSuffix(".wav") && $0 != "p001.wav" }
    #expect(parts.count >= 4)
    let next = try bench.start(
      capture(nil, Self.publish + #"; echo "$RAWAUDIO_PART_JSON" >> details"#))
    #expect(self.await(parts.count + 1, in: "told", of: bench))
    #expect(next.wait(sending: SIGINT).ending == .exit(0))
    let all = bench.names.filter { $0.hasSuffix(".wav") && $0 != "p001.wav" }
    #expect(lines("told", in: bench) == all)
    // The cut part has no known length.
    let cut = try #require(parts.last)
    let size = try bench.bytes(of: cut).count
    let details = lines("details", in: bench)[parts.count - 1]
    #expect(details.contains(#""path":"\#(cut)""#))
    #expect(details.contains(#""samplesPerChannel":null"#))
    #expect(details.hasSuffix(#""bytes":\#(size),"cut":true}"#))
    #expect(try ledgers(in: bench) == [])
  }

  /// A file that may not grow ends the run as a full disk does.
  @Test func aPartThatAFullDiskCutIsHandedOnByTheNextRun() throws {
    let bench = try CardBench()
    let cut = try bench.pipeline(
      """
      ulimit -f 64; rawaudio capture -D card -r 8000 -c 1 -d 20 --split signal --on-full fail \
        -o p%03d.wav --on-part 'echo "$RAWAUDIO_PART" >> told'
      """)
    #expect(cut.ending == .exit(1))
    #expect(!bench.exists("told") && bench.exists("p000.wav"))
    #expect(try ledgers(in: bench).count == 1)
    let next = try bench.start(capture(1_000, Self.publish)).wait()
    #expect(next.ending == .exit(0))
    #expect(lines("told", in: bench) == ["p000.wav", "p001.wav"])
    #expect(try ledgers(in: bench) == [])
  }

  /// The command of a part moves it and fails: it is not run for a part that is gone.
  @Test func aMovedPartIsDropped() throws {
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start(
      capture(
        nil, #"mv "$RAWAUDIO_PART" moved; exit 1"#, "--on-part-retry", "1ms",
        "--log", "log"))
    for _ in 0..<3_000
    where !lines("log", in: bench).contains(where: { $0.contains("dropped") }) { usleep(10_000) }
    let run = process.wait(sending: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(told(run).contains("rawaudio: --on-part is not run for 'p000.wav': it is gone"))
  }

  @Test func aCommandThatHangsIsEndedAndTriedAgain() throws {
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start(
      capture(
        nil, #"test -e slow || { touch slow; exec sleep 1000; }; \#(Self.publish)"#,
        "--on-part-timeout", "200ms", "--on-part-retry", "1ms"))
    #expect(self.await(2, in: "told", of: bench))
    let run = process.wait(sending: SIGINT)
    #expect(run.ending == .exit(0))
    #expect(
      told(run).first
        == "rawaudio: --on-part for 'p000.wav': it took longer than 0.2 seconds, and was ended")
    #expect(lines("told", in: bench).sorted() == bench.names.filter { $0.hasSuffix(".wav") })
  }

  /// A list that others wrote names no other file.
  @Test func onlyPartsAreHandedOn() throws {
    let bench = try CardBench()
    #expect(try bench.start(capture(1_000, "exit 1")).wait().ending == .exit(0))
    let list = try #require(try ledgers(in: bench).first)
    try bench.write([0], to: "secret.wav")
    try FileManager.default.createDirectory(
      atPath: bench.path("p1"), withIntermediateDirectories: false)
    for name in ["secret.wav", "../p000.wav", "p1/p000.wav", "/etc/passwd", "", "p000.wav"] {
      let line = #"{"part":"\#(name)","state":"complete"}"# + "\n"
      let text = try bench.bytes(of: list)
      try bench.write(text + Array(line.utf8), to: list)
    }
    let run = try bench.start(capture(1_000, Self.publish)).wait()
    #expect(run.ending == .exit(0))
    #expect(lines("told", in: bench) == ["p000.wav", "p001.wav"])
  }

  /// The only file of a recording has no next run.
  @Test func theOnlyFileIsTriedOnce() throws {
    let bench = try CardBench()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "1", "-o", "a.wav", "--on-part",
      "exit 1")
    #expect(run.ending == .exit(0))
    #expect(told(run) == ["rawaudio: --on-part for 'a.wav': it exited with status 1"])
    #expect(try ledgers(in: bench) == [])
  }

  /// In the folder of the pattern, also if another run names it otherwise.
  @Test func theListIsBesideTheParts() throws {
    let bench = try CardBench()
    try FileManager.default.createDirectory(
      atPath: bench.path("rec"), withIntermediateDirectories: false)
    func run(_ name: String, _ command: String) throws -> ProcessRun {
      try bench.run(
        "capture", "-D", "card", "-r", "8000", "-c", "1", "-d", "1000S", "-o", name, "--on-part",
        command)
    }
    #expect(try run("rec/%Y/%03d.wav", "exit 1").ending == .exit(0))
    let absolute = bench.path("rec/%Y/%03d.wav")
    let next = try run(absolute, #"echo "$RAWAUDIO_PART" >> told"#)
    #expect(told(next).first?.contains("left by an earlier run") == true)
  }

  @Test(
    arguments: [
      ["--on-part-retry", "10s"]: "'--on-part-retry <pause>' needs '--on-part <command>'",
      ["--on-part-timeout", "10m"]: "'--on-part-timeout <time>' needs '--on-part <command>'",
      ["--on-part", "true", "--on-part-retry", "0"]:
        "The value '0' is invalid for '--on-part-retry <pause>': it must be above 0",
      ["--on-part", "true", "--on-part-jobs", "0"]:
        "The value '0' is invalid for '--on-part-jobs <number>': it is a number from 1 to 64",
    ] as [[String]: String])
  func mistakes(arguments: [String], message: String) throws {
    let bench = try CardBench()
    let run = try bench.start(["capture", "-d", "1", "-o", "a.wav"] + arguments).wait()
    #expect(run.ending == .exit(64))
    #expect(run.standardError.hasPrefix("Error: \(message)\n"), "\(run.standardError)")
  }
}
