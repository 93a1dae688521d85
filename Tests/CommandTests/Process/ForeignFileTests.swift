// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Files as other programs write them: whole ones are never called truncated, and what `info` says is there comes
/// out of `convert`. Other decoders are asked how long MPEG audio is.
@Suite struct ForeignFileTests {
  private struct Report: Decodable {
    var samplesPerChannel: Int
    var channelCount: Int
    var truncated: Bool
  }

  private func directory() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    var noise = Noise(7)
    let samples = noise.samples(2 * 30_870, peak: 8_000)
    try directory.write(
      WaveBytes.file(WaveBytes.bytes(samples), channelCount: 2, sampleRate: 44_100), "in.wav")
    return directory
  }

  private func expectWhole(_ name: String, in directory: TemporaryDirectory) throws {
    let run = try runCommand("info", "--json", name, in: directory.url)
    let reports = try JSONDecoder().decode([Report].self, from: Data(run.standardOutput))
    let report = try #require(reports.first)
    #expect(!report.truncated, "\(name)")
    let converted = try runCommand(
      "convert", name, "-t", "raw", "-f", "f32", "-o", "-", "--fail-on", "truncated",
      in: directory.url)
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
    let run = try runPipeline("sox -V1 in.wav out.\(name)", in: directory.url)
    // Not every build of sox writes everything.
    guard run.ending == .exit(0) else { return }
    try expectWhole("out.\(name)", in: directory)
  }

  /// Where they cannot change the header afterwards they state a length that is none.
  @Test(arguments: [
    "sox -V1 in.wav -t aiff -", "sox -V1 in.wav -t aifc -", "sox -V1 in.wav -t au -",
    "sox -V1 in.wav -t w64 -", "sox -V1 in.wav -t wav -", "ffmpeg -v error -i in.wav -f au -",
    "ffmpeg -v error -i in.wav -f w64 -", "ffmpeg -v error -i in.wav -f mp3 -",
    "ffmpeg -v error -i in.wav -f ogg -", "ffmpeg -v error -i in.wav -f flac -",
  ])
  func whatWasWrittenToAPipeIsWhole(_ program: String) throws {
    let directory = try directory()
    let run = try runPipeline("\(program) 2> /dev/null | cat > out", in: directory.url)
    guard run.ending == .exit(0) else { return }
    let converted = try runCommand(
      "convert", "out", "-t", "raw", "-f", "f32", "-o", "-", "--fail-on", "truncated",
      in: directory.url)
    #expect(converted.ending == .exit(0))
    #expect(converted.standardError == "")
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
    let run = try runPipeline("ffmpeg -v error -i in.wav \(output)", in: directory.url)
    guard run.ending == .exit(0) else { return }
    try expectWhole(String(output.split(separator: " ").last ?? ""), in: directory)
  }

  /// Constant and variable bit rates, with the encoder's header and without, in all versions of MPEG.
  @Test(arguments: [
    "-b:a 128k", "-q:a 4", "-q:a 4 -write_xing 0", "-b:a 64k -write_xing 0", "-ac 1 -b:a 64k",
    "-ar 22050 -q:a 5", "-ar 11025 -ac 1 -q:a 5", "-ar 16000 -b:a 32k -write_xing 0",
  ])
  func ffmpegHearsAsMuch(_ options: String) throws {
    let directory = try directory()
    let run = try runPipeline(
      "ffmpeg -v error -i in.wav -c:a libmp3lame \(options) out.mp3", in: directory.url)
    guard run.ending == .exit(0) else { return }
    let theirs = try runPipeline("ffmpeg -v error -i out.mp3 -f f32le -", in: directory.url)
    let ours = try runCommand(
      "convert", "out.mp3", "-t", "raw", "-f", "f32", "-o", "-", in: directory.url)
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
