import Testing

/// A device that fails while it is played on.
@Suite(.needsVirtualCard) struct PlaybackFaultTests {
  private static let samples = DeviceBytes.noise(4 * 60_001)
  private static let bufferSize = 8_820

  private func play(
    _ events: String, _ settings: [String: String] = [:], _ options: String...
  ) throws -> (ProcessRun, [UInt8], CardBench) {
    var settings = settings
    settings["OUTFILE"] = "played.raw"
    settings["EVENTS"] = events
    let bench = try CardBench(settings)
    try bench.write(WaveFile(Self.samples).bytes, to: "a.wav")
    let run = try bench.start(["play", "-D", "card", "a.wav"] + options).wait()
    return (run, try bench.bytes(of: "played.raw"), bench)
  }

  /// A scripted underrun drops what the device's buffer held.
  @Test func underrunsAreCounted() throws {
    let (run, played, bench) = try play("20000:xrun 40000:xrun")
    #expect(run.standardError == "rawaudio: device 'card': 2 underruns\n")
    #expect(run.ending == .exit(0))
    #expect(try bench.counts()["xruns"] == 2)
    #expect(firstDifference(played.prefix(80_000), Self.samples.prefix(80_000)) == nil)
    #expect(firstDifference(played.suffix(40_000), Self.samples.suffix(40_000)) == nil)
    #expect(played.count / 4 >= 60_001 - 2 * Self.bufferSize)
  }

  @Test func theUserCanBeStrictAboutThem() throws {
    let (strict, _, _) = try play("20000:xrun", [:], "--fail-on", "xrun")
    #expect(strict.standardError == "rawaudio: device 'card': 1 underrun\n")
    #expect(strict.ending == .exit(2))
    let (whole, _, _) = try play("", [:], "--fail-on", "xrun")
    #expect(whole.standardError == "")
    #expect(whole.ending == .exit(0))
  }

  /// In the middle and while the last samples are drained.
  @Test(arguments: [20_000, 60_000])
  func nothingIsLostWhereTheDeviceOnlyPauses(position: Int) throws {
    let (suspended, resumed, _) = try play("\(position):suspend")
    #expect(suspended.standardError == "rawaudio: device 'card': 1 suspend\n")
    #expect(suspended.ending == .exit(0))
    #expect(firstDifference(resumed, Self.samples) == nil)
    let (stalled, played, _) = try play("\(position):stall:200")
    #expect(stalled.standardError == "")
    #expect(stalled.ending == .exit(0))
    #expect(firstDifference(played, Self.samples) == nil)
  }

  @Test(arguments: [20_000, 60_000])
  func aDeviceThatIsUnpluggedIsAFailure(position: Int) throws {
    let (run, played, _) = try play("\(position):nodev")
    #expect(run.ending == .exit(1))
    #expect(firstDifference(played, Self.samples.prefix(4 * position)) == nil)
    let start = "rawaudio: cannot go on playing on 'card': it was disconnected, after taking "
    #expect(run.standardError.hasPrefix(start))
    let words = run.standardError.dropFirst(start.count).split(separator: " ", maxSplits: 1)
    let taken = try #require(words.first.flatMap { Int($0) })
    #expect(words.last == "samples per channel\n")
    #expect((position...min(position + Self.bufferSize, 60_001)).contains(taken))
  }

  @Test func anErrorThatPassesIsOvercome() throws {
    let (run, played, _) = try play("20000:eio:once")
    #expect(
      run.standardError == "rawaudio: device 'card': 1 restart after an input/output error\n")
    #expect(run.ending == .exit(0))
    #expect(firstDifference(played.suffix(100_000), Self.samples.suffix(100_000)) == nil)
  }

  /// With a clock, for the device fails only those that wait for it.
  @Test func anErrorThatStaysEndsThePlayback() throws {
    let (run, _, _) = try play("2000:eio", ["SPEED": "1"])
    let last = run.standardError.split(separator: "\n").last ?? ""
    #expect(
      last.hasPrefix("rawaudio: cannot go on playing on 'card': input/output error, after taking "))
    #expect(run.ending == .exit(1))
  }
}
