// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// SIGUSR1 begins a new file and never ends a command.
@Suite(.needsVirtualCard) struct SplitSignalTests {
  /// Runs `capture`, or `session` if `isSession` is true.
  @Test(arguments: [false, true])
  func cutsARecordingWhoseNameIsAPattern(_ isSession: Bool) throws {
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start(
      isSession
        ? [
          "session", "--local", "alsa:card", "--publish", "take-%02d.wav", "--mixed",
          "all-%02d.wav",
        ]
        : ["capture", "-D", "card", "-o", "take-%02d.wav"])
    #expect(bench.awaitSize(1_000, of: "take-00.wav"))
    if isSession { #expect(bench.awaitSize(1_000, of: "all-00.wav")) }
    process.send(signal: SIGUSR1)
    #expect(bench.awaitSize(1_000, of: "take-01.wav"))
    if isSession { #expect(bench.awaitSize(1_000, of: "all-01.wav")) }
    process.wait(sending: SIGINT).expectExit(0)
    for stem in isSession ? ["take", "all"] : ["take"] {
      for part in ["00", "01"] { #expect(try !bench.wave("\(stem)-\(part).wav").samples.isEmpty) }
      #expect(!bench.exists("\(stem)-%02d.wav"))
    }
  }

  @Test(arguments: [("take.wav", "take.wav"), ("50%.wav", "50%.wav")])
  func saysWhyItBeginsNoFile(_ name: String, _ shown: String) throws {
    let bench = try CardBench(["SPEED": "1"])
    let process = try bench.start(["capture", "-D", "card", "-t", "wav", "-o", name])
    #expect(bench.awaitSize(1_000, of: name))
    process.send(signal: SIGUSR1)
    let size = try bench.bytes(of: name).count
    // After two updates the message is there.
    #expect(bench.awaitSize(size + 200_000, of: name))
    let run = process.wait(sending: SIGINT)
    run.expectExit(
      0,
      "SIGUSR1 begins no new file: '\(shown)' is no pattern; a name such as take-%03d.wav is "
        + "one")
    #expect(try bench.wave(name).samples.count > 100_000)
  }

  @Test func leavesAPlayerAlone() throws {
    let bench = try CardBench(["SPEED": "1", "EVENTS": "4800:signal:10 24000:signal:2"])
    let run = try bench.run("play", "-D", "card", "tone:440", "-d", "1:0:0")
    run.expectExit(0, "SIGUSR1 begins no new file: 'card' is no file")
  }
}
