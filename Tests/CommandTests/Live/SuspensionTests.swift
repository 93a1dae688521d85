// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// Ctrl-Z and `fg`: the process stops and continues, and playback loses nothing.
@Suite(.needsVirtualCard) struct SuspensionTests {
  /// In the middle and while the last samples are drained; on devices with and without pause, and without a clock.
  @Test(arguments: ["1", "0"], ["0", "1"])
  func aPlaybackGoesOnWhereItWas(speed: String, cannotPause: String) throws {
    for position in [10_000, 29_000] {
      let samples = DeviceBytes.noise(4 * 30_001)
      let bench = try CardBench([
        "OUTFILE": "played.raw", "SPEED": speed, "CANNOT_PAUSE": cannotPause,
        "EVENTS": "\(position):signal:\(SIGTSTP)",
      ])
      try bench.write(WaveFile(samples).bytes, to: "a.wav")
      let process = try bench.start(["play", "-D", "card", "a.wav", "--fail-on", "xrun"])
      #expect(process.awaitStop())
      // Longer than the 200 ms of the device's buffer.
      process.stayStopped(for: .milliseconds(300))
      process.wait(sending: SIGCONT).expectExit(0)
      #expect(try firstDifference(bench.bytes(of: "played.raw"), samples) == nil)
    }
  }

  /// The pause is reported. It is no overrun, and its time is not in the file.
  @Test func aCaptureLeavesThePauseOut() throws {
    let fed = DeviceBytes.noise(4 * 60_000)
    let bench = try CardBench(
      ["EVENTS": "22050:signal:\(SIGTSTP)", "KEEP_POSITION": "1", "SPEED": "1"], input: fed)
    let process = try bench.start([
      "capture", "-D", "card", "-r", "44100", "-d", "40000S", "-o", "take.wav", "--fail-on", "xrun",
    ])
    #expect(process.awaitStop())
    let run = process.wait(sending: SIGCONT)
    #expect(run.ending == .exit(0))
    let line = try #require(
      run.standardError.wholeMatch(
        of:
          /rawaudio: device 'card': paused at 0:00:00\.\d+ \(sample (\d+)\) for [\d.]+ s, which .*recording\n/
      ))
    let position = try #require(Int(line.1))
    // Without an observer, the program reads a device four times per second.
    #expect((21_000...38_000).contains(position))
    let take = try bench.wave("take.wav")
    #expect(take.samples.count == 4 * 40_000)
    // At least up to the last whole period before the pause.
    #expect(firstDifference(take.samples.prefix(4 * 21_000), fed.prefix(4 * 21_000)) == nil)
    #expect(try bench.counts()["xruns"] == 0)
  }

  /// Every sample of the card is its own position on the device's clock, so the file shows the missing time.
  @Test func pausesAreToldWithTheirPlaces() throws {
    let bench = try CardBench([
      "SPEED": "1", "EVENTS": "14400:signal:\(SIGTSTP) +14400:signal:\(SIGTSTP)",
    ])
    let process = try bench.start([
      "capture", "-D", "card", "-r", "48000", "-c", "1", "-f", "s32", "--start", "4800S", "-d",
      "48000S", "-o", "take.wav", "--json", "--period-size", "10ms", "--buffer-size", "200ms",
    ])
    for _ in 0..<2 {
      #expect(process.awaitStop())
      process.send(signal: SIGCONT)
    }
    let run = process.wait()
    #expect(run.ending == .exit(0))
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.first?.hasPrefix("rawaudio: device 'card': paused 2 times, for ") == true)
    let summary = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8))
    let source = ((summary as? [String: Any])?["sources"] as? [[String: Any]])?.first
    let pauses = try #require(source?["pauses"] as? [[String: Any]])
    #expect(pauses.count == 2)
    let take = try bench.wave("take.wav").samples
    func sample(_ index: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(take[4 * index + $1]) << (8 * $1) }
    }
    #expect(take.count == 4 * 48_000)
    let jumps = (1..<48_000).filter { sample($0) != sample($0 - 1) + 1 }
    #expect(jumps == pauses.compactMap { $0["samplePosition"] as? Int })
    for (jump, pause) in zip(jumps, pauses) {
      let missing = Double(sample(jump) - sample(jump - 1) - 1) / 48_000
      let seconds = try #require(pause["seconds"] as? Double)
      // The instant of the restart is unknown; only the times before and after the call are known.
      #expect(seconds > 0 && abs(missing - seconds) < 0.5)
    }
  }

  @Test func aStoppedPlaybackCanBeEnded() throws {
    let bench = try CardBench(["SPEED": "1", "EVENTS": "4800:signal:\(SIGTSTP)"])
    let process = try bench.start(["play", "-D", "card", "tone:440", "-d", "1:0:0"])
    #expect(process.awaitStop())
    process.send(signal: SIGTERM)
    process.wait(sending: SIGCONT).expectExit(0)
  }
}
