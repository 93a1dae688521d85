// SPDX-License-Identifier: Apache-2.0
import Testing

/// `rawaudio convert` from one container to another and back, bit by bit.
@Suite struct ConversionTests {
  struct Encoding: Sendable, CustomTestStringConvertible {
    var name: String
    var bits: Int
    var isFloat = false
    /// `true` if FLAC has this encoding too.
    var isInFLAC = true

    var testDescription: String { name }
  }

  static let encodings = [
    Encoding(name: "u8", bits: 8), Encoding(name: "s16", bits: 16), Encoding(name: "s24", bits: 24),
    Encoding(name: "s32", bits: 32, isInFLAC: false),
    Encoding(name: "f32", bits: 32, isFloat: true, isInFLAC: false),
    Encoding(name: "f64", bits: 64, isFloat: true, isInFLAC: false),
  ]

  /// FLAC packs its samples in its own way: every byte order in a name gives an equal file.
  @Test(arguments: [
    ("S16_LE", "s16"), ("s16be", "s16"), ("S24_3LE", "s24"), ("S24_LE", "s24"), ("S24_3BE", "s24"),
  ])
  func theByteOrderOfFLAC(name: String, encoding: String) throws {
    let directory = TemporaryDirectory()
    try directory.write(WaveBytes.file([1, -2, 3, 32_767]), "a.wav")
    let run = try directory.pipeline(
      "rawaudio convert a.wav -f \(name) -o b.flac && rawaudio convert a.wav -f \(encoding) -o c.flac && cmp b.flac"
        + " c.flac")
    run.expectExit(0)
    let refused = try directory.pipeline("rawaudio convert a.wav -f s16be -o d.w64")
    refused.expectMessages(
      "cannot choose the byte order of 'w64': s16 has one byte order there; say s16 without one")
  }

  @Test(arguments: encodings)
  func everyContainerKeepsEveryBit(_ encoding: Encoding) throws {
    let directory = TemporaryDirectory()
    let data = Self.data(encoding)
    try directory.write(
      WaveBytes.file(
        data, bits: encoding.bits, isFloat: encoding.isFloat, channelCount: 2, sampleRate: 44_100),
      "in.wav")
    for container in ["wav", "wavex", "rf64", "w64", "aiff", "au", "caf", "raw", "flac"] {
      if container == "flac", !encoding.isInFLAC { continue }
      let shape =
        container == "raw"
        ? "--input-type raw --input-rate 44100 --input-channels 2 --input-format \(encoding.name)"
        : ""
      let back = "\(shape) -t raw -f \(encoding.name) -o -"
      let file = "x.\(container)"
      let run = try directory.pipeline(
        "rawaudio convert in.wav -t \(container) -o \(file) && rawaudio convert \(file) \(back)")
      #expect(run.standardOutput == data, "\(container) as a file")
      let piped = try directory.pipeline("cat \(file) | rawaudio convert - \(back)")
      #expect(piped.standardOutput == data, "\(container) from a pipe")
      #expect(run.standardError + piped.standardError == "")
    }
  }

  @Test func aWaveIsCopiedByteForByte() throws {
    let directory = TemporaryDirectory()
    var noise = Noise(9)
    let file = WaveBytes.file(noise.bytes(4_000), channelCount: 2, sampleRate: 44_100)
    try directory.write(file, "in.wav")
    try directory.mustRun(
      "rawaudio convert in.wav -o out.wav && rawaudio convert in.wav >shell.wav && rawaudio info in.wav"
        + " | tail -n +2 >a && rawaudio info shell.wav | tail -n +2 | cmp - a")
    #expect(try directory.bytes("out.wav").suffix(4_000) == file.suffix(4_000))
    #expect(try directory.bytes("shell.wav") == directory.bytes("out.wav"))
  }

  /// `--start` and `--duration` in samples and in seconds, in every kind of container.
  @Test(arguments: ["wav", "rf64", "w64", "aiff", "au", "caf", "flac", "raw"])
  func trimmingIsExact(_ container: String) throws {
    let directory = TemporaryDirectory()
    var noise = Noise(5)
    let samples = noise.samples(2 * 8_000, peak: 32_767)
    try directory.write(WaveBytes.file(samples, channelCount: 2, sampleRate: 8_000), "in.wav")
    let shape =
      container == "raw"
      ? "--input-type raw --input-rate 8000 --input-channels 2 --input-format s16" : ""
    _ = try directory.pipeline("rawaudio convert in.wav -t \(container) -o x.\(container)")
    let parts = [
      ("--start 0.5", 4_000..<8_000), ("--start 5000S -d 1S", 5_000..<5_001),
      ("--start 500ms -d 250ms", 4_000..<6_000),
      ("--start 0:0.1 -d 0.25", 800..<2_800), ("--start 7999S", 7_999..<8_000),
      ("--start 0.00006", 0..<8_000), ("--start 0.00007 -d 3S", 1..<4),
      ("-d 3000S", 0..<3_000), ("--start 7000S -d 5000S", 7_000..<8_000),
    ]
    for (options, range) in parts {
      for source in ["rawaudio convert x.\(container)", "cat x.\(container) | rawaudio convert -"] {
        let run = try directory.pipeline("\(source) \(shape) \(options) -t raw -o -")
        let expected = samples[2 * range.lowerBound..<2 * range.upperBound]
        #expect(WaveBytes.int16s(run.standardOutput)[...] == expected, "\(source) \(options)")
        let name = source.hasPrefix("cat") ? "standard input" : "x.\(container)"
        let isShort = options == "--start 7000S -d 5000S"
        #expect(
          run.standardError
            == (isShort
              ? "rawaudio: '\(name)' is short: it ends 4000 samples per channel before the part that was asked for\n"
              : ""))
      }
    }
  }

  @Test func aTrimBehindTheEndSaysSo() throws {
    let directory = TemporaryDirectory()
    try directory.write(WaveBytes.file([1, 2, 3]), "in.wav")
    for (start, sample) in [("3S", 3), ("100", 4_800_000), ("100:00:00", 17_280_000_000)] {
      let run = try directory.run("convert", "in.wav", "--start", start, "--force", "-o", "out.wav")
      run.expectExit(
        1,
        "cannot take this part of the source: it begins at sample \(sample), and the source "
          + "ends after 3 samples per channel")
      #expect(directory.names == ["in.wav"])
    }
  }

  /// Bytes of 600 samples; floating-point numbers are finite and below full scale.
  private static func data(_ encoding: Encoding) -> [UInt8] {
    var noise = Noise(4)
    guard encoding.isFloat else { return noise.bytes(600 * encoding.bits / 8) }
    return (0..<600).flatMap { _ in
      let value = Double(Int64(bitPattern: noise.next())) / 0x1p63
      let pattern =
        encoding.bits == 32
        ? UInt64(Float(value).bitPattern) : value.bitPattern
      return littleEndian(Int(bitPattern: UInt(pattern)), encoding.bits / 8)
    }
  }
}
