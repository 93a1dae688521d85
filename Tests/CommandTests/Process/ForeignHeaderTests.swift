// SPDX-License-Identifier: Apache-2.0
import Testing

/// The messages about files with wrong headers, and the effect of the command's options.
@Suite struct ForeignHeaderTests {
  private let directory = TemporaryDirectory()

  /// 24 bits in the low three of four bytes, as `arecord -f S24_LE` stores them.
  private func writePadded() throws {
    let samples = [0x12_3456, -0x12_3456, 5].flatMap { littleEndian($0, 4) }
    var bytes = WaveFile(samples, sampleRate: 8_000, channelCount: 1, bitsPerSample: 32).bytes
    bytes.replaceSubrange(34..<36, with: [24, 0])
    try directory.write(bytes, "a.wav")
  }

  @Test(arguments: [
    (
      "", [0x12_3456, -0x12_3456, 5],
      "low three are read, for the low byte is used and the high one only repeats the sign;"
        + " --input-format s32 takes the high ones"
    ),
    (
      "--input-format S24_LE", [0x12_3456, -0x12_3456, 5],
      "low three are read, as --input-format says"
    ),
    ("--input-format s32", [0x1234, -0x1235, 0], "high three are read, as --input-format says"),
  ])
  func paddedBits(_ options: String, _ expected: [Int], _ rule: String) throws {
    try writePadded()
    let run = try directory.pipeline("rawaudio convert a.wav -v \(options) -f s32 -t raw -o out")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.contains("rawaudio: 'a.wav': of the four bytes of a sample the \(rule)\n"),
      "\(run.standardError)")
    let bytes = try directory.bytes("out")
    let high = stride(from: 0, to: 12, by: 4).map {
      Int(Int32(truncatingIfNeeded: littleEndian(bytes, at: $0, 4))) >> 8
    }
    #expect(high == expected)
    let quiet = try directory.pipeline("rawaudio convert a.wav \(options) -t raw -o again")
    #expect(quiet.standardError == "")
  }

  /// Raw samples as `aplay -f S24_LE` takes them: the low three bytes, sign-extended.
  @Test(arguments: [false, true]) func paddedBitsAreWritten(isBig: Bool) throws {
    let values = [0, 1, -1, 0x7F_FFFF, -0x80_0000, 0x12_3456]
    try directory.write(WaveBytes.file(values.flatMap { littleEndian($0, 3) }, bits: 24), "a.wav")
    let name = isBig ? "S24_BE" : "S24_LE"
    let expected = values.flatMap { value in
      let bytes = littleEndian(value, 4)
      return isBig ? bytes.reversed() : bytes
    }
    let shape = "--input-type raw --input-rate 48000 --input-channels 1 --input-format \(name)"
    let run = try directory.pipeline(
      "rawaudio convert a.wav -f \(name) -t raw -o - --observe record,encoding=\(name):tap=t.raw"
        + " | tee b.raw | rawaudio convert - \(shape) -f s24 -o back.wav && cmp t.raw b.raw")
    run.expectExit(0)
    #expect(try directory.bytes("b.raw") == expected)
    #expect(
      try directory.bytes("back.wav").suffix(values.count * 3)
        == values.flatMap { littleEndian($0, 3) }[...])
  }

  @Test func aContradictionIsTold() throws {
    var bytes = WaveBytes.file([1, 2, 3, 4], sampleRate: 8_000)
    bytes.replaceSubrange(32..<34, with: [4, 0])
    try directory.write(bytes, "a.wav")
    let run = try directory.pipeline("rawaudio convert a.wav")
    #expect(WaveBytes.samples(run.standardOutput) == [1, 2, 3, 4])
    run.expectMessages(
      "'a.wav': its header contradicts itself: it states blocks of 4 bytes, and is read in blocks "
        + "of 2 bytes")
  }

  private static let note =
    "rawaudio: 'a.wav' holds 60 samples per channel more than its header states; --ignore-length reads them\n"

  @Test(arguments: [
    ("", note, 0 as Int32, 40), ("--fail-on truncated", note, 2, 40),
    ("--fail-on clip", note, 0, 40),
    ("--ignore-length --fail-on truncated", "", 0, 100),
  ])
  func moreSoundThanStated(_ options: String, _ note: String, _ code: Int32, _ count: Int) throws {
    var noise = Noise(3)
    let samples = noise.samples(100, peak: 20_000)
    var bytes = WaveBytes.file(samples, sampleRate: 8_000)
    bytes.replaceSubrange(40..<44, with: littleEndian(80, 4))
    try directory.write(bytes, "a.wav")
    for command in ["convert", "mix"] {
      let run = try directory.pipeline("rawaudio \(command) a.wav \(options)")
      #expect(run.ending == .exit(code))
      #expect(run.standardError == note)
      #expect(WaveBytes.samples(run.standardOutput) == Array(samples.prefix(count)))
    }
  }

  /// Both zeros of µ-law are kept.
  @Test func everyCodeOfMuLawStays() throws {
    let codes = (0...255).map { UInt8($0) }
    try directory.write(codes, "a")
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format ulaw"
    for command in ["convert a", "concat a"] {
      let run = try directory.pipeline("rawaudio \(command) \(shape) -f ulaw -t raw -o -")
      #expect(run.ending == .exit(0), "\(run.standardError)")
      #expect(run.standardOutput == codes)
    }
  }

  /// An infinity kept by floating point is no clip; one that integers cannot hold is.
  @Test(arguments: [("f32", 0 as Int32), ("f64", 0), ("s16", 2)])
  func infinities(_ encoding: String, _ code: Int32) throws {
    try directory.write([0, 0, 0, 0x3F, 0, 0, 0x80, 0x7F, 0, 0, 0x80, 0xFF], "a")
    let shape = "--input-type raw --input-rate 8000 --input-channels 1 --input-format f32"
    let run = try directory.pipeline(
      "rawaudio convert a \(shape) -f \(encoding) -t raw -o out --fail-on clip")
    #expect(run.ending == .exit(code))
    #expect(run.standardError.isEmpty == (code == 0))
    if encoding == "f32" { #expect(try directory.bytes("out") == directory.bytes("a")) }
  }

  /// A decoder that succeeds without samples for a file that has some.
  @Test(arguments: ["convert -o out.wav", "measure"])
  func aDecoderThatGivesNothing(_ command: String) throws {
    let name = command.split(separator: " ")[0]
    try directory.write(WaveBytes.file([1, 2, 3]), "a.wav")
    let empty = WaveFile([], sampleRate: 8_000, channelCount: 1).bytes
    try directory.write(empty, "empty")
    let answer = """
      {"format":{"format_name":"wav","probe_score":100},"streams":[{"codec_type":"audio","codec_name":"pcm_s16le",\
      "sample_fmt":"s16","sample_rate":"8000","channels":1,"duration_ts":3,"time_base":"1/8000"}]}
      """
    let run = try directory.pipeline(
      """
      mkdir programs && printf '#!/bin/sh\\ncat empty\\n' > programs/ffmpeg &&
      printf '#!/bin/sh\\necho '"'%s'"'\\n' '\(answer)' > programs/ffprobe && chmod +x programs/* &&
      PATH="$PWD/programs:$PATH" rawaudio \(command) --decoder ffmpeg a.wav
      """)
    #expect(run.ending == .exit(1), "\(name)")
    #expect(run.standardError == "rawaudio: cannot decode 'a.wav': ffmpeg gives no sample of it\n")
    #expect(!directory.names.contains("out.wav"))
  }
}
