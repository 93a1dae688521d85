// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Testing

@testable import AudioPrograms

/// Filters that break their contract: the error names the fault, earlier output has been delivered, and nothing waits
/// for ever. Such a failure hangs; the runner of the tests then names the test.
@Suite struct FaultTests {
  private let short = Noise.integers(1_000, seed: 11)
  /// More than all pipes and queues hold.
  private let long = Noise.integers(900_000, seed: 12)

  private func expect(
    _ command: String, _ samples: [Double], gives count: Int?, mode: ObserverMode = .readWrite,
    kind: AudioError.Kind = .inputOutput, tells reasons: [String],
    timeout: Duration = .seconds(60), location: SourceLocation = #_sourceLocation
  ) throws {
    let harness = try ProgramHarness<Float>(
      command, layout: SampleLayout(.s16), mode: mode, timeout: timeout)
    let outcome = harness.run(samples)
    let error = try #require(outcome.error, sourceLocation: location)
    #expect(error.kind == kind, sourceLocation: location)
    #expect(error.action == "run", sourceLocation: location)
    #expect(!error.description.contains { $0.isNewline }, sourceLocation: location)
    for reason in reasons {
      #expect(error.reason.contains(reason), "\(error)", sourceLocation: location)
    }
    if let count {
      #expect(outcome.samples == Array(samples.prefix(count)), sourceLocation: location)
    }
  }

  @Test func diesHalfWay() throws {
    try expect(
      "head -c 200000", long, gives: 100_000, tells: ["it exited with status 0", "100000 out"])
    try expect(
      "head -c 200000; exit 3", long, gives: 100_000,
      tells: ["it exited with status 3", "100000 out"])
    try expect(
      "head -c 200000; kill -KILL $$", long, gives: 100_000,
      tells: ["it was killed by signal 9 (killed)", "100000 out"])
  }

  @Test func aDeathBehindAShellIsNamedAsWell() throws {
    try expect(
      "exec 2>/dev/null; sh -c 'head -c 200000; kill -SEGV $$'; exit $?", long, gives: 100_000,
      tells: ["it was killed by signal 11 (segmentation fault)"])
  }

  @Test func whatCameBackLeavesBeforeTheErrorIsThrown() throws {
    let harness = try ProgramHarness<Float>("head -c 200000", layout: SampleLayout(.s16))
    try harness.process(long)
    #expect(harness.samples == Array(long.prefix(100_000)))
    #expect(throws: AudioError.self) { try harness.process([0]) }
    #expect(throws: AudioError.self) { try harness.finish() }
    #expect(harness.samples.count == 100_000)
  }

  @Test func failsAfterAllItsSamples() throws {
    try expect("cat; exit 5", short, gives: 1_000, tells: ["it exited with status 5"])
    try expect(
      "cat >/dev/null; exit 5", short, gives: 1_000, mode: .readOnly, tells: ["with status 5"])
  }

  @Test func givesTooLittle() throws {
    try expect(
      "cat | head -c 1998", short, gives: 999, tells: ["it gave 999 samples per channel for 1000"])
    try expect(
      "cat | head -c 1999", short, gives: 999,
      tells: ["999 samples per channel and 1 byte for 1000"])
    try expect(
      "cat >/dev/null", long, gives: 0, tells: ["it gave 0 samples per channel for 900000"])
  }

  @Test func givesTooMuch() throws {
    try expect(
      "cat; head -c 200 /dev/zero", short, gives: 1_000,
      tells: ["it gave 1100 samples per channel for 1000"])
    try expect(
      "cat; echo", short, gives: 1_000, tells: ["1000 samples per channel and 1 byte for 1000"])
  }

  @Test func floods() throws {
    try expect(
      "exec yes", long, gives: nil, tells: ["it gave more than", "samples per channel for"])
    try expect("cat; exec yes", short, gives: 1_000, tells: ["it gave more than", "for 1000"])
  }

  @Test func anAnswerBeforeTheQuestionIsNoFault() throws {
    let outcome = try ProgramHarness<Float>(
      "head -c 2000 /dev/zero; cat >/dev/null", layout: SampleLayout(.s16)
    ).run(short, blocks: [10])
    #expect(outcome.error == nil)
    #expect(outcome.samples == Array(repeating: 0, count: 1_000))
  }

  @Test func stalls() throws {
    let stalled = "neither its input nor its output moved for 0.2 seconds"
    let timeout = Duration.milliseconds(200)
    try expect("exec sleep 1000", long, gives: 0, tells: [stalled, "0 out"], timeout: timeout)
    try expect("exec sleep 1000", short, gives: 0, tells: [stalled], timeout: timeout)
    try expect(
      "exec sleep 1000", long, gives: nil, mode: .readOnly, tells: [stalled], timeout: timeout)
    try expect(
      "exec sleep 1000", short, gives: 0, mode: .writeOnly, tells: [stalled], timeout: timeout)
  }

  @Test func ignoresTheEndOfItsInput() throws {
    let timeout = Duration.milliseconds(200)
    try expect(
      "cat; sleep 1000", short, gives: 1_000, tells: ["nor its output moved for 0.2 seconds"],
      timeout: timeout)
    try expect(
      "cat; exec >&-; sleep 1000", short, gives: 1_000,
      tells: ["it did not end within 0.2 seconds of the end of its input"], timeout: timeout)
    try expect(
      "cat; sleep 1000", short, gives: 1_000, mode: .readOnly,
      tells: ["it did not end within 0.2 seconds of the end of its input"], timeout: timeout)
  }

  @Test func ignoresBeingAskedToEnd() throws {
    try expect(
      "trap '' TERM; cat; while :; do sleep 1000; done", short, gives: 1_000,
      tells: ["nor its output"],
      timeout: .milliseconds(200))
  }

  @Test func closesItsInput() throws {
    try expect(
      "exec <&-; sleep 1000", long, gives: 0, tells: ["it closed its input too early"])
    try expect(
      "head -c 2000; exec <&-; sleep 1000", long, gives: 1_000,
      tells: ["it closed its input too early", "1000 out"])
    try expect(
      "exec <&-; sleep 1000", long, gives: nil, mode: .readOnly,
      tells: ["it closed its input too early"])
  }

  @Test func closesItsOutput() throws {
    try expect(
      "exec >&-; cat >/dev/null; sleep 1000", long, gives: 0, tells: ["0 out"],
      timeout: .milliseconds(200))
  }

  @Test(arguments: ObserverMode.allCases)
  func neverStarts(_ mode: ObserverMode) throws {
    let missing = "exec 2>/dev/null; no-such-program-here"
    try expect(missing, long, gives: nil, mode: mode, kind: .notFound, tells: ["no such program"])
    try expect(
      "exec 2>/dev/null; /etc/passwd", long, gives: nil, mode: mode, kind: .unavailable,
      tells: ["it is not an executable program"])
  }

  @Test func aCommandOfSeveralLinesIsToldInOne() throws {
    try expect("cat >/dev/null\nexit 4", short, gives: 0, tells: ["it exited with status 4"])
  }

  @Test func illegalOptionsAreRefused() {
    #expect(throws: AudioError.self) {
      try ExternalProgram(.record, "cat", latency: -1)
    }
    #expect(throws: AudioError.self) {
      try ExternalProgram(.record, "cat", latency: .max)
    }
    #expect(throws: AudioError.self) {
      try ExternalProgram(.record, "cat", timeout: .zero)
    }
  }
}
