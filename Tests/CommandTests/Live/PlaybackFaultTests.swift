// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// A device that fails during playback.
@Suite(.needsVirtualCard) struct PlaybackFaultTests {
  private static let samples = DeviceBytes.noise(4 * 60_001)
  private static let bufferSize = 8_820
  /// An observer gets every period at once, so the program always waits for the device.
  private static let listening = ["--observe", "playback:gain=0"]

  private func play(
    _ events: String, _ settings: [String: String] = [:], _ options: String...
  ) throws -> (ProcessRun, [UInt8], CardBench) {
    var settings = settings
    settings["OUTFILE"] = "played.raw"
    settings["EVENTS"] = events
    let bench = try CardBench(settings)
    try bench.write(WaveFile(Self.samples).bytes, to: "a.wav")
    let run = try bench.start(
      ["play", "-D", "card", "a.wav"] + Self.listening + options
    ).wait()
    return (run, try bench.bytes(of: "played.raw"), bench)
  }

  /// Returns the messages about the device: on a busy machine an observer may be late, too.
  private func told(_ run: ProcessRun) -> String {
    run.standardError.split(separator: "\n", omittingEmptySubsequences: true)
      .filter { !$0.hasPrefix("rawaudio: observer ") }.map { "\($0)\n" }.joined()
  }

  /// A scripted underrun drops the samples in the device's buffer.
  @Test func underrunsAreCounted() throws {
    let (run, played, bench) = try play("20000:xrun 40000:xrun")
    #expect(told(run) == "rawaudio: device 'card': 2 underruns\n")
    #expect(run.ending == .exit(0))
    #expect(try bench.counts()["xruns"] == 2)
    #expect(firstDifference(played.prefix(80_000), Self.samples.prefix(80_000)) == nil)
    #expect(firstDifference(played.suffix(40_000), Self.samples.suffix(40_000)) == nil)
    #expect(played.count / 4 >= 60_001 - 2 * Self.bufferSize)
  }

  @Test func theUserCanBeStrictAboutThem() throws {
    let (strict, _, _) = try play("20000:xrun", [:], "--fail-on", "xrun")
    #expect(told(strict) == "rawaudio: device 'card': 1 underrun\n")
    #expect(strict.ending == .exit(2))
    let (whole, _, _) = try play("", [:], "--fail-on", "xrun")
    #expect(told(whole) == "")
    #expect(whole.ending == .exit(0))
  }

  /// In the middle, and while the last samples are drained.
  @Test(arguments: [20_000, 60_000])
  func nothingIsLostWhereTheDeviceOnlyPauses(position: Int) throws {
    let (suspended, resumed, _) = try play("\(position):suspend")
    #expect(told(suspended) == "rawaudio: device 'card': 1 suspend\n")
    #expect(suspended.ending == .exit(0))
    #expect(firstDifference(resumed, Self.samples) == nil)
    let (stalled, played, _) = try play("\(position):stall:200")
    #expect(told(stalled) == "")
    #expect(stalled.ending == .exit(0))
    #expect(firstDifference(played, Self.samples) == nil)
  }

  /// At the start, in the middle, and while the last samples are drained, also after a restart. The message states the
  /// exact number of played samples.
  @Test(arguments: [
    "0:nodev", "20000:nodev", "57000:nodev", "59800:nodev", "20000:eio:once +9000:nodev",
  ])
  func aDeviceThatIsUnpluggedIsAFailure(events: String) throws {
    let (run, played, _) = try play(events, ["SPEED": "1"])
    #expect(run.ending == .exit(1))
    let before = events.hasPrefix("20000:eio") ? 20_000 : played.count / 4
    #expect(firstDifference(played.prefix(4 * before), Self.samples.prefix(4 * before)) == nil)
    let match = try #require(
      run.standardError.firstMatch(
        of:
          /it was disconnected, after (\d+) samples per channel were heard(?: \(estimated ±(\d+)\))?\n/
      ))
    let uncertainty = match.2.flatMap { Int($0) } ?? 0
    #expect(abs(try #require(Int(match.1)) - played.count / 4) <= uncertainty)
    #expect(uncertainty < Self.bufferSize)
  }

  @Test func anErrorThatPassesIsOvercome() throws {
    let (run, played, _) = try play("20000:eio:once")
    #expect(told(run) == "rawaudio: device 'card': 1 restart after an input/output error\n")
    #expect(run.ending == .exit(0))
    #expect(firstDifference(played.suffix(100_000), Self.samples.suffix(100_000)) == nil)
  }

  /// By then all samples are in the device, which stalls for ever.
  @Test(arguments: [20_000, 59_500])
  func aStuckPlaybackCanBeEnded(position: Int) throws {
    let bench = try CardBench([
      "SPEED": "1", "OUTFILE": "played.raw",
      "EVENTS": "\(position):touch:cue \(position):stall:3600000",
    ])
    try bench.write(WaveFile(Self.samples).bytes, to: "a.wav")
    let process = try bench.start(["play", "-D", "card", "a.wav"])
    #expect(bench.awaitFile("cue"))
    process.wait(sending: SIGINT).expectExit(0)
  }

  /// The card has a clock here: its failures only affect a program that waits for it. A busy machine waits seldom, so
  /// the tone is long.
  @Test func anErrorThatStaysEndsThePlayback() throws {
    let bench = try CardBench(["SPEED": "1", "EVENTS": "2000:eio"])
    let run = try bench.start(
      ["play", "-D", "card", "tone:440", "-d", "300"] + Self.listening
    ).wait()
    let last = run.standardError.split(separator: "\n").last ?? ""
    #expect(
      last.hasPrefix("rawaudio: cannot go on playing on 'card': input/output error, after "))
    #expect(last.contains(" samples per channel were heard"))
    #expect(run.ending == .exit(1))
  }
}
