// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// ffmpeg decodes a file if libsndfile knows its container but not its coding.
@Suite struct ForeignCodingTests {
  private let directory = TemporaryDirectory()

  init() throws {
    try directory.mustRun(
      "rawaudio convert noise:pink -d 1.5 -r 16000 -c 1 -f s24 -o in.wav")
  }

  /// Expects ffmpeg's own samples, from a file and from a pipe; without ffmpeg the error names the coding.
  private func expectDecoded(_ name: String, _ coding: String, as encoding: String = "s16") throws {
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i \(name) -map 0:a:0 -f \(encoding)le their && [ -s their ] &&
        rawaudio convert -q \(name) -t raw -f \(encoding) -o - | cmp - their &&
        cat \(name) | rawaudio convert -q - -t raw -f \(encoding) -o - | cmp - their &&
        rawaudio info \(name) | grep -c 'decoder: *ffmpeg' && cat \(name) | rawaudio info - | grep -c 'decoder: *ffmpeg'
      """)
    #expect(run.outputText == "1\n1\n", "\(name): \(run.standardError)")
    let reason = "it is \(coding), which libsndfile does not read"
    let none = try directory.run("convert", name, "--decoder", "none", "-o", "out.wav")
    none.expectMessages("cannot read '\(name)': \(reason); --decoder ffmpeg decodes it")
    let missing = try directory.pipeline(
      "PATH='\(BuiltProducts.rawaudio.deletingLastPathComponent().path)'; rawaudio convert \(name) -o out.wav"
    )
    missing.expectMessages(
      "cannot read '\(name)': \(reason); ffmpeg decodes it: apt install ffmpeg")
  }

  @Test(arguments: [
    ("g726 -ar 8000", "a.wav", "WAV with G.726"), ("g722", "b.wav", "WAV with G.722"),
    ("wmav2 -ar 44100", "d.wav", "WAV with WMA"), ("g726 -ar 8000", "g.w64", "WAV with G.726"),
    ("alac", "c.caf", "a kind of ALAC in CAF"),
  ])
  func codingsOfFfmpeg(_ codec: String, _ name: String, _ coding: String) throws {
    try directory.mustRun("ffmpeg -nostdin -v error -i in.wav -c:a \(codec) \(name)")
    try expectDecoded(name, coding, as: codec == "alac" ? "s32" : "s16")
  }

  @Test func coreAudioOfUnknownLength() throws {
    try directory.mustRun(
      "ffmpeg -nostdin -v error -i in.wav -c:a pcm_s16be -f caf - | cat > a.caf")
    try expectDecoded("a.caf", "CAF of unknown length")
  }

  @Test func oggBesidePictures() throws {
    let made = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=d=1:s=64x64 -i in.wav -c:v libtheora -c:a libvorbis a.ogv
      """)
    // Some builds of ffmpeg cannot encode them.
    guard made.ending == .exit(0) else { return }
    try expectDecoded("a.ogv", "Ogg with several streams", as: "f32")
  }

  private var samples: [Int] {
    var noise = Noise(3)
    return noise.samples(6_144, peak: 30_000).map { Int($0) }
  }

  private func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  @Test func sphereOf24Bits() throws {
    var header = """
      NIST_1A
         1024
      sample_count -i 6144
      sample_n_bytes -i 3
      channel_count -i 1
      sample_byte_format -s2 01
      sample_rate -i 16000
      sample_coding -s3 pcm
      end_head

      """
    header += String(repeating: " ", count: 1_024 - header.utf8.count)
    let content = samples.flatMap { bytes($0 << 8, 3).reversed() }
    try directory.write(Array(header.utf8) + content, "a.sph")
    try expectDecoded("a.sph", "SPHERE of 24 bits", as: "s32")
  }

  @Test func sphereInShortenCodingIsNamed() throws {
    var header =
      "NIST_1A\n   1024\nsample_count -i 6144\nchannel_count -i 1\nsample_rate -i 16000\n"
      + "sample_coding -s26 pcm,embedded-shorten-v2.00\nend_head\n"
    header += String(repeating: " ", count: 1_024 - header.utf8.count)
    try directory.write(Array(header.utf8) + Array("ajkg".utf8) + [2] + bytes(0, 100), "a.sph")
    let run = try directory.run("convert", "a.sph", "--decoder", "none", "-o", "out.wav")
    run.expectMessages(
      "cannot read 'a.sph': it is SPHERE in shorten coding, which libsndfile does not read; "
        + "--decoder ffmpeg decodes it")
  }

  @Test func ircamOf24Bits() throws {
    let rate = Float(16_000).bitPattern
    let header: [UInt8] =
      [0x64, 0xA3, 1, 0] + bytes(Int(rate), 4).reversed() + [1, 0, 0, 0, 3, 0, 0, 0]
    let content = samples.flatMap { bytes($0 << 8, 3).reversed() }
    try directory.write(header + [UInt8](repeating: 0, count: 1_008) + content, "a.sf")
    try expectDecoded("a.sf", "IRCAM of 24 bits", as: "s32")
  }

  /// RFC 9639: verbatim frames of 192 samples.
  @Test(arguments: [(12, 2), (20, 5)]) func flacOfOtherSizes(_ bits: Int, _ code: UInt8) throws {
    func checksum(_ bytes: [UInt8], _ polynomial: Int, _ width: Int) -> Int {
      bytes.reduce(0) { sum, byte in
        (0..<8).reduce(sum ^ Int(byte) << (width - 8)) { value, _ in
          (value << 1 ^ (value >> (width - 1) & 1 == 1 ? polynomial : 0)) & ((1 << width) - 1)
        }
      }
    }
    let samples = samples
    var file = Array("fLaC".utf8) + [0x80, 0, 0, 34, 0, 192, 0, 192] + bytes(0, 6)
    file += bytes(16_000 << 44 | (bits - 1) << 36 | samples.count, 8) + bytes(0, 16)
    for number in 0..<samples.count / 192 {
      var frame: [UInt8] = [0xFF, 0xF8, 0x60, code << 1, UInt8(number), 191]
      frame.append(UInt8(checksum(frame, 0x07, 8)))
      frame.append(0x02)
      var (word, held) = (0, 0)
      for sample in samples[number * 192..<(number + 1) * 192] {
        let value = bits > 16 ? sample << (bits - 16) : sample >> (16 - bits)
        word = word << bits | value & ((1 << bits) - 1)
        held += bits
        while held >= 8 {
          frame.append(UInt8(truncatingIfNeeded: word >> (held - 8)))
          held -= 8
        }
        word &= (1 << held) - 1
      }
      file += frame + bytes(checksum(frame, 0x8005, 16), 2)
    }
    try directory.write(file, "a.flac")
    try expectDecoded("a.flac", "FLAC of \(bits) bits", as: bits > 16 ? "s32" : "s16")
  }

  @Test(arguments: [("flac", "a.oga"), ("libspeex -ar 16000", "a.spx")])
  func oggOnAPipe(_ codec: String, _ name: String) throws {
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i in.wav -c:a \(codec) \(name) &&
        cat \(name) | rawaudio convert -q - -t raw -f f32 -o - | cmp - <(rawaudio convert -q \(name) -t raw -f f32 -o -)
      """)
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
  }

  /// ffmpeg itself rates so few frames low.
  @Test(arguments: [1, 2, 3]) func fewFramesOfAC3(_ count: Int) throws {
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i in.wav -ar 48000 -c:a ac3 -b:a 192k whole.ac3 && head -c \(count * 768) whole.ac3 > a.ac3 &&
        rawaudio convert -q a.ac3 -t raw -f f32 -o - | wc -c &&
        rawaudio convert -q a.ac3 --decoder ffmpeg -t raw -f f32 -o - | wc -c
      """)
    let size = count * 1_536 * 4
    #expect(run.outputText == "\(size)\n\(size)\n", "\(run.standardError)")
  }

  /// Neither the content nor the name of a headerless file tells its format.
  @Test func aHeaderlessFileIsNoList() throws {
    try directory.write(samples.flatMap { bytes($0, 2) }, "x.raw")
    let run = try directory.run("convert", "x.raw", "-o", "out.wav")
    run.expectMessages(
      "cannot read 'x.raw': it is not a sound file that libsndfile knows; for headerless data say "
        + "--input-type raw")
  }
}
