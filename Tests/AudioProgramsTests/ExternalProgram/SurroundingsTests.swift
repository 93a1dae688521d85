// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import TestProcess
import Testing

import AudioKernels
@testable import AudioStreams
@testable import AudioCore
@testable import AudioPrograms

/// The environment of a program, and its remains.
@Suite struct SurroundingsTests {
  private let samples = Noise.integers(1_000, seed: 21)

  private func lines(_ command: String, identity: StreamIdentity? = nil) throws -> [String] {
    let scratch = ScratchDirectory()
    let path = scratch.file("out")
    let harness = try ProgramHarness<Float>(
      "{ \(command); } >'\(path)'; cat", layout: SampleLayout(.s16), channels: 2,
      identity: identity ?? StreamIdentity(position: .record))
    #expect(harness.run(samples).error == nil)
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func isToldWhatTheStreamIs() throws {
    let command = "env | grep ^RAWAUDIO_ | LC_ALL=C sort"
    let identity = StreamIdentity(position: .beforeMixing, source: SourceID("kitchen"))
    #expect(
      try lines(command, identity: identity) == [
        "RAWAUDIO_CHANNELS=2", "RAWAUDIO_ENCODING=s16", "RAWAUDIO_POSITION=before-mixing",
        "RAWAUDIO_RATE=48000", "RAWAUDIO_SAMPLES_PER_CALL=960", "RAWAUDIO_SOURCE=kitchen",
      ])
    let sum = try lines(command, identity: StreamIdentity(position: .mixed))
    #expect(!sum.contains { $0.hasPrefix("RAWAUDIO_SOURCE") || $0.hasPrefix("RAWAUDIO_GROUP") })
    let inGroup = StreamIdentity(
      position: .beforeMixing, source: SourceID("kitchen"), group: SourceID("flat"))
    #expect(try lines("printenv RAWAUDIO_GROUP", identity: inGroup) == ["flat"])
  }

  @Test func inheritsTheRestOfTheEnvironment() throws {
    let path = ProcessInfo.processInfo.environment["PATH"]
    #expect(try lines("printenv PATH").first == path)
  }

  @Test func getsNoOtherDescriptor() throws {
    let other = unsafe open("/dev/null", O_RDONLY)
    defer { close(other) }
    // The shell's standard output is the file here, cat's is the pipe: 3 is ls's own.
    #expect(try lines("ls /proc/self/fd").allSatisfy { ["0", "1", "2", "3"].contains($0) })
  }

  @Test func signalsAreAsAProgramExpectsThem() throws {
    let status = try lines("grep -E '^Sig(Blk|Ign)' /proc/self/status")
    let masks = status.map { UInt64($0.suffix(16), radix: 16) ?? .max }
    #expect(masks.count == 2)
    #expect(masks.first == 0)
    #expect((masks.last ?? .max) & 1 << UInt64(SIGPIPE - 1) == 0)
  }

  @Test func leadsAProcessGroupOfItsOwn() throws {
    let numbers = try lines("cut -d' ' -f5 /proc/$$/stat; echo $$")
    #expect(numbers.count == 2)
    #expect(numbers.first == numbers.last)
    #expect(numbers.first != "\(getpgrp())")
  }

