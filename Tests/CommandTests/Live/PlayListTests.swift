// SPDX-License-Identifier: Apache-2.0
import Testing

/// `rawaudio play` with several files, with pipes, and with rates that the device lacks.
@Suite(.needsVirtualCard) struct PlayListTests {
  @Test func filesFollowEachOtherWithoutAGap() throws {
    let samples = DeviceBytes.noise(4 * 30_000)
    let bench = try CardBench(["OUTFILE": "played.raw"])
    // Neither part is a multiple of a period, and one is shorter than a period.
    for (name, part) in [
      ("a.wav", 0..<40_444), ("b.wav", 40_444..<41_000), ("c.wav", 41_000..<120_000),
    ] {
      try bench.write(WaveFile(Array(samples[part])).bytes, to: name)
    }
    try bench.run("play", "-D", "cd", "a.wav", "b.wav", "c.wav").expectExit(0)
    #expect(try firstDifference(bench.bytes(of: "played.raw"), samples) == nil)
    #expect(try bench.counts()["xruns"] == 0)
  }

  /// A play list has the highest rate of its files. A file of another rate is converted as a whole: the device gets all
  /// files at that rate in a row, without a sample between them.
  @Test func filesOfDifferentRatesFollowEachOtherWithoutAGap() throws {
    let bench = try CardBench(["OUTFILE": "played.raw"])
    let samples = DeviceBytes.noise(4 * 20_000)
    for (name, part, rate) in [
      ("a.wav", 0..<30_000, 48_000), ("b.wav", 30_000..<50_004, 44_100),
      ("c.wav", 50_004..<80_000, 48_000),
    ] {
      try bench.write(WaveFile(Array(samples[part]), sampleRate: rate).bytes, to: name)
    }
    let converted = try bench.run("convert", "b.wav", "-r", "48000", "-o", "b48.wav")
    // Full-scale noise overshoots when its rate is converted.
    #expect(converted.standardError.contains("clipped"))
    let middle = try bench.wave("b48.wav")
    #expect(middle.samples.count == 4 * 5_444)
    let run = try bench.run("play", "-D", "card", "a.wav", "b.wav", "c.wav")
    #expect(run.ending == .exit(0))
    let expected = Array(samples[..<30_000]) + middle.samples + Array(samples[50_004...])
    #expect(try firstDifference(bench.bytes(of: "played.raw"), expected) == nil)
    #expect(try bench.counts()["xruns"] == 0)
  }

  @Test func anEmptyFileInTheListIsPassedOver() throws {
    let samples = DeviceBytes.noise(4 * 1_000)
    let bench = try CardBench(["OUTFILE": "played.raw"])
    try bench.write(WaveFile([]).bytes, to: "empty.wav")
    try bench.write(WaveFile(samples).bytes, to: "a.wav")
    let run = try bench.run("play", "-D", "cd", "empty.wav", "a.wav", "empty.wav")
    run.expectExit(0)
    #expect(try firstDifference(bench.bytes(of: "played.raw"), samples) == nil)
    try bench.run("play", "-D", "cd", "empty.wav").expectExit(0)
    #expect(try firstDifference(bench.bytes(of: "played.raw"), []) == nil)
  }

  @Test func aPipe() throws {
    let bench = try CardBench(["OUTFILE": "played.raw"])
    let samples = DeviceBytes.noise(4 * 10_001)
    try bench.write(WaveFile(samples).bytes, to: "a.wav")
    try bench.pipeline("cat a.wav | rawaudio play -D cd -").expectExit(0)
    #expect(try firstDifference(bench.bytes(of: "played.raw"), samples) == nil)
  }

  /// The example of the help page, except for the device.
  @Test func aPipeFromSox() throws {
    let bench = try CardBench(["OUTFILE": "played.raw"])
    let run = try bench.pipeline(
      "sox -D -n -t raw -b 16 -e signed expected.raw synth 3 sine 440 && "
        + "sox -V1 -D -n -t wav -b 16 - synth 3 sine 440 | rawaudio play -D card -")
    run.expectExit(0)
    let expected = try bench.bytes(of: "expected.raw")
    #expect(expected.count == 2 * 3 * 48_000)
    #expect(try firstDifference(bench.bytes(of: "played.raw"), expected) == nil)
  }

  @Test func anotherRateIsConvertedAndSaidSo() throws {
    let bench = try CardBench(["OUTFILE": "played.raw"])
    let silence = [UInt8](repeating: 0, count: 4 * 4_800)
    try bench.write(WaveFile(silence, sampleRate: 48_000).bytes, to: "a.wav")
    let run = try bench.run("play", "-v", "-D", "cd", "a.wav")
    #expect(
      run.standardError.hasPrefix(
        """
        rawaudio: samples per call: 882, 10 ms at 44100 Hz stereo
        rawaudio: 1: 'a.wav', 48000 Hz, 2 channels, s16
        rawaudio: playback: 'cd', 44100 Hz, 2 channels, s16, period 11025, buffer 44100
        rawaudio: precision: 32-bit float
        rawaudio: playback: 4410 samples per channel

        """))
    #expect(run.ending == .exit(0))
    #expect(
      try firstDifference(bench.bytes(of: "played.raw"), [UInt8](repeating: 0, count: 4 * 4_410))
        == nil)
    try bench.write(WaveFile(silence, sampleRate: 44_100).bytes, to: "b.wav")
    let unchanged = try bench.run("play", "-v", "-D", "cd", "b.wav")
    #expect(
      unchanged.standardError.hasPrefix(
        """
        rawaudio: samples per call: 882, 10 ms at 44100 Hz stereo
        rawaudio: 1: 'b.wav', 44100 Hz, 2 channels, s16
        rawaudio: playback: 'cd', rate and format unchanged, period 11025, buffer 44100
        rawaudio: precision: 32-bit float
        rawaudio: playback: 4800 samples per channel

        """))
  }

  /// On a stereo-only device a mono file plays on both sides at its own level.
  @Test func monoOnStereo() throws {
    let samples = DeviceBytes.noise(2 * 1_001)
    let bench = try CardBench(["OUTFILE": "played.raw"])
    try bench.write(WaveFile(samples, channelCount: 1).bytes, to: "a.wav")
    let run = try bench.run("play", "-D", "cd", "a.wav")
    #expect(run.standardError == "")
    #expect(
      try firstDifference(bench.bytes(of: "played.raw"), DeviceBytes.doubled16(samples)) == nil)
  }
}
