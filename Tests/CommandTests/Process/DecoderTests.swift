// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import rawaudio

/// Files that libsndfile does not read give ffmpeg's own samples, and every cut is reported.
@Suite struct DecoderTests {
  /// Returns a directory with a file of 1.5 s, encoded by ffmpeg.
  private func directory(_ codec: String, _ name: String, format: String = "s16") throws
    -> TemporaryDirectory
  {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:pink -d 1.5 -r 44100 -c 2 -f \(format) -o in.wav &&
        ffmpeg -nostdin -v error -i in.wav -c:a \(codec) 'file:\(name)'
      """)
    return directory
  }

  /// Puts a script before the real program in the path.
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
    let run = try directory.pipeline(
      """
      rawaudio convert -q \(name) -t raw -f \(encoding) -o mine &&
        ffmpeg -nostdin -v error -i \(name) -f \(encoding)le their &&
        head -c "$(stat -c %s mine)" their | cmp mine - && stat -c %s mine their
      """)
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
    let lengths = run.outputText.split(separator: "\n").compactMap { Int($0) }
    // ffmpeg gives the padding of a last frame, too.
    let isStated = name == "a.m4a"
    #expect(lengths.count == 2 && lengths[0] > 100_000)
    #expect(isStated ? lengths[0] == 66_150 * 8 : lengths[0] == lengths[1])
  }

  /// 24 bits stay 24 bits; a lossy codec counts as 16 bits, as with MP3.
  @Test(arguments: [("alac", "l.m4a", "s24", "s24"), ("aac", "a.m4a", "s24", "s16")])
  func theEncodingFollowsTheCodec(
    _ codec: String, _ name: String, _ format: String, _ expected: String
  ) throws {
    let directory = try directory(codec, name, format: format)
    let run = try directory.pipeline(
      "rawaudio convert \(name) -o out.wav && rawaudio info out.wav | grep encoding")
    #expect(run.outputText.contains(" \(expected)"))
    #expect(run.standardError == "rawaudio: '\(name)' is decoded by ffmpeg (\(codec))\n")
  }

  @Test(arguments: ["-a.m4a", "a:b.m4a", "http:x.m4a", "%d.m4a", "ä 'x'.m4a", "-.m4a"])
  func namesAreFiles(_ name: String) throws {
    let directory = try directory("alac", "plain.m4a")
    let run = try directory.pipeline(
      """
      mv plain.m4a "./$NAME" && rawaudio convert -q -t raw -o mine -- "$NAME" &&
        rawaudio convert in.wav -t raw | cmp - mine && rawaudio info -- "$NAME" | grep -c alac
      """, environment: ["NAME": name])
    #expect(run.outputText == "1\n", "\(run.standardError)")
  }

  @Test func whoDecodesCanBeSaid() throws {
    let directory = try directory("aac", "a.m4a")
    let none = try directory.run("convert", "a.m4a", "--decoder", "none", "-o", "out.wav")
    none.expectExit(
      1,
      "cannot read 'a.m4a': it is MPEG-4 (m4a, mp4, mov), which libsndfile does not read; "
        + "--decoder ffmpeg decodes it")
    let forced = try directory.pipeline(
      """
      rawaudio convert in.wav --decoder ffmpeg -t raw -o mine && rawaudio convert in.wav -t raw | cmp - mine
      rawaudio info in.wav --decoder ffmpeg | grep -E '^(container|encoding|decoder)'
      """)
    #expect(forced.standardError == "rawaudio: 'in.wav' is decoded by ffmpeg (pcm_s16le)\n")
    #expect(
      forced.outputText == "container:    wav\nencoding:     pcm_s16le\ndecoder:      ffmpeg\n")
    // An observer's file, too.
    let observer = "record:mix=a.m4a"
    let mixed = try directory.run(
      "convert", "in.wav", "--observe", observer, "--decoder", "none", "-o", "out.wav")
    #expect(mixed.ending == .exit(1))
    #expect(mixed.standardError.contains("which libsndfile does not read"))
  }

  @Test func withoutFfmpegTheErrorSaysWhatToInstall() throws {
    let directory = try directory("aac", "a.m4a")
    let run = try directory.pipeline(
      "PATH='\(BuiltProducts.rawaudio.deletingLastPathComponent().path)'; rawaudio convert a.m4a -o out.wav"
    )
    run.expectExit(
      1,
      "cannot read 'a.m4a': it is MPEG-4 (m4a, mp4, mov), which libsndfile does not read; "
        + "ffmpeg decodes it: apt install ffmpeg")
    #expect(directory.names == ["a.m4a", "in.wav"])
  }

  /// A pipe goes through a temporary file, whose beginning tells the format.
  @Test func standardInputIsDecodedToo() throws {
    let directory = try directory("aac", "a.m4a")
    for input in ["<a.m4a", "< <(cat a.m4a)"] {
      let run = try directory.pipeline(
        """
        rawaudio convert - -t raw -o mine --force \(input) &&
          ffmpeg -nostdin -v error -y -i a.m4a -c:a pcm_s16le -f s16le their &&
          rawaudio convert -q a.m4a -t raw | cmp - mine && rawaudio info - \(input) | grep -E '^(file|encoding)'
        rawaudio convert - --decoder ffmpeg -q -t raw -o forced --force \(input) && cmp mine forced
        """)
      #expect(run.ending == .exit(0), "\(input)")
      #expect(run.outputText == "file:         -\nencoding:     aac\n", "\(input)")
      #expect(
        run.standardError == "rawaudio: 'standard input' is decoded by ffmpeg (aac)\n", "\(input)")
    }
    let short = try directory.pipeline(
      "cat a.m4a | rawaudio convert - --spool-limit 1KiB -o out.wav")
    #expect(short.ending == .exit(1))
    #expect(short.standardError.contains("more than 1024 bytes, the spool limit"))
  }

  /// ffmpeg gives them, and they go into files of other kinds.
  @Test func coverAndChaptersAreTakenOver() throws {
    let directory = try directory("aac", "a.m4a")
    try directory.mustRun(
      """
      printf ';FFMETADATA1\\n[CHAPTER]\\nTIMEBASE=1/1000\\nSTART=0\\nEND=500\\ntitle=One\\n' >ch.txt &&
        printf '[CHAPTER]\\nTIMEBASE=1/1000\\nSTART=500\\nEND=1000\\ntitle=Two\\n' >>ch.txt &&
        ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x64 -frames:v 1 cover.jpg &&
        ffmpeg -nostdin -v error -i a.m4a -i cover.jpg -i ch.txt -map 0:a -map 1:v -map_chapters 2 -c copy \
          -disposition:v attached_pic both.m4a
      """)
    for end in ["flac", "mp3", "ogg", "m4a", "mka", "wav"] {
      let run = try directory.pipeline(
        """
        rawaudio convert both.m4a -q -o x.\(end) --fail-on metadata; code=$?
          ffprobe -v error -show_entries \
            stream=codec_name,width:stream_tags=:chapter=start_time:chapter_tags=title -of csv=p=0 x.\(end) \
            | grep -v bin_data | sed 's/^[a-z0-9_]*$/sound/; s/,.*[^0-9]jpeg/,jpeg/'; exit $code
        """)
      // Comments have no place for the end of the last chapter, in front of the sound's.
      #expect(run.ending == .exit(end == "flac" || end == "ogg" ? 2 : 0), "\(end)")
      let lines = run.outputText.split(separator: "\n").map(String.init)
      #expect(lines.contains { $0.hasPrefix("mjpeg,64") }, "\(end): \(lines)")
      #expect(lines.contains("0.000000,One") && lines.contains("0.500000,Two"), "\(end): \(lines)")
    }
  }

  /// The documented way to M4A copies the cover.
  @Test func aCoverGoesIntoM4A() throws {
    let directory = try directory("libmp3lame", "a.mp3")
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x64 -frames:v 1 cover.jpg &&
        ffmpeg -nostdin -v error -i a.mp3 -i cover.jpg -map 0:a -map 1:v -c copy -id3v2_version 3 \
          -disposition:v attached_pic c.mp3 &&
        rawaudio convert c.mp3 | ffmpeg -v error -i - -c:v copy c.m4a &&
        ffprobe -v error -show_entries stream=codec_name -of csv=p=0 c.m4a &&
        rawaudio convert in.wav | ffmpeg -v error -i - -c:v copy d.m4a && rawaudio info d.m4a | grep -c aac
      """)
    #expect(run.outputText == "aac\nmjpeg\n1\n", "\(run.standardError)")
  }

  /// ffmpeg rates a TAK file's beginning no higher than its name's suffix.
  @Test func aFileThatItsBeginningNamesIsDecoded() throws {
    let directory = TemporaryDirectory()
    try directory.write(Array("tBaK".utf8) + [UInt8](repeating: 0, count: 600), "a.tak")
    let answer =
      #"{"streams":[{"codec_type":"audio","codec_name":"tak","sample_fmt":"s16p","sample_rate":"44100","channels":1,"#
      + #""bits_per_raw_sample":"16"}],"format":{"format_name":"tak","probe_score":50}}"#
    let environment = try replace("ffprobe", by: "echo '\(answer)'", in: directory)
    _ = try replace(
      "ffmpeg", by: "exec sox -V1 -n -r 44100 -b 16 -c 1 -t wav - trim 0 0.1", in: directory)
    let run = try directory.pipeline(
      "rawaudio convert a.tak -o a.wav && rawaudio info a.wav | grep -c 44100",
      environment: environment)
    #expect(run.outputText == "1\n", "\(run.standardError)")
    #expect(run.standardError == "rawaudio: 'a.tak' is decoded by ffmpeg (tak)\n")
  }

  @Test func othersAreRefusedAsBefore() throws {
    let directory = try directory("aac", "a.m4a")
    var noise = Noise(3)
    try directory.write(WaveBytes.bytes(noise.samples(5_000, peak: 30_000)), "noise.mp4")
    let unknown = try directory.run("convert", "noise.mp4", "-o", "out.wav")
    unknown.expectMessages(
      "cannot read 'noise.mp4': it is not a sound file that libsndfile knows; for headerless data "
        + "say --input-type raw")
    try directory.write(Array("#EXTM3U\na.m4a\n".utf8), "list.m3u8")
    let list = try directory.run("convert", "list.m3u8", "-o", "out.wav")
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
      let run = try directory.pipeline(
        "rawaudio convert a.m4a -o out.wav; echo $?; ls out.wav", environment: environment)
      #expect(run.outputText == "1\n")
      #expect(run.standardError.contains("'a.m4a': \(reason)\n"), "\(run.standardError)")
    }
  }

  /// A flood of messages is cut short, and the program never waits.
  @Test func complaintsAreBounded() throws {
    let directory = try directory("alac", "a.m4a")
    let script = """
      yes broken | head -c 1000000 >&2
      stat -L -c %s /proc/self/fd/2 >size
      exit 1
      """
    let environment = try replace("ffmpeg", by: script, in: directory)
    let run = try directory.pipeline("rawaudio convert a.m4a -o out.wav", environment: environment)
    #expect(run.standardError == "rawaudio: cannot decode 'a.m4a': ffmpeg failed: broken\n")
    #expect(String(decoding: try directory.bytes("size"), as: UTF8.self) == "1048576\n")
  }

  @Test func aCutFileIsTruncated() throws {
    for (codec, name) in [
      ("aac -movflags +faststart", "a.m4a"), ("wavpack", "w.wv"), ("libspeex -ar 16000", "x.spx"),
      ("ac3", "v.mkv"),
    ] {
      let directory = try directory(codec, name)
      let run = try directory.pipeline(
        """
        head -c $(($(stat -c %s \(name)) * 9 / 10)) \(name) > cut.\(name)
        rawaudio convert cut.\(name) -o out.wav --fail-on truncated; echo $?
        """)
      #expect(run.outputText == "2\n", "\(name)")
      #expect(run.standardError.contains("'cut.\(name)' is truncated"), "\(run.standardError)")
    }
  }

  /// One process for each file, all ended, and none reads the list.
  @Test func inLists() throws {
    let directory = try directory("alac", "a.m4a")
    let run = try directory.pipeline(
      """
      cp a.m4a b.m4a; cp in.wav c.wav; head -c 300 a.m4a > d.m4a
      printf 'a.m4a\\nd.m4a\\nb.m4a\\nc.wav\\n' |
        rawaudio convert -q --list - -j 2 -o 'out-{stem}.wav' --results r; echo $?
      for name in a b c; do rawaudio convert in.wav -t raw | cmp - <(rawaudio convert out-$name.wav -t raw); done
      grep -c '"status":"done"' r; grep -c '"decoder":"ffmpeg"' r; grep -o 'ffmpeg [^"]*' r
      """)
    #expect(run.outputText.hasPrefix("1\n3\n2\nffmpeg cannot read it: "), "\(run.outputText)")
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func aSignalEndsIt(_ signal: String, _ code: Int) throws {
    let directory = try directory("alac", "a.m4a")
    let environment = try replace(
      "ffmpeg", by: "echo $$ > pid.new; mv pid.new pid; exec sleep 1000", in: directory)
    let run = try directory.pipeline(
      """
      mkfifo pid.new.fifo; rawaudio convert a.m4a -o out.wav & process=$!
      until [ -e pid ]; do sleep 0.01; done
      kill -\(signal) $process; wait $process; echo $?; kill -0 $(cat pid) 2>&1 | grep -c 'No such process'
      ls out.wav .out.wav* 2>/dev/null
      """, environment: environment)
    #expect(run.outputText == "\(code)\n1\n", "\(run.standardError)")
  }

  @Test func infoAsksFfprobe() throws {
    let directory = try directory("aac -metadata title=Rain", "a.m4a")
    let text = try directory.run("info", "a.m4a").outputText
    for line in [
      "container:    m4a", "encoding:     aac", "sample rate:  44100 Hz", "channels:     2",
      "duration:     0:00:01.500 as stated", "decoder:      ffmpeg", "title:        Rain",
    ] {
      #expect(text.contains(line + "\n"), "\(line)\n\(text)")
    }
    let none = try directory.run("info", "--decoder", "none", "a.m4a")
    #expect(none.ending == .exit(1))
  }

  /// Formats without an encoder here go to ffmpeg, in a pipeline that works as printed.
  @Test func anOutputThatIsNotEncodedSaysWhatCanBeDone() throws {
    let directory = try directory("aac", "a.m4a")
    let run = try directory.run("convert", "in.wav", "-o", "b.wv")
    #expect(run.ending == .exit(1))
    let advice = "| ffmpeg -i - -c:v copy 'b.wv'"
    run.expectMessages(
      "cannot write to 'b.wv': nothing here encodes the type its extension names; write a WAV "
        + "stream to standard output and let ffmpeg encode it: \(advice)")
    let piped = try directory.pipeline(
      "rawaudio convert in.wav \(advice) 2>/dev/null && rawaudio info b.wv | grep -ci wavpack")
    #expect(piped.outputText == "1\n")
    #expect(
      rejection(of: "wv", by: .outputType)
        == "it cannot be written; let ffmpeg encode a WAV stream: | ffmpeg -i - -c:v copy NAME.wv")
    #expect(
      rejection(of: "m4a", by: .container)
        == "ffmpeg decodes it, and knows it by its content; leave the option out")
  }
}
