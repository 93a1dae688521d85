// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Files encoded by ffmpeg. ffmpeg's own decoder gives the place of a click and the length of the sound.
@Suite struct EncoderTests {
  private static let length = 20_000
  private static let place = 9_000

  /// A click that survives a lossy codec.
  private static let click = (-40...40).map { (step: Int) -> Double in
    let phase = Double.pi * Double(step)
    let window = 0.5 + 0.5 * cos(phase / 41)
    return 0.7 * cos(0.1 * phase) * window
  }

  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    var samples = [Int16](repeating: 0, count: Self.length)
    for (index, value) in Self.click.enumerated() {
      samples[Self.place - 40 + index] = Int16(value * 32_767)
    }
    try directory.write(WaveBytes.file(samples, sampleRate: 48_000), "in.wav")
    return directory
  }

  /// Returns the length of a raw float file and the place most like the click.
  private func found(_ name: String, in directory: TemporaryDirectory) throws -> [Int] {
    let bytes = try directory.bytes(name)
    let samples = stride(from: 0, to: bytes.count - 3, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << ($1 * 8) })
    }
    let sums = (40..<max(41, samples.count - 40)).map { place in
      Self.click.indices.reduce(0.0) { $0 + Self.click[$1] * Double(samples[place - 40 + $1]) }
    }
    let best = sums.indices.max { sums[$0] < sums[$1] } ?? 0
    return [samples.count, best + 40]
  }

  /// The containers that state the codec's delay, and the length of the sound in this program's reader.
  @Test(arguments: [("m4a", 20_480), ("m4b", 20_480), ("mka", 20_000), ("wma", 20_480)])
  func aClickKeepsItsPlace(_ type: String, _ decodedLength: Int) throws {
    let directory = try directory()
    let run = try directory.pipeline(
      """
      rawaudio convert in.wav -o out.\(type) && rawaudio convert -q out.\(type) -t raw -f f32 -o mine &&
        ffmpeg -nostdin -v error -i out.\(type) -f f32le their
      """)
    #expect(
      run.standardError
        == (type == "wma"
          ? "rawaudio: 'out.wma' may end with silence: wma cannot state the length of its sound\n"
          : ""))
    let length = type == "wma" ? decodedLength : Self.length
    #expect(try found("mine", in: directory) == [length, Self.place])
    #expect(try found("their", in: directory) == [decodedLength, Self.place])
  }

  /// Each type of the help page is written under any name.
  @Test(arguments: [
    ("m4a", "mov", "aac"), (".M4B", "mov", "aac"), ("aac", "aac", "aac"),
    ("mka", "matroska", "flac"),
    ("ac3", "ac3", "ac3"), ("eac3", "eac3", "eac3"), ("wma", "asf", "wmav2"), ("mp4", "mov", "aac"),
    ("mov", "mov", "aac"),
  ])
  func aTypeNeedsNoName(_ type: String, _ container: String, _ codec: String) throws {
    let directory = try directory()
    let run = try directory.pipeline(
      """
      rawaudio convert -q in.wav -t \(type) -o out.sound &&
        ffprobe -v error -show_entries format=format_name -of csv=p=0 out.sound &&
        ffprobe -v error -show_entries stream=codec_name -of csv=p=0 out.sound
      """)
    #expect(run.standardError == "")
    let lines = run.outputText.split(separator: "\n")
    #expect(lines.count == 2 && lines[1] == codec, "\(lines)")
    #expect(lines.first?.drop { $0 == "\"" }.hasPrefix(container) == true, "\(lines)")
    let name = type.drop { $0 == "." }.lowercased()
    let help = try directory.run("help", "formats").outputText
    #expect(help.contains("  \(name) ") || help.contains("mp4, mov, mkv, webm"))
    try directory.pipeline("rawaudio convert in.wav -t \(type) | cat").expectExit(
      1, "cannot write to 'standard output': ffmpeg writes files, and this is none")
    try directory.pipeline("rawaudio convert in.wav -t \(type) --encoder none -o none").expectExit(
      1,
      "cannot write to 'none': nothing here encodes \(name); ffmpeg would encode it"
    )
  }

  /// Pictures go along under any name, and the type is more than the name.
  @Test func aTypeOfAVideo() throws {
    let directory = try directory()
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=d=1:s=64x48 -i in.wav -c:v mpeg4 -c:a pcm_s16le f.mov &&
        rawaudio convert -q f.mov -t mkv -o out && rawaudio convert -q f.mov -t wav -o out.m4a &&
        rawaudio convert in.wav in.wav -t m4a -o 'all/{n}' &&
        for file in out out.m4a all/1 all/2; do ffprobe -v error -show_entries stream=codec_name -of csv=p=0 $file; done
      """)
    #expect(run.standardError == "")
    #expect(run.outputText == "mpeg4\npcm_s16le\npcm_s16le\naac\naac\n")
    try directory.run("convert", "in.wav", "-t", "webm", "-o", "x").expectExit(
      1,
      "cannot write to 'x.webm': nothing here encodes the type its extension names; write a WAV stream to standard "
        + "output and let ffmpeg encode it: | ffmpeg -i - -c:v copy 'x.webm'")
  }

  @Test(arguments: [("aac", 1_024), ("ac3", 256), ("eac3", 256)])
  func aDelayThatCannotBeStatedIsTold(_ type: String, _ delay: Int) throws {
    let directory = try directory()
    let run = try directory.pipeline(
      "rawaudio convert in.wav -o out.\(type) && ffmpeg -nostdin -v error -i out.\(type) -f f32le their"
    )
    run.expectMessages(
      "'out.\(type)' begins with \(delay) samples of silence and may end with some: \(type) "
        + "cannot state the delay of its encoder")
    #expect(try found("their", in: directory)[1] == Self.place + delay)
  }

  /// FLAC in Matroska holds every bit, also of 24.
  @Test(arguments: [("s16", "s16le"), ("s24", "s24le")])
  func matroskaIsLossless(_ encoding: String, _ codec: String) throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      rawaudio convert noise:white -d 0.3 -c 3 -f \(encoding) -o in.wav && rawaudio convert in.wav -o out.mka &&
        rawaudio convert in.wav -t raw -o in.raw &&
        ffmpeg -nostdin -v error -i out.mka -f \(codec) their && cmp their in.raw
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(run.standardError.isEmpty)
  }

  @Test func metadataGoesAlong() throws {
    let directory = try directory()
    let run = try directory.pipeline(
      #"""
      rawaudio convert in.wav --tag 'TITLE=A=b;c#\d' --tag ARTIST=Ada --tag TRACKNUMBER=3 --tag TRACKTOTAL=12 -o t.flac &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=s=32x32 -frames:v 1 c.png &&
        ffmpeg -nostdin -v error -i t.flac -i c.png -map 0:a -map 1:v -c copy -disposition:v attached_pic in.flac &&
        for file in out.m4a out.mka; do
          rawaudio convert in.flac -o $file && ffprobe -v error -show_entries format_tags=title,artist,track \
            -of default=nw=1:nk=1 $file | sort &&
            ffmpeg -nostdin -v error -i $file -map 0:v -c copy -f image2pipe - | cmp - c.png || exit
        done
      """#)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let texts = "3/12\n" + #"A=b;c#\d"# + "\nAda\n"
    #expect(run.outputText == texts + texts)
  }

  /// The first mark is not at 0, and MP4 has chapters without gaps.
  @Test func marksBecomeChapters() throws {
    let directory = try directory()
    func words(_ numbers: [UInt32]) -> [UInt8] {
      numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }
    let data: UInt32 = 0x6174_6164
    let cues = words([2, 1, 4_801, data, 0, 0, 4_801, 2, 9_603, data, 0, 0, 9_603])
    var file = try directory.bytes("in.wav")
    file += Array("cue ".utf8) + words([UInt32(cues.count)]) + cues
    file.replaceSubrange(4..<8, with: words([UInt32(file.count - 8)]))
    try directory.write(file, "cue.wav")
    let run = try directory.pipeline(
      """
      rawaudio convert cue.wav -o out.m4a && rawaudio convert cue.wav -o out.mka &&
        for file in out.m4a out.mka; do ffprobe -v error -show_entries chapter=start_time -of csv=p=0 $file; done
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(run.outputText == "0.000000\n0.100021\n0.200063\n0.100021\n0.200063\n")
  }

  @Test func bitRatesAreFfmpegs() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      for rate in 64 256; do
        rawaudio convert noise:white -d 1 -r 48000 -c 2 --bitrate $rate -o $rate.m4a &&
          ffprobe -v error -show_entries stream=bit_rate -of csv=p=0 $rate.m4a
      done
      """)
    let rates = run.outputText.split(separator: "\n").compactMap { Int($0) }
    #expect(rates.count == 2)
    for (rate, wanted) in zip(rates, [64_000, 256_000]) {
      #expect(abs(rate - wanted) < wanted / 10)
    }
  }

  @Test func withoutFfmpegItIsOneLine() throws {
    let directory = try directory()
    let run = try directory.run(
      "convert", "in.wav", "-o", "a.m4a", environment: ["PATH": "/nonexistent"])
    run.expectExit(1, "cannot run 'ffmpeg': it is not on the PATH; apt install ffmpeg")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["in.wav"])
  }

  /// An old file stays unchanged, and there is no other file.
  @Test(arguments: [
    "trap '' XFSZ; ulimit -f 40; rawaudio convert noise:white -d 5 --force -o a.m4a":
      "ffmpeg failed: File too large",
    "rawaudio convert noise:white -d 1:00:00 --force -o a.m4a & until kill -9 $(pgrep -P $!) 2>/dev/null; do :; done; wait $!":
      "ffmpeg failed: it was killed by signal 9 (killed)",
  ])
  func aFailureKeepsNothing(_ script: String, _ reason: String) throws {
    let directory = TemporaryDirectory()
    try directory.write([1, 2, 3], "a.m4a")
    let run = try directory.pipeline(script)
    run.expectExit(1, "cannot write to 'a.m4a': \(reason); nothing was kept")
    #expect(try directory.bytes("a.m4a") == [1, 2, 3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["a.m4a"])
  }

  @Test func anInterruptionLeavesNothing() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      rawaudio convert noise:white -d 10:00:00 -o a.m4a & child=$!
      until pgrep -P $child >/dev/null; do :; done; kill -INT $child; wait $child
      """)
    #expect(run.ending == .exit(130))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }

  @Test func listsMixesAndSequencesAreEncoded() throws {
    let directory = try directory()
    let run = try directory.pipeline(
      """
      cp in.wav b.wav && rawaudio convert in.wav b.wav -o 'out/{stem}.m4a' && rawaudio mix in.wav b.wav -o out/m.m4a &&
        rawaudio concat in.wav b.wav -o out/c.m4a && rawaudio session --local in.wav --publish out/s.m4a &&
        for file in in b m c s; do
          rawaudio convert -q out/$file.m4a -t raw -f s16 -o - | wc -c
        done
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(run.outputText == "40000\n40000\n40000\n80000\n40000\n")
  }

  @Test(arguments: [
    ["-o", "a.m4a", "--encoder", "none"]:
      "cannot write to 'a.m4a': nothing here encodes m4a; ffmpeg would encode it",
    ["-o", "a.wma", "-r", "96000"]:
      "cannot store 96000 Hz in 'wma': it holds only 8000, 11025, 16000, 22050, 32000, 44100, 48000 Hz; -r 48000 converts it",
    ["-o", "a.ac3", "-c", "7"]:
      "cannot store 7 channels in 'ac3': ac3 there holds at most 6; convert to at most that or take another container",
    ["-o", "a.m4a", "-f", "s16"]: "cannot store s16 in 'm4a': it holds aac; leave the encoding out",
    ["-o", "a.ac3", "--quality", "3"]:
      "cannot set the quality of 'ac3': ac3 takes a bit rate of 32 to 640 kbit/s",
    ["-o", "a%03d.m4a", "--split", "0.1"]:
      "cannot write to 'a%03d.m4a': a recording in parts is not encoded by ffmpeg; record to flac, and convert the parts",
  ])
  func whatCannotBeIsRefused(_ arguments: [String], _ message: String) throws {
    let directory = try directory()
    let run = try directory.pipeline(
      "rawaudio convert in.wav " + arguments.map { "'\($0)'" }.joined(separator: " "))
    run.expectExit(1, message)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["in.wav"])
  }

  /// A sine of 6 dB beyond full scale clips in two thirds of its samples, and FLAC holds integers.
  @Test func clippedSamplesAreCounted() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      rawaudio convert tone:440 -d 1 -r 48000 -f f32 -o a.wav && rawaudio convert -q a.wav --gain 6 -f s16 -o a.flac
      rawaudio convert a.wav --gain 6 -f s16 --fail-on clip -o out.mka
      """)
    #expect(run.ending == .exit(2))
    let plain = try directory.run("convert", "a.wav", "--gain", "6", "-f", "s16", "-o", "b.flac")
    #expect(
      run.standardError
        == plain.standardError.split(separator: "'b.flac'").joined(separator: "'out.mka'"))
    #expect(run.standardError.contains("samples clipped in 'out.mka'; lower the gain"))
  }
}
