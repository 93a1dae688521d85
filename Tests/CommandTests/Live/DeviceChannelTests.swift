// SPDX-License-Identifier: Apache-2.0
import Testing

/// A device's channel map is used as it is.
@Suite(.needsVirtualCard) struct DeviceChannelTests {
  private static let maps: [(String, [String])] = [
    ("FL FR RL RR FC LFE", ["FL", "FR", "BL", "BR", "FC", "LFE"]),
    ("FL FR FC LFE RL RR", ["FL", "FR", "FC", "LFE", "BL", "BR"]),
    ("FL FR RL RR FC LFE SL SR", ["FL", "FR", "BL", "BR", "FC", "LFE", "SL", "SR"]),
    ("FC FL FR", ["FC", "FL", "FR"]),
  ]

  @Test(arguments: maps)
  func recordingsHaveTheOrderOfWAV(_ map: String, _ speakers: [String]) throws {
    let bench = try CardBench(["CHANNEL_MAP": map], input: SpeakerTones.samples(speakers))
    for encoding in ["s16", "f32"] {
      let run = try bench.run(
        "capture", "-D", "card", "-r", "48000", "-c", "\(speakers.count)", "-d", "24000S", "-o",
        "take.\(encoding).wav")
      #expect(run.standardError == "")
      let take = try bench.pipeline("rawaudio convert take.\(encoding).wav -f f32 -t wav -o -")
      #expect(
        SpeakerTones.places(inWave: take.standardOutput)
          == SpeakerTones.atHome(speakers), "\(encoding)")
    }
  }

  @Test(arguments: maps)
  func whatIsPlayedComesWhereItBelongs(_ map: String, _ speakers: [String]) throws {
    let bench = try CardBench(["OUTFILE": "played.raw", "CHANNEL_MAP": map])
    let sorted = SpeakerTones.names.filter { speakers.contains($0) }
    try bench.write(SpeakerTones.wave(sorted), to: "a.wav")
    let run = try bench.run("play", "-D", "card", "a.wav")
    #expect(run.standardError == "")
    #expect(
      try firstDifference(bench.bytes(of: "played.raw"), SpeakerTones.samples(speakers)) == nil)
  }

  /// Without a known map, channels stay in order and the file names no speakers.
  @Test(arguments: ["", "FL FR FC UNKNOWN RL RR", "FL FR"])
  func whereItDoesNotSayNothingIsClaimed(_ map: String) throws {
    let speakers = ["FL", "FR", "FC", "LFE", "BL", "BR"]
    let samples = SpeakerTones.samples(speakers)
    let bench = try CardBench(["CHANNEL_MAP": map], input: samples)
    _ = try bench.run(
      "capture", "-D", "card", "-r", "48000", "-c", "6", "-d", "24000S", "-o", "take.wav")
    #expect(try firstDifference(bench.wave("take.wav").samples, samples) == nil)
    #expect(try SpeakerTones.mask(inWave: bench.bytes(of: "take.wav")) == 0)
  }
}