  /// Returns the running processes of a group, and the zombies that this process must reap. (In a container the
  /// orphans' new parent may not reap them.)
  private func members(of group: pid_t) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name -> String? in
      guard pid_t(name) != nil,
        let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
      else { return nil }
      // proc(5): after the name in parentheses come state, parent and group.
      let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 2, fields[2] == "\(group)" else { return nil }
      return fields[0] == "Z" && fields[1] != "\(getpid())" ? nil : status
    }
  }

  /// Programs in every state; one ignores SIGTERM.
  @Test(arguments: [
    "sleep 1000", "sleep 1000 & sleep 1000", "exit 0", "sleep 1000 | cat", "cat",
    "trap '' TERM; sleep 1000 & while :; do sleep 1000; done",
  ])
  func nothingIsLeftWhenTheSessionIsAbandoned(_ command: String) throws {
    let scratch = ScratchDirectory()
    let path = scratch.file("id")
    let harness = try ProgramHarness<Float>("echo $$ >'\(path)'; printf 1234; \(command)")
    while harness.samples.isEmpty { try harness.process([0]) }
    try harness.stage.end(.abandoned)
    try harness.stage.end(.abandoned)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let group = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    // A process needs a moment to end after SIGKILL.
    while try !members(of: group).isEmpty { sched_yield() }
  }

  /// Programs that report SIGTERM but ignore it: all get it before the first is killed.
  @Test(arguments: [false, true]) func manyProgramsAreEndedAtTheSameTime(_ isLive: Bool) throws {
    ProgramSignals.ignorePipe()
    let scratch = ScratchDirectory()
    let names = ["a", "b", "c", "d", "e"]
    let gates = try names.map { try Gate(scratch, $0) }
    let asked = scratch.file("asked")
    let session = Session()
    for name in names {
      try session.addRemote(
        GivenSource([Double](repeating: 0.5, count: 1_000_000), isLive: isLive, pieces: [480]),
        id: SourceID(name))
    }
    try session.register(
      ExternalProgram(
        .beforeMixing,
        """
        trap 'echo $RAWAUDIO_SOURCE >>"\(asked)"' TERM; echo >"\(scratch.path)/$RAWAUDIO_SOURCE"
        cat <&0 >/dev/null & while :; do sleep 0.01; done
        """, parameters: FrameParameters(mode: .readOnly)))
    try session.setSink(NullSink(), at: .playback)
    session.onProgress = { [control = session.control] _ in
      if control.request == nil { for gate in gates { gate.wait() } }
      control.requestStop(.abandon)
    }
    _ = try? session.run()
    let lines = try String(contentsOfFile: asked, encoding: .utf8).split(separator: "\n")
    #expect(lines.sorted() == ["a", "b", "c", "d", "e"])
  }

  /// A reaped leader, and its unreaped sibling: kill(2) still finds the group.
  @Test func aZombieIsNoMemberThatRuns() throws {
    let scratch = ScratchDirectory()
    let (isReady, mayEnd) = (try Gate(scratch, "ready"), try Gate(scratch, "end"))
    let parent = try TestProcess([
      "/usr/bin/python3", "-c",
      """
      import os, signal
      signal.signal(signal.SIGCHLD, signal.SIG_DFL)
      tell = lambda: os.write(os.open('\(isReady.path)', os.O_WRONLY), b'\\n')
      wait = lambda: os.read(os.open('\(mayEnd.path)', os.O_RDONLY), 1)
      leader = os.fork()
      if leader == 0:
          os.setpgid(0, 0)
          signal.pause()
      while os.getpgid(leader) != leader: pass
      child = os.fork()
      if child == 0:
          os.setpgid(0, leader)
          os._exit(0)
      os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
      open('\(scratch.file("id"))', 'w').write(str(leader))
      tell()
      wait()
      os.kill(leader, signal.SIGKILL)
      os.waitpid(leader, 0)
      tell()
      wait()
      """,
    ])
    isReady.wait()
    let group = try #require(pid_t(String(contentsOfFile: scratch.file("id"), encoding: .utf8)))
    // An older scan, whatever it found, says nothing of a group that is new.
    #expect(ProcessGroups.isAlive(group, since: .now))
    mayEnd.open()
    isReady.wait()
    #expect(kill(-group, 0) == 0)
    #expect(!ProcessGroups.isAlive(group, since: .now))
    mayEnd.open()
    #expect(parent.wait(atMost: 60).exitCode == 0)
  }

  @Test func lettingGoOfTheStageKillsTheProgram() throws {
    let scratch = ScratchDirectory()
    let path = scratch.file("id")
    var harness: ProgramHarness? = try ProgramHarness<Float>(
      "echo $$ >'\(path)'; printf 1234; exec sleep 1000")
    while harness?.samples.isEmpty == true { try harness?.process([0]) }
    harness = nil
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let group = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    // A process needs a moment to end after SIGKILL.
    while try !members(of: group).isEmpty { sched_yield() }
  }

  @Test func noDescriptorIsLeft() async {
    await #expect(processExitsWith: .success) {
      func run(_ round: Int) throws {
        let command = round % 2 == 0 ? "cat" : "exit 1"
        let mode = ObserverMode.allCases[round % 3]
        _ = try ProgramHarness<Float>(command, mode: mode).run([0, 0])
      }
      // The first run may open something for good.
      try run(0)
      let before = OpenDescriptors()
      for round in 0..<20 { try run(round) }
      #expect(before.left() == [])
    }
  }

  @Test func anAbandonedSessionDoesNotWait() throws {
    let wakeup = Wakeup()
    wakeup.request(.abandon)
    let outcome = try ProgramHarness<Float>("exec sleep 1000", wakeup: wakeup)
      .run(Noise.integers(600_000))
    #expect(outcome.error?.kind == .interrupted)
    // It has taken all samples; only its end is missing.
    let tap = try ProgramHarness<Float>("exec sleep 1000", mode: .readOnly, wakeup: wakeup)
    #expect(tap.run([0]).error?.kind == .interrupted)
  }

  @Test func aSessionAskedToFinishWaitsOnlyForAProgramThatMoves() throws {
    let wakeup = Wakeup()
    wakeup.request(.finish)
    let long = Noise.integers(600_000)
    let stalled = try ProgramHarness<Float>("exec sleep 1000", wakeup: wakeup).run(long)
    #expect(stalled.error?.reason.contains("moved for 1.0 seconds") == true)
    let passed = try ProgramHarness<Float>("cat", wakeup: wakeup).run(long)
    #expect(passed.error == nil)
    #expect(passed.samples == long)
  }
}
