// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Files of other programs: complete ones are never called truncated, and `convert` gives the length that `info`
/// states. Other decoders give the length of MPEG audio.
@Suite struct ForeignFileTests {
  private struct Report: Decodable {
    var samplesPerChannel: Int
    var channelCount: Int
    var truncated: Bool
  }

  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    var noise = Noise(7)
    let samples = noise.samples(2 * 30_870, peak: 8_000)
    try directory.write(
      WaveBytes.file(WaveBytes.bytes(samples), channelCount: 2, sampleRate: 44_100), "in.wav")
    return directory
  }

  private func expectWhole(_ name: String, in directory: TemporaryDirectory) throws {
    let run = try directory.run("info", "--json", name)
    let reports = try JSONDecoder().decode([Report].self, from: Data(run.standardOutput))
    let report = try #require(reports.first)
    #expect(!report.truncated, "\(name)")
    let converted = try directory.run(
      "convert", name, "-t", "raw", "-f", "f32", "-o", "-", "--fail-on", "truncated")
    #expect(converted.ending == .exit(0), "\(name): \(converted.standardError)")
    #expect(converted.standardError == "", "\(name)")
    #expect(
      converted.standardOutput.count == report.samplesPerChannel * report.channelCount * 4,
      "\(name)")
  }

  @Test(arguments: [
    "8svx", "aiff", "aifc", "au", "avr", "caf", "flac", "mat4", "mat5", "nist", "ogg", "paf", "pvf",
    "sf", "sph", "voc", "w64", "wav", "wve",
  ])
  func whatSoxWritesIsWhole(_ name: String) throws {
    let directory = try directory()
    let run = try directory.pipeline("sox -V1 in.wav out.\(name)")
    // Some builds of sox write fewer formats.
    guard run.ending == .exit(0) else { return }
    try expectWhole("out.\(name)", in: directory)
  }

  /// If they cannot change the header afterwards, they state an impossible length.
  @Test(arguments: [
    "sox -V1 in.wav -t aiff -", "sox -V1 in.wav -t aifc -", "sox -V1 in.wav -t au -",
    "sox -V1 in.wav -t w64 -", "sox -V1 in.wav -t wav -", "ffmpeg -v error -i in.wav -f au -",
    "ffmpeg -v error -i in.wav -f w64 -", "ffmpeg -v error -i in.wav -f mp3 -",
    "ffmpeg -v error -i in.wav -f ogg -", "ffmpeg -v error -i in.wav -f flac -",
  ])
  func whatWasWrittenToAPipeIsWhole(_ program: String) throws {
    let directory = try directory()
    let run = try directory.pipeline("\(program) 2> /dev/null | cat > out")
    guard run.ending == .exit(0) else { return }
    let converted = try directory.run(
      "convert", "out", "-t", "raw", "-f", "f32", "-o", "-", "--fail-on", "truncated")
    converted.expectExit(0)
    #expect(converted.standardOutput.count >= 30_870 * 2 * 4)
  }

  @Test(arguments: [
    "out.aiff", "out.au", "out.caf", "out.w64", "out.flac", "out.mp3", "out.mp2",
    "-c:a libvorbis out.ogg", "out.opus", "-c:a adpcm_ms out.wav", "-c:a adpcm_ima_wav out.wav",
    "-c:a adpcm_ms out.w64", "-c:a libmp3lame out.wav", "-c:a libmp3lame -write_xing 0 out.mp3",
    "-c:a libmp3lame -q:a 4 -write_xing 0 out.mp3",
  ])
  func whatFfmpegWritesIsWhole(_ output: String) throws {
    let directory = try directory()
    let run = try directory.pipeline("ffmpeg -v error -i in.wav \(output)")
    guard run.ending == .exit(0) else { return }
    try expectWhole(String(output.split(separator: " ").last ?? ""), in: directory)
  }

  /// Constant and variable bit rates, with and without the encoder's header, in all versions of MPEG.
  @Test(arguments: [
    "-b:a 128k", "-q:a 4", "-q:a 4 -write_xing 0", "-b:a 64k -write_xing 0", "-ac 1 -b:a 64k",
    "-ar 22050 -q:a 5", "-ar 11025 -ac 1 -q:a 5", "-ar 16000 -b:a 32k -write_xing 0",
  ])
  func ffmpegHearsAsMuch(_ options: String) throws {
    let directory = try directory()
    let run = try directory.pipeline("ffmpeg -v error -i in.wav -c:a libmp3lame \(options) out.mp3")
    guard run.ending == .exit(0) else { return }
    let theirs = try directory.pipeline("ffmpeg -v error -i out.mp3 -f f32le -")
    let ours = try directory.run("convert", "out.mp3", "-t", "raw", "-f", "f32", "-o", "-")
    #expect(ours.standardOutput.count == theirs.standardOutput.count)
    let largest = zip(values(ours.standardOutput), values(theirs.standardOutput)).reduce(Float(0)) {
      max($0, abs($1.0 - $1.1))
    }
    #expect(largest < 1e-4)
  }

  private func values(_ bytes: [UInt8]) -> [Float] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { index in
      let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index + $1]) << (8 * $1) }
      return Float(bitPattern: word)
    }
  }
}

