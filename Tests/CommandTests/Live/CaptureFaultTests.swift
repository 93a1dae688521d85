// SPDX-License-Identifier: Apache-2.0
import Testing

/// A device that fails during a recording: the file has its samples, and the failure is reported.
@Suite(.needsVirtualCard) struct CaptureFaultTests {
  private static let fed = DeviceBytes.noise(4 * 100_000)
  private static let length = 60_001

  private func capture(
    _ events: String, _ settings: [String: String] = [:], _ options: String...
  ) throws -> (ProcessRun, WaveFile, CardBench) {
    let bench = try CardBench(settings.merging(["EVENTS": events]) { $1 }, input: Self.fed)
    let run = try bench.start(
      ["capture", "-D", "card", "-r", "44100", "-d", "\(Self.length)S", "-o", "take.wav"] + options
    ).wait()
    let take = try bench.wave("take.wav")
    return (run, take, bench)
  }

  /// The second overrun comes before any sample is read: one gap, two overruns.
  @Test(arguments: [
    ("20000:xrun", 20_000, 1, "overrun"), ("20000:xrun 20100:xrun", 20_100, 2, "overruns"),
  ])
  func overrunsAreCounted(events: String, goesOnAt: Int, count: Int, noun: String) throws {
    let (run, take, bench) = try capture(events)
    expectNote(run, "\(count) \(noun)", gap: "overrun", times: count)
    #expect(run.ending == .exit(0))
    #expect(try bench.counts()["xruns"] == count)
    expectGap(in: take, before: 20_000, goingOnAt: goesOnAt)
  }

  @Test func theUserCanBeStrictAboutThem() throws {
    let (strict, _, _) = try capture("20000:xrun", [:], "--fail-on", "xrun")
    #expect(strict.ending == .exit(2))
    expectNote(strict, "1 overrun", gap: "overrun")
    let (quiet, _, _) = try capture("20000:xrun", [:], "--fail-on", "xrun", "--quiet")
    quiet.expectExit(2, "device 'card': 1 overrun")
    let (whole, _, _) = try capture("", [:], "--fail-on", "xrun")
    whole.expectExit(0)
  }

  @Test func aSuspendLosesNothingWhereTheDeviceResumes() throws {
    let (run, take, _) = try capture("20000:suspend")
    expectNote(run, "1 suspend", gap: "suspend")
    #expect(run.ending == .exit(0))
    #expect(firstDifference(take.samples, Self.fed.prefix(4 * Self.length)) == nil)
  }

  @Test func aStallLosesNothing() throws {
    let (run, take, _) = try capture("20000:stall:200")
    run.expectExit(0)
    #expect(firstDifference(take.samples, Self.fed.prefix(4 * Self.length)) == nil)
  }

  @Test func anErrorThatPassesIsOvercome() throws {
    let (run, take, _) = try capture("20000:eio:once")
    expectNote(run, "1 restart after an input/output error", gap: "restart")
    #expect(run.ending == .exit(0))
    expectGap(in: take, before: 20_000, goingOnAt: 20_000)
  }

  /// The card has a clock here: its failures only affect a program that waits for it.
  @Test func anErrorThatStaysEndsTheCapture() throws {
    // An observer gets every period at once, so the program always waits for the device.
    let (run, take, _) = try capture("2000:eio", ["SPEED": "1"], "--observe", "record:gain=0")
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.count >= 2)
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("rawaudio: device 'card': ") })
    #expect(
      lines.last ?? "" == "rawaudio: cannot go on capturing from 'card': input/output error, after "
        + "\(take.samples.count / 4) samples per channel")
    #expect(run.ending == .exit(1))
    #expect(take.samples.count / 4 < Self.length)
  }

  @Test(arguments: ["20000:nodev", ""])
  func whatADeviceGaveBeforeItWasUnpluggedIsKept(events: String) throws {
    // Without an event, it is unplugged when it has no more samples.
    let bench = try CardBench(["EVENTS": events, "AT_EOF": "nodev"], input: Self.fed)
    let run = try bench.run("capture", "-D", "card", "-r", "44100", "-o", "take.wav")
    let take = try bench.wave("take.wav")
    run.expectExit(
      1,
      "cannot go on capturing from 'card': it was disconnected, after "
        + "\(take.samples.count / 4) samples per channel")
    let position = try #require(try bench.counts()["position"])
    #expect(position == (events.isEmpty ? 100_000 : 20_000))
    // The samples in the device's buffer are lost with it.
    #expect(take.samples.count / 4 >= position - 22_050)
    #expect(firstDifference(take.samples, Self.fed.prefix(take.samples.count)) == nil)
  }

  /// Expects one reported gap. The card has no clock, so the length of the gap is unknown.
  private func expectNote(
    _ run: ProcessRun, _ count: String, gap: String, times: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.count == 2, sourceLocation: sourceLocation)
    #expect(
      lines.first ?? "" == "rawaudio: device 'card': \(count)", sourceLocation: sourceLocation)
    let words = (lines.last ?? "").split(separator: " ")
    #expect(
      words.prefix(5) == ["rawaudio:", "device", "'card':", "\(gap)"[...], "at"],
      sourceLocation: sourceLocation)
    let extent = "): an unknown number of samples" + (times > 1 ? ", \(times) times" : "")
    #expect(lines.last?.hasSuffix(extent) == true, sourceLocation: sourceLocation)
  }

  /// Expects the input up to `lost` or earlier, and then from `next` to the full length.
  private func expectGap(
    in take: WaveFile, before lost: Int, goingOnAt next: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let same = min(lost, zip(take.samples, Self.fed).prefix { $0 == $1 }.count / 4)
    let rest = Self.fed[(4 * next)..<(4 * (next + Self.length - same))]
    #expect(
      firstDifference(take.samples, Self.fed.prefix(4 * same) + rest) == nil,
      sourceLocation: sourceLocation)
  }
}
