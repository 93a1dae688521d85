// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Packets that go into another file without being decoded, listed by ffmpeg.
@Suite struct PacketCopyTests {
  private let directory = TemporaryDirectory()

  /// Two seconds of noise and a tone that rises, and files of them by ffmpeg's encoders.
  private func make(_ lines: String...) throws {
    try directory.mustRun(
      """
      rawaudio convert sweep:200-6000 -d 2 -r 48000 -c 2 -f s16 --gain -12 \
        --observe record:mix=noise:pink,seed=7 -q -o in.wav
      \(lines.joined(separator: "\n"))
      """)
  }

  /// The MD5 of the packets of a sound track, from 0, as ffmpeg reads them.
  private func packets(_ name: String, track: Int = 0) throws -> String {
    let run = try directory.pipeline(
      "ffmpeg -nostdin -v error -i \(name) -map 0:a:\(track) -c copy -f md5 -")
    #expect(run.outputText.hasPrefix("MD5="), "\(name): \(run.standardError)")
    return run.outputText
  }

  private func samples(_ name: String, _ more: String = "") throws -> [Float] {
    let run = try directory.pipeline("rawaudio convert -q \(name) \(more) -t raw -f f32 -o -")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    return floats(run.standardOutput)
  }

  private func floats(_ bytes: [UInt8]) -> [Float] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << ($1 * 8) })
    }
  }

  private func difference(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  private func title(_ name: String) throws -> String {
    try directory.pipeline(
      "ffprobe -v error -show_entries format_tags=title:stream_tags=title -of csv=p=0 \(name)"
    ).outputText.split { $0 == "\n" || $0 == "," }.first.map(String.init) ?? ""
  }

  @Test(arguments: [
    ("mp3", "-b:a 128k"), ("mp3", "-q:a 3"), ("mp3", "-ac 1 -ar 22050 -b:a 32k"),
    ("ogg", "-c:a libvorbis"), ("opus", "-b:a 64k"), ("m4a", "-b:a 96k"),
    ("m4b", "-c:a alac -f ipod"),
    ("wma", "-c:a wmav2"), ("aac", "-b:a 96k"), ("ac3", "-b:a 96k"),
  ])
  func aTextIsSetWithoutDecoding(_ kind: String, _ options: String) throws {
    try make("ffmpeg -nostdin -v error -i in.wav \(options) -metadata artist=Ann a.\(kind)")
    let run = try directory.run(
      "convert", "a.\(kind)", "--tag", "title=New", "-v", "-o", "b.\(kind)")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(!run.standardError.contains("no sample"), "\(run.standardError)")
    let note = "rawaudio: 'b.\(kind)' gets the packets of 'a.\(kind)' ("
    #expect(run.standardError.contains(note), "\(run.standardError)")
    #expect(try packets("b.\(kind)") == packets("a.\(kind)"))
    #expect(try samples("b.\(kind)") == samples("a.\(kind)"))
    if kind != "ac3" { #expect(try title("b.\(kind)") == "New") }
    try directory.run("convert", "b.\(kind)", "--strip", "-q", "-o", "c.\(kind)").expectExit(0)
    #expect(try title("c.\(kind)") == "")
    #expect(try packets("c.\(kind)") == packets("a.\(kind)"))
    // A file may take its own place.
    try directory.run(
      "convert", "b.\(kind)", "--tag", "title=Own", "-o", "b.\(kind)", "--force", "-q"
    )
    .expectExit(0)
    #expect(try packets("b.\(kind)") == packets("a.\(kind)"))
  }

  @Test(arguments: ["mp3", "ogg", "opus", "m4a"])
  func aCoverIsSetWithoutDecoding(_ kind: String) throws {
    try make(
      "ffmpeg -nostdin -v error -i in.wav a.\(kind)",
      "ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x48 -frames:v 1 cover.jpg")
    try directory.run("convert", "a.\(kind)", "--cover", "cover.jpg", "-o", "b.\(kind)").expectExit(
      0)
    #expect(try packets("b.\(kind)") == packets("a.\(kind)"))
    try directory.pipeline(
      "ffmpeg -nostdin -v error -i b.\(kind) -map 0:v -c copy -f image2pipe - | cmp - cover.jpg"
    ).expectExit(0)
  }

  /// The frames of FLAC stay as another encoder made them, with its table of places.
  @Test(arguments: ["s16", "s24"]) func framesOfFlacAreCopied(_ encoding: String) throws {
    try make(
      "rawaudio convert in.wav -f \(encoding) -q -o w.wav",
      "flac -s -8 -T TITLE=Old -T ARTIST=Ann --seekpoint=0.5s w.wav -o a.flac",
      "printf 'TAG%-125s' Old > id3; cat a.flac id3 > tagged.flac")
    for name in ["a.flac", "tagged.flac"] {
      let run = try directory.run(
        "convert", name, "--tag", "title=New", "-v", "--force", "-o", "b.flac", "--results", "r",
        "--existing", "replace")
      #expect(run.ending == .exit(0), "\(run.standardError)")
      #expect(
        run.standardError.contains("'b.flac' gets the packets of '\(name)' (flac) as they are\n"))
      #expect(try packets("b.flac") == packets("a.flac"))
      try directory.mustRun(
        "flac -s -t b.flac && metaflac --list --block-type=SEEKTABLE b.flac | grep -q point")
      let tags = try directory.pipeline("metaflac --show-tag=TITLE --show-tag=ARTIST b.flac")
      #expect(tags.outputText == "TITLE=New\nARTIST=Ann\n")
      let digest = try directory.pipeline("metaflac --show-md5sum a.flac").outputText.dropLast()
      let results = String(decoding: try directory.bytes("r"), as: UTF8.self)
      #expect(results.contains("\"encoding\":\"\(encoding)\""))
      #expect(results.contains("\"md5\":\"\(digest)\""))
      try directory.mustRun("rm r")
    }
    try directory.run("convert", "a.flac", "--strip", "-q", "-o", "c.flac").expectExit(0)
    #expect(try packets("c.flac") == packets("a.flac"))
    #expect(try directory.pipeline("metaflac --export-tags-to=- c.flac").outputText == "")
    try directory.mustRun("head -c 100000 a.flac > cut.flac")
    for options in [["cut.flac"], ["a.flac", "--start", "1"], ["a.flac", "--compression", "0"]] {
      let run = try directory.run(["convert"] + options + ["-v", "--force", "-o", "d.flac"])
      #expect(!run.standardError.contains("gets the packets"), "\(options)")
    }
  }

  /// The sound of a film, in each container and by its number.
  @Test(arguments: [
    ("mp4", "aac", "m4a"), ("mov", "aac", "m4a"), ("mkv", "aac", "m4a"), ("ts", "aac", "m4a"),
    ("mkv", "libmp3lame", "mp3"), ("mkv", "libopus", "opus"), ("mkv", "libvorbis", "ogg"),
    ("mkv", "ac3", "ac3"), ("mp4", "alac", "m4a"),
  ])
  func theSoundOfAFilmIsTakenOut(_ film: String, _ codec: String, _ kind: String) throws {
    try make(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=s=64x48:d=2 -i in.wav -map 0 -map 1 -map 1 -c:v mpeg4 -c:a \(codec) \
        -b:a:1 64k film.\(film)
      """)
    for track in [1, 2] {
      let run = try directory.run(
        "convert", "film.\(film)", "--track", "\(track)", "--copy", "-o", "\(track).\(kind)")
      #expect(run.ending == .exit(0), "\(run.standardError)")
      // A transport stream has headers in front of the packets of AAC.
      if film == "ts" {
        try directory.mustRun(
          """
          ffmpeg -nostdin -v error -i film.ts -map 0:a:\(track - 1) -c copy -f ipod ref\(track).m4a
          """)
        #expect(try packets("\(track).m4a") == packets("ref\(track).m4a"))
      } else if kind != "mp3" {
        // Only a silent frame in front tells decoders of MP3 where the sound ends.
        #expect(try packets("\(track).\(kind)") == packets("film.\(film)", track: track - 1))
      }
      let theirs = floats(
        try directory.pipeline(
          "ffmpeg -nostdin -v error -i film.\(film) -map 0:a:\(track - 1) -f f32le -"
        ).standardOutput)
      for options in ["", "--decoder ffmpeg"] {
        let own = try samples("\(track).\(kind)", options)
        // MP4 states the end within the last packet, behind which this ffmpeg goes on.
        #expect(own.count == (["mp4", "mov"].contains(film) ? 2 * 96_000 : theirs.count))
        // libopus and ffmpeg end the last frame differently.
        let compared = theirs.dropLast(kind == "opus" ? 2 * 120 : 0)
        #expect(difference(Array(compared), own) < (kind == "opus" ? 3e-5 : 1e-5))
      }
    }
  }

  /// Places at all parts of a frame, in streams with and without a bit reservoir that reaches far back.
  @Test(arguments: [
    ("mp3", "-b:a 128k", 48_000), ("mp3", "-q:a 3", 48_000),
    ("mp3", "-ac 1 -ar 22050 -b:a 16k", 22_050),
    ("mp3", "-b:a 320k", 48_000), ("mp3", "-write_xing 0 -b:a 64k", 48_000),
    ("m4a", "-aac_pns 0 -b:a 96k", 48_000), ("m4a", "-c:a alac", 48_000),
    ("ogg", "-c:a libvorbis", 48_000), ("opus", "-b:a 64k", 48_000),
  ])
  func aCutKeepsItsSamples(_ kind: String, _ options: String, _ rate: Int) throws {
    try make("ffmpeg -nostdin -v error -i in.wav \(options) a.\(kind)")
    let channels = options.contains("-ac 1") ? 1 : 2
    let whole = try samples("a.\(kind)")
    var noise = Noise(UInt64(rate))
    let length = whole.count / channels
    for number in 0..<6 {
      let start = number == 0 ? 0 : Int(noise.next() % UInt64(length - 9_000))
      let end = number == 1 ? length : start + 5_000 + Int(noise.next() % 4_000)
      let run = try directory.run(
        "convert", "a.\(kind)", "--start", "\(start)S", "--end", "\(end)S", "--copy", "-o",
        "\(number).\(kind)")
      run.expectExit(0)
      let part = try samples("\(number).\(kind)")
      let wanted = Array(whole[start * channels..<end * channels])
      #expect(part.count == wanted.count, "\(start)...\(end)")
      #expect(difference(part, wanted) < (kind == "opus" ? 3e-5 : 1e-6), "\(start)...\(end)")
    }
  }

  /// A part of less than a packet: an edit list cannot state it so that ffmpeg finds it. The others can.
  @Test(arguments: [
    ("m4a", "-aac_pns 0 -b:a 96k", 1_024), ("m4a", "-c:a alac", 4_096), ("mp3", "-b:a 128k", 0),
    ("ogg", "-c:a libvorbis", 0), ("opus", "-b:a 64k", 0),
  ])
  func shortCuts(_ kind: String, _ options: String, _ least: Int) throws {
    try make("ffmpeg -nostdin -v error -i in.wav \(options) a.\(kind)")
    let whole = try samples("a.\(kind)")
    for (number, length) in [1, 10, 100, 383, 1_023, 1_024, 1_500, 4_095, 4_096].enumerated() {
      let start = 20_000 + 777 * number
      let words = ["convert", "a.\(kind)", "--start", "\(start)S", "--end", "\(start + length)S"]
      let asked = try directory.run(words + ["--copy", "-o", "copy\(number).\(kind)"])
      let usual = try directory.run(words + ["-v", "-o", "\(number).\(kind)"])
      #expect(usual.ending == .exit(0), "\(usual.standardError)")
      let reason = "players skip a part of less than a packet, \(least) samples, in \(kind)"
      if length < least {
        asked.expectExit(
          1, "cannot copy the packets of 'a.\(kind)': \(reason); leave --copy out")
        #expect(
          usual.standardError.contains("the packets of 'a.\(kind)' are not copied: \(reason)\n"))
      } else {
        asked.expectExit(0)
        #expect(usual.standardError.contains("gets the packets"), "\(length)")
      }
      let part = try samples("\(number).\(kind)")
      #expect(part.count == 2 * length)
      if length >= least {
        let wanted = Array(whole[start * 2..<(start + length) * 2])
        #expect(difference(part, wanted) < (kind == "opus" ? 3e-5 : 1e-6), "\(length)")
      }
    }
  }

  /// A cut at packets out of Matroska has whole packets, and not the milliseconds of its times.
  @Test func aCutOutOfMatroska() throws {
    try make("ffmpeg -nostdin -v error -i in.wav -ar 44100 -c:a aac a.mkv")
    let run = try directory.run(
      "convert", "a.mkv", "--start", "1", "--end", "1.5", "--copy", "-o", "b.m4a")
    // 43 packets of 1024 samples are 44,032 of 44,100.
    run.expectExit(
      0, "'b.m4a' begins 2 ms earlier than asked for, with a whole packet, and ends with one")
    #expect(try samples("b.m4a").count % 2_048 == 0)
  }

  /// Sound that is missing cannot be told in files without times.
  @Test(arguments: [
    ("aac", "m4a"), ("libmp3lame", "mp3"), ("libvorbis", "ogg"), ("libopus", "opus"),
  ])
  func missingPacketsAreNotJoined(_ codec: String, _ kind: String) throws {
    try make(
      "ffmpeg -nostdin -v error -i in.wav -c:a \(codec) w.mkv",
      "ffmpeg -nostdin -v error -i w.mkv -c copy -bsf:a \"noise=drop='gt(n,30)*lt(n,45)'\" gap.mkv")
    let reason = "the packets of 'gap.mkv' are not copied: sound is missing in it\n"
    let run = try directory.run("convert", "gap.mkv", "-v", "-o", "a.\(kind)")
    #expect(run.ending == .exit(0) && run.standardError.contains(reason), "\(run.standardError)")
    try directory.run("convert", "gap.mkv", "--copy", "-o", "b.\(kind)").expectExit(
      1, "cannot copy the packets of 'gap.mkv': sound is missing in it")
    #expect(abs(try samples("a.\(kind)").count - samples("w.mkv").count) <= 2 * 2_048)
  }

  /// Other decoders obey the header, too.
  @Test(arguments: ["-b:a 128k", "-q:a 3", "-ac 1 -ar 22050 -b:a 16k"])
  func otherDecodersFindTheCut(_ options: String) throws {
    try make(
      "ffmpeg -nostdin -v error -i in.wav \(options) a.mp3",
      "rawaudio convert a.mp3 --start 10001S --end 30002S -o b.mp3",
      "mpg123 -q -e f32 -w b.wav b.mp3")
    let channels = options.contains("-ac 1") ? 1 : 2
    let wanted = Array(try samples("a.mp3")[10_001 * channels..<30_002 * channels])
    let theirs = try directory.pipeline("ffmpeg -nostdin -v error -i b.mp3 -f f32le -")
    #expect(theirs.standardError == "")
    for found in [floats(theirs.standardOutput), try samples("b.wav")] {
      #expect(found.count == wanted.count)
      #expect(difference(found, wanted) < 1e-5)
    }
  }

  /// A container that states no edge gets whole packets, and only if asked.
  @Test func aCutAtPacketsIsTold() throws {
    try make("ffmpeg -nostdin -v error -i in.wav -b:a 96k a.ac3")
    let run = try directory.run("convert", "a.ac3", "--start", "1", "--copy", "-o", "b.ac3")
    // A frame has 1536 samples, and the 31st begins at 0.96 s + 0.032 s.
    run.expectExit(
      0, "'b.ac3' begins 8 ms earlier than asked for, with a whole packet, and ends with one")
    // Each of 96 kbit/s has 384 bytes.
    #expect(try directory.bytes("b.ac3") == Array(directory.bytes("a.ac3").dropFirst(31 * 384)))
    let usual = try directory.run("convert", "a.ac3", "--start", "1", "-v", "-o", "c.ac3")
    #expect(!usual.standardError.contains("gets the packets"))
    #expect(usual.ending == .exit(0))
  }

  @Test func whatStandsAgainstItIsSaid() throws {
    try make("ffmpeg -nostdin -v error -i in.wav a.mp3", "head -c 20000 a.mp3 > cut.mp3")
    try directory.run("convert", "a.mp3", "--copy", "--gain", "3", "-o", "b.mp3")
      .expectUsageError(
        "'--copy' does not go with '--gain <db>', which needs samples", of: "convert")
    try directory.run("convert", "tone:440", "-d", "1", "--copy", "-o", "b.mp3")
      .expectUsageError("'--copy' is for files; a generated signal has no packets", of: "convert")
    for (source, output, reason) in [
      ("a.mp3", "b.wav", "wav takes none; leave --copy out"),
      ("a.mp3", "b.ogg", "ogg takes no mp3; leave --copy out"),
      ("a.mp3", "-", "'standard output' is no regular file; leave --copy out"),
      ("in.wav", "b.mp3", "s16 in wav is decoded here"),
      ("cut.mp3", "b.mp3", "it ends within its stream"),
    ] {
      try directory.run("convert", source, "--copy", "-o", output)
        .expectExit(1, "cannot copy the packets of '\(source)': \(reason)")
    }
    #expect(directory.names == ["a.mp3", "cut.mp3", "in.wav"])
  }

  /// Everything that changes samples or states how to encode them.
  @Test(arguments: [
    "--gain 1", "-r 44100", "-c 1", "--bitrate 64", "--quality 5", "--limit -3", "--invert",
    "--dither tpdf", "--fade-in 1", "--observe record:gain=1", "--split 1", "--normalize -3",
    "--loudness -20", "--reverse", "--encoder none --pad 1",
  ])
  func changedSamplesAreEncoded(_ options: String) throws {
    try make("ffmpeg -nostdin -v error -i in.wav a.mp3")
    let output = options.hasPrefix("--split") ? "b%02d.mp3" : "b.mp3"
    let run = try directory.pipeline("rawaudio convert a.mp3 \(options) -v -o \(output)")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(!run.standardError.contains("gets the packets"), "\(run.standardError)")
  }

  /// Many files, with a text of each and the lines of results.
  @Test func manyFilesAreCopied() throws {
    try make(
      "ffmpeg -nostdin -v error -i in.wav 1.mp3", "ffmpeg -nostdin -v error -i in.wav -q:a 5 2.mp3")
    let run = try directory.pipeline(
      """
      printf '{"source":"1.mp3","show":"One"}\\n{"source":"2.mp3","show":"Two"}\\n' > list
      rawaudio convert --list list --tag 'title={show}' --replaygain -o 'out/{stem}.mp3' --results r -q
      rawaudio convert --list list --existing skip -o 'out/{stem}.mp3'
      """)
    run.expectExit(0, "0 done, 2 skipped")
    for (number, name) in [(1, "One"), (2, "Two")] {
      #expect(try packets("out/\(number).mp3") == packets("\(number).mp3"))
      #expect(try title("out/\(number).mp3") == name)
    }
    let results = String(decoding: try directory.bytes("r"), as: UTF8.self).split(separator: "\n")
    #expect(results.count == 2)
    let length = try samples("1.mp3").count / 2
    for line in results {
      #expect(
        line.contains("\"samplesPerChannel\":\(length),") && line.contains("\"encoding\":\"mp3\""))
    }
    #expect(
      try directory.pipeline(
        "ffprobe -v error -show_entries format_tags out/1.mp3 | grep -c TRACK_GAIN"
      )
      .outputText == "1\n")
  }
}
