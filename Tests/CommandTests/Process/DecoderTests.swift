// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import rawaudio

/// What libsndfile does not read is decoded by ffmpeg: as ffmpeg itself decodes it, and never cut short in silence.
@Suite struct DecoderTests {
  /// A file of 1.5 s, encoded by ffmpeg.
  private func directory(_ codec: String, _ name: String, format: String = "s16") throws
    -> TemporaryDirectory
  {
    let directory = try TemporaryDirectory()
    let run = try runPipeline(
      """
      rawaudio convert noise:pink -d 1.5 -r 44100 -c 2 -f \(format) -o in.wav &&
        ffmpeg -nostdin -v error -i in.wav -c:a \(codec) 'file:\(name)'
      """, in: directory.url)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    return directory
  }

  /// Puts a program of the test's in front of the real ones.
  private func replace(_ program: String, by script: String, in directory: TemporaryDirectory)
    throws
    -> [String: String]
  {
    let folder = directory.url.appendingPathComponent("programs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(program)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    let product = BuiltProducts.rawaudio.deletingLastPathComponent().path
    return ["PATH": "\(folder.path):\(product):/usr/local/bin:/usr/bin:/bin"]
  }

  @Test(arguments: [
    ("aac", "a.m4a", "s16", "f32"), ("alac", "l.m4a", "s16", "s16"),
    ("alac", "h.m4a", "s24", "s32"),
    ("wavpack", "w.wv", "s16", "s16"), ("wavpack", "f.wv", "f32", "f32"),
    ("libspeex -ar 16000", "x.spx", "s16", "f32"), ("wmav2", "w.wma", "s16", "f32"),
    ("ac3", "v.mkv", "s16", "f32"), ("tta", "t.tta", "s16", "s16"), ("aac", "a.aac", "s16", "f32"),
    ("flac", "f.oga", "s16", "s16"),
  ])
  func samplesAreThoseOfFfmpeg(
    _ codec: String, _ name: String, _ format: String, _ encoding: String
  ) throws {
    let directory = try directory(codec, name, format: format)
    let run = try runPipeline(
      """
      rawaudio convert -q \(name) -t raw -f \(encoding) -o mine &&
        ffmpeg -nostdin -v error -i \(name) -f \(encoding)le their && cmp mine their && wc -c < mine
      """, in: directory.url)
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
    #expect(Int(run.outputText.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 100_000)
  }

  /// 24 bits stay 24 bits, and what was lossy counts as 16, as it does with MP3.
  @Test(arguments: [("alac", "l.m4a", "s24", "s24"), ("aac", "a.m4a", "s24", "s16")])
  func theEncodingFollowsTheCodec(
    _ codec: String, _ name: String, _ format: String, _ expected: String
  ) throws {
    let directory = try directory(codec, name, format: format)
    let run = try runPipeline(
      "rawaudio convert \(name) -o out.wav && rawaudio info out.wav | grep encoding",
      in: directory.url)
    #expect(run.outputText.contains(" \(expected)"))
    #expect(run.standardError == "rawaudio: '\(name)' is decoded by ffmpeg (\(codec))\n")
  }

  @Test(arguments: ["-a.m4a", "a:b.m4a", "http:x.m4a", "%d.m4a", "ä 'x'.m4a", "-.m4a"])
  func namesAreFiles(_ name: String) throws {
    let directory = try directory("alac", "plain.m4a")
    let run = try runPipeline(
      """
      mv plain.m4a "./$NAME" && rawaudio convert -q -t raw -o mine -- "$NAME" &&
        rawaudio convert in.wav -t raw | cmp - mine && rawaudio info -- "$NAME" | grep -c alac
      """, environment: ["NAME": name], in: directory.url)
    #expect(run.outputText == "1\n", "\(run.standardError)")
  }

  @Test func whoDecodesCanBeSaid() throws {
    let directory = try directory("aac", "a.m4a")
    let none = try runCommand(
      "convert", "a.m4a", "--decoder", "none", "-o", "out.wav", in: directory.url)
    #expect(none.ending == .exit(1))
    #expect(
      none.standardError
        == "rawaudio: cannot read 'a.m4a': it is MPEG-4 (m4a, mp4, mov), which libsndfile does not read;"
        + " ffmpeg would decode it\n")
    let forced = try runPipeline(
      """
      rawaudio convert in.wav --decoder ffmpeg -t raw -o mine && rawaudio convert in.wav -t raw | cmp - mine
      rawaudio info in.wav --decoder ffmpeg | grep -E '^(container|encoding|decoder)'
      """, in: directory.url)
    #expect(forced.standardError == "rawaudio: 'in.wav' is decoded by ffmpeg (pcm_s16le)\n")
    #expect(
      forced.outputText == "container:    wav\nencoding:     pcm_s16le\ndecoder:      ffmpeg\n")
    // An observer's file, too.
    let observer = "record:mix=a.m4a"
    let mixed = try runCommand(
      "convert", "in.wav", "--observe", observer, "--decoder", "none", "-o", "out.wav",
      in: directory.url)
    #expect(mixed.ending == .exit(1))
    #expect(mixed.standardError.contains("which libsndfile does not read"))
  }

  @Test func withoutFfmpegTheErrorSaysWhatToInstall() throws {
    let directory = try directory("aac", "a.m4a")
    let run = try runPipeline(
      "PATH=\(BuiltProducts.rawaudio.deletingLastPathComponent().path); rawaudio convert a.m4a -o out.wav",
      in: directory.url)
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError
        == "rawaudio: cannot read 'a.m4a': it is MPEG-4 (m4a, mp4, mov), which libsndfile does not read;"
        + " ffmpeg decodes it: apt install ffmpeg\n")
    #expect(directory.names == ["a.m4a", "in.wav"])
  }

  /// A pipe is not given to ffmpeg, and what nobody knows is refused as before.
  @Test func othersAreRefusedAsBefore() throws {
    let directory = try directory("aac", "a.m4a")
    let pipe = try runPipeline("cat a.m4a | rawaudio convert - -o out.wav", in: directory.url)
    #expect(
      pipe.standardError
        == "rawaudio: cannot read 'standard input': it is MPEG-4 (m4a, mp4, mov), which libsndfile does not"
        + " read; save it to a file, and ffmpeg decodes it\n")
    var noise = Noise(3)
    try directory.write(WaveBytes.bytes(noise.samples(5_000, peak: 30_000)), "noise.mp4")
    let unknown = try runCommand("convert", "noise.mp4", "-o", "out.wav", in: directory.url)
    #expect(
      unknown.standardError
        == "rawaudio: cannot read 'noise.mp4': it is not a sound file that libsndfile knows; for headerless data"
        + " say --input-type raw\n")
    try directory.write(Array("#EXTM3U\na.m4a\n".utf8), "list.m3u8")
    let list = try runCommand("convert", "list.m3u8", "-o", "out.wav", in: directory.url)
    #expect(list.standardError.contains("it is text, not sound"))
  }

  @Test func anFfmpegThatFailsIsAFailedInput() throws {
    let directory = try directory("alac", "a.m4a")
    for (script, reason) in [
      (
        "/usr/bin/ffmpeg \"$@\" | head -c 100000; kill -9 $$",
        "ffmpeg failed: it was killed by signal 9 (killed)"
      ),
      (
        "/usr/bin/ffmpeg \"$@\" 2>/dev/null | head -c 100000; exit 3",
        "ffmpeg failed: it exited with status 3"
      ),
      ("echo '[alac @ 0x55d] no memory' >&2; exit 1", "ffmpeg failed: no memory"),
      ("exit 0", "nothing came from it"),
    ] {
      let environment = try replace("ffmpeg", by: script, in: directory)
      let run = try runPipeline(
        "rawaudio convert a.m4a -o out.wav; echo $?; ls out.wav", environment: environment,
        in: directory.url)
      #expect(run.outputText == "1\n")
      #expect(run.standardError.contains("'a.m4a': \(reason)\n"), "\(run.standardError)")
    }
  }

  @Test func aCutFileIsTruncated() throws {
    for (codec, name) in [
      ("aac -movflags +faststart", "a.m4a"), ("wavpack", "w.wv"), ("libspeex -ar 16000", "x.spx"),
      ("ac3", "v.mkv"),
    ] {
      let directory = try directory(codec, name)
      let run = try runPipeline(
        """
        head -c $(($(stat -c %s \(name)) * 9 / 10)) \(name) > cut.\(name)
        rawaudio convert cut.\(name) -o out.wav --fail-on truncated; echo $?
        """, in: directory.url)
      #expect(run.outputText == "2\n", "\(name)")
      #expect(run.standardError.contains("'cut.\(name)' is truncated"), "\(run.standardError)")
    }
  }

  /// One program for each, all gone, and the list is not eaten by them.
  @Test func inLists() throws {
    let directory = try directory("alac", "a.m4a")
    let run = try runPipeline(
      """
      cp a.m4a b.m4a; cp in.wav c.wav; head -c 300 a.m4a > d.m4a
      printf 'a.m4a\\nd.m4a\\nb.m4a\\nc.wav\\n' |
        rawaudio convert -q --list - -j 2 -o 'out-{stem}.wav' --results r; echo $?
      for name in a b c; do rawaudio convert in.wav -t raw | cmp - <(rawaudio convert out-$name.wav -t raw); done
      grep -c '"status":"done"' r; grep -c '"decoder":"ffmpeg"' r; grep -o 'ffmpeg [^"]*' r
      """, in: directory.url)
    #expect(run.outputText.hasPrefix("1\n3\n2\nffmpeg cannot read it: "), "\(run.outputText)")
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func aSignalEndsIt(_ signal: String, _ code: Int) throws {
    let directory = try directory("alac", "a.m4a")
    let environment = try replace(
      "ffmpeg", by: "echo $$ > pid.new; mv pid.new pid; exec sleep 1000", in: directory)
    let run = try runPipeline(
      """
      mkfifo pid.new.fifo; rawaudio convert a.m4a -o out.wav & process=$!
      until [ -e pid ]; do sleep 0.01; done
      kill -\(signal) $process; wait $process; echo $?; kill -0 $(cat pid) 2>&1 | grep -c 'No such process'
      ls out.wav .out.wav* 2>/dev/null
      """, environment: environment, in: directory.url)
    #expect(run.outputText == "\(code)\n1\n", "\(run.standardError)")
  }

  @Test func infoAsksFfprobe() throws {
    let directory = try directory("aac -metadata title=Rain", "a.m4a")
    let text = try runCommand("info", "a.m4a", in: directory.url).outputText
    for line in [
      "container:    m4a", "encoding:     aac", "sample rate:  44100 Hz", "channels:     2",
      "duration:     0:00:01.500 as stated", "decoder:      ffmpeg", "title:        Rain",
    ] {
      #expect(text.contains(line + "\n"), "\(line)\n\(text)")
    }
    let none = try runCommand("info", "--decoder", "none", "a.m4a", in: directory.url)
    #expect(none.ending == .exit(1))
  }

  /// What nothing here encodes is left to ffmpeg, in a pipeline that works as told.
  @Test func anM4AOutputSaysWhatCanBeDone() throws {
    let directory = try directory("aac", "a.m4a")
    let run = try runCommand("convert", "in.wav", "-o", "b.m4a", in: directory.url)
    #expect(run.ending == .exit(1))
    let advice = "| ffmpeg -i - 'b.m4a'"
    #expect(
      run.standardError
        == "rawaudio: cannot write to 'b.m4a': nothing here encodes what its extension names; write a WAV stream"
        + " to standard output and let ffmpeg encode it: \(advice)\n")
    let piped = try runPipeline(
      "rawaudio convert in.wav \(advice) 2>/dev/null && rawaudio info b.m4a | grep -c aac",
      in: directory.url)
    #expect(piped.outputText == "1\n")
    #expect(
      rejection(of: "m4a", by: .container)
        == "it cannot be written; let ffmpeg encode a WAV stream: | ffmpeg -i - NAME.m4a")
  }
}
