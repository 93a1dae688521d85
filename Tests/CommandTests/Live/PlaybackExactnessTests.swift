// SPDX-License-Identifier: Apache-2.0
import Testing

/// `rawaudio play` plays exactly the bytes of the file.
@Suite(.needsVirtualCard) struct PlaybackExactnessTests {
  private static let length = 20_011

  /// Shorter than a period, around the start threshold (8,379) and the buffer (8,820), and longer.
  @Test(arguments: [1, 2, 440, 441, 442, 8_378, 8_379, 8_380, 8_820, 8_821, 12_345, 100_003])
  func everyLength(length: Int) throws {
    let samples = DeviceBytes.noise(4 * length)
    let bench = try CardBench(["OUTFILE": "played.raw"])
    try bench.write(WaveFile(samples).bytes, to: "a.wav")
    for (device, expected) in [
      ("cd", samples), ("plugcd", samples), ("card", samples), ("fileout", samples),
      ("plugwide", DeviceBytes.widened16(samples)),
    ] {
      try bench.run("play", "-D", device, "a.wav").expectExit(0)
      #expect(try firstDifference(bench.bytes(of: "played.raw"), expected) == nil, "\(device)")
    }
    #expect(try bench.counts()["xruns"] == 0)
  }

  @Test(arguments: ["s16", "s24", "s32", "f32"], [1, 2, 3, 6, 8])
  func everyEncodingAndChannelCount(encoding: String, channelCount: Int) throws {
    let width = ["s16": 2, "s24": 3][encoding] ?? 4
    let count = Self.length * channelCount
    let samples =
      encoding == "f32" ? DeviceBytes.floatNoise(count) : DeviceBytes.noise(width * count)
    let bench = try CardBench(["OUTFILE": "played.raw"])
    let file = WaveFile(
      samples, sampleRate: 48_000, channelCount: channelCount, bitsPerSample: 8 * width,
      isFloat: encoding == "f32")
    try bench.write(file.bytes, to: "a.wav")
    try bench.run("play", "-D", "card", "a.wav").expectExit(0)
    #expect(try firstDifference(bench.bytes(of: "played.raw"), samples) == nil)
  }

  /// Every 8-bit value, on a device with 8 bits and on one without.
  @Test func eightBits() throws {
    let samples = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
    var bench = try CardBench(["OUTFILE": "played.raw", "FORMATS": "U8"])
    try bench.write(WaveFile(samples, bitsPerSample: 8).bytes, to: "a.wav")
    _ = try bench.run("play", "-D", "card", "a.wav")
    #expect(try firstDifference(bench.bytes(of: "played.raw"), samples) == nil)
    bench.settings["FORMATS"] = "S16_LE"
    _ = try bench.run("play", "-D", "card", "a.wav")
    #expect(
      try firstDifference(bench.bytes(of: "played.raw"), samples.flatMap { [0, $0 ^ 0x80] }) == nil)
  }

  @Test func paddedSamples() throws {
    let samples = DeviceBytes.noise(3 * 2 * Self.length)
    let bench = try CardBench(["OUTFILE": "played.raw", "FORMATS": "S24_LE"])
    try bench.write(WaveFile(samples, bitsPerSample: 24).bytes, to: "a.wav")
    let run = try bench.run("play", "-D", "card", "a.wav")
    #expect(run.standardError == "")
    #expect(
      try firstDifference(bench.bytes(of: "played.raw"), DeviceBytes.padded24(samples)) == nil)
  }

  /// Unusual buffers: tiny ones, and an impossible period.
  @Test(arguments: [("7", "14"), ("100000", "14"), ("1ms", "1000ms")])
  func everyBuffer(period: String, buffer: String) throws {
    let samples = DeviceBytes.noise(4 * Self.length)
    let bench = try CardBench(["OUTFILE": "played.raw"])
    try bench.write(WaveFile(samples).bytes, to: "a.wav")
    let run = try bench.run(
      "play", "-D", "card", "a.wav", "--period-size", period, "--buffer-size", buffer)
    #expect(run.standardError == "")
    #expect(try firstDifference(bench.bytes(of: "played.raw"), samples) == nil)
  }
}