/// MPEG audio cut, tagged and surrounded by other programs.
@Suite struct SurroundedMpegTests {
  private let directory = TemporaryDirectory()

  init() throws {
    try directory.mustRun("rawaudio convert noise:pink -d 1 -r 44100 -c 2 -o a.mp3")
  }

  /// A pipe that begins within a frame gives the samples of the file.
  @Test func aPipeMayBeginWithinAFrame() throws {
    let run = try directory.pipeline(
      """
      tail -c +2000 a.mp3 > cut.mp3 && rawaudio convert -q cut.mp3 -t raw -f f32 -o whole && [ -s whole ] &&
        cat cut.mp3 | rawaudio convert -q - -t raw -f f32 -o - | cmp - whole
      """)
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
  }

  /// Two frames between other bytes and the end are enough.
  @Test func otherBytesBetweenTagAndSound() throws {
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
    // 64 kbit/s at 44,100 Hz: frames of 208 bytes.
    let frame: [UInt8] = [0xFF, 0xFB, 0x50, 0xC4] + [UInt8](repeating: 0, count: 204)
    try directory.write(tag + [0x20, 0x20, 0x20, 0x20] + frame + frame, "junk.mp3")
    let run = try directory.run("convert", "junk.mp3", "-t", "raw", "-f", "f32", "-o", "-")
    #expect(run.standardOutput.count == 2 * 1_152 * 4, "\(run.standardError)")
  }

  /// A Mac's resource fork in the folder, under a name made up by libsndfile, does not belong to the file.
  @Test func aFileWithTheNameOfAResourceFork() throws {
    let run = try directory.pipeline(
      """
      printf 'ID3\\3\\0\\0\\0\\0\\0\\12\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0' | cat - a.mp3 > b.mp3
      rawaudio info b.mp3 > before && head -c 5000 /dev/zero > ._ && rawaudio info b.mp3 | cmp - before
      """)
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
  }

  /// libmpg123 takes time with the square of their number.
  @Test func aTagOfManyFrames() throws {
    let frame = Array("TXXX".utf8) + [0, 0, 0, 4, 0, 0, 0, 0x41, 0, 0x42]
    let content = (0..<80_000).flatMap { _ in frame }
    let size = (0..<4).map { (index: Int) in UInt8((content.count >> (21 - 7 * index)) & 0x7F) }
    try directory.write(
      Array("ID3".utf8) + [4, 0, 0] + size + content + directory.bytes("a.mp3"), "many.mp3")
    let run = try directory.pipeline(
      "rawaudio info many.mp3 | grep duration | cmp - <(rawaudio info a.mp3 | grep duration)")
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
  }
}
