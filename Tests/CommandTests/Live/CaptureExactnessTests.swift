// SPDX-License-Identifier: Apache-2.0
import Testing

/// `rawaudio capture` records the device's input byte for byte.
@Suite(.needsVirtualCard) struct CaptureExactnessTests {
  private static let length = 20_011

  @Test(arguments: [1, 100, 441, 100_003])
  func aDeviceBackedByAFile(length: Int) throws {
    let bench = try CardBench()
    let fed = DeviceBytes.noise(4 * 100_003)
    try bench.write(fed, to: "fed.raw")
    let run = try bench.run(
      "capture", "-D", "filein:fed.raw", "--rate", "44100", "--samples-per-call", "4410", "-d",
      "\(length)S", "-o", "take.wav")
    run.expectExit(0)
    let take = try bench.wave("take.wav")
    #expect(firstDifference(take.samples, fed.prefix(4 * length)) == nil)
    #expect(take.sampleRate == 44_100)
    #expect(take.channelCount == 2)
    #expect(take.bitsPerSample == 16)
  }

  @Test(arguments: ["u8", "s16", "S24_3LE", "s32", "f32"], [1, 2, 3, 6, 8])
  func everyEncodingAndChannelCount(encoding: String, channelCount: Int) throws {
    let width = ["u8": 1, "s16": 2, "S24_3LE": 3][encoding] ?? 4
    let count = Self.length * channelCount
    let fed =
      encoding == "f32" ? DeviceBytes.floatNoise(count) : DeviceBytes.noise(width * count)
    let bench = try CardBench(input: fed)
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-c", "\(channelCount)", "-f", encoding, "-d",
      "\(Self.length)S", "-o", "take.wav")
    run.expectExit(0)
    let take = try bench.wave("take.wav")
    #expect(take.channelCount == channelCount)
    #expect(take.bitsPerSample == 8 * width)
    #expect(take.isFloat == (encoding == "f32"))
    #expect(firstDifference(take.samples, fed) == nil)
  }

  @Test func paddedSamplesLoseTheirPadding() throws {
    let samples = DeviceBytes.noise(3 * 2 * Self.length)
    let bench = try CardBench(["FORMATS": "S24_LE"], input: DeviceBytes.padded24(samples))
    let run = try bench.run(
      "capture", "-D", "card", "-f", "s24", "-d", "\(Self.length)S", "-t", "raw", "-o", "-")
    #expect(run.standardError == "")
    #expect(firstDifference(run.standardOutput, samples) == nil)
  }

  /// alsa-lib converts in between: 16 bits widened by the card come back unchanged.
  @Test func throughConversionsWithoutLoss() throws {
    let samples = DeviceBytes.noise(4 * Self.length)
    var bench = try CardBench(["INFILE": "wide.raw"])
    try bench.write(DeviceBytes.widened16(samples), to: "wide.raw")
    try bench.write(samples, to: "narrow.raw")
    let wide = try bench.run(
      "capture", "-D", "plugwide", "-r", "44100", "-d", "\(Self.length)S", "-t", "raw", "-o", "-")
    #expect(wide.standardError == "")
    #expect(firstDifference(wide.standardOutput, samples) == nil)
    bench.settings["INFILE"] = "narrow.raw"
    let narrow = try bench.run(
      "capture", "-D", "plugcd", "-f", "s32", "-r", "44100", "-d", "\(Self.length)S", "-t", "raw",
      "-o", "-")
    #expect(narrow.standardError == "")
    #expect(firstDifference(narrow.standardOutput, DeviceBytes.widened16(samples)) == nil)
  }

  /// The samples are counters: a lost or repeated one shows at once.
  @Test func verboseSaysWhatTheDeviceGives() throws {
    // Without a clock: a busy machine pauses the program for longer than 10 ms.
    let bench = try CardBench(["SPEED": "0"])
    let run = try bench.run(
      "capture", "-v", "-D", "studio", "-d", "1000S", "--period-size", "64", "--buffer-size",
      "10ms", "-t", "raw", "-o", "take.raw")
    #expect(
      run.standardError == """
        rawaudio: samples per call: 3840, 10 ms at 48000 Hz with 8 channels
        rawaudio: local: 'studio', 48000 Hz, 8 channels, s32, period 64, buffer 512
        rawaudio: publish: 'take.raw', 48000 Hz, 8 channels, raw, s32
        rawaudio: precision: 64-bit float
        rawaudio: publish: 1000 samples per channel at 48000 Hz

        """)
    let numbers = (0..<1_000).flatMap { number in
      (0..<8).flatMap { _ in DeviceBytes.littleEndian(Int32(number)) }
    }
    #expect(try firstDifference(bench.bytes(of: "take.raw"), numbers) == nil)
  }
}
