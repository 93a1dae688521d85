// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Videos with a replaced sound: all other streams are unchanged, and the sound keeps its time.
@Suite struct VideoOutputTests {
  /// Makes two seconds of pictures with two tracks of noise, the first of which begins `offset` seconds later; with a
  /// chapter and a subtitle if the container has them.
  private func film(_ name: String, codec: String, offset: String = "0.3") throws
    -> TemporaryDirectory
  {
    let directory = TemporaryDirectory()
    let subtitle = name.hasSuffix("mkv") ? "-i t.srt -map 3:s -c:s srt" : ""
    try directory.write(Array("1\n00:00:00,100 --> 00:00:00,900\nHello\n".utf8), "t.srt")
    try directory.mustRun(
      """
      rawaudio convert noise:white,seed=1 -d 1 -r 48000 -c 2 -f s16 --gain -20 -o a.wav &&
        rawaudio convert noise:white,seed=2 -d 2 -r 48000 -c 1 -f s16 --gain -20 -o b.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=2:s=64x48 -itsoffset \(offset) -i a.wav -i b.wav \
          \(subtitle.isEmpty ? "" : "-i t.srt") -map 0:v -map 1:a -map 2:a \(subtitle.isEmpty ? "" : "-map 3:s") \
          -c:v mpeg4 -c:a \(codec) -metadata title=Film -metadata:s:a:0 language=deu -fflags +bitexact \(name)
      """)
    return directory
  }

  /// Returns the pictures, bit for bit and with their times, the other sound and the subtitle.
  private func others(_ name: String, but track: Int, in directory: TemporaryDirectory) throws
    -> String
  {
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i \(name) -map 0:v -map '0:a:\(2 - track)?' -map '0:s?' -c copy -f framemd5 - | grep -v '^#' &&
        ffprobe -v error -show_entries stream=codec_type:format_tags=title -of csv=p=0 \(name)
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    return run.outputText
  }

  @Test(arguments: [("f.mkv", "flac"), ("f.mov", "pcm_s16le"), ("f.mp4", "alac")])
  func everythingElseIsCopied(_ name: String, _ codec: String) throws {
    for track in [1, 2] {
      let directory = try film(name, codec: codec)
      let out = "out-" + name
      let run = try directory.pipeline(
        """
        rawaudio convert -q \(name) --track \(track) --invert -o \(out) &&
          rawaudio convert -q \(name) --track \(track) --invert -t raw -o was &&
          rawaudio convert -q \(out) --track \(track) -t raw -o is && cmp was is
        """)
      #expect(run.ending == .exit(0), "\(run.standardError)")
      #expect(run.standardError.isEmpty)
      #expect(
        try others(out, but: track, in: directory) == others(name, but: track, in: directory))
    }
  }

  /// Each stream stays where it was: ffmpeg moves copied Opus to the front in Matroska, by its delay.
  @Test(arguments: [
    ("f.webm", "libvpx", "libopus", "libopus", "f.webm"),
    ("f.mkv", "mpeg4", "aac", "libopus", "f.mkv"),
    ("f.mp4", "mpeg4", "aac -strict experimental", "libopus", "f.mkv"),
  ])
  func copiedOpusKeepsItsTime(
    _ name: String, _ pictures: String, _ first: String, _ second: String, _ output: String
  ) throws {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white,seed=1 -d 1 -r 48000 -c 1 -f s16 --gain -20 -o a.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=1:s=64x48 -i a.wav -map 0 -map 1 -map 1 -c:v \(pictures) \
          -c:a:0 \(first) -c:a:1 \(second) \(name) && rawaudio convert -q \(name) --gain -3 -o out-\(output)
      """)
    // The delay of Opus in the second track is heard as silence: the first samples by the pictures' time.
    func offset(_ name: String) throws -> Double {
      let run = try directory.pipeline(
        """
        for stream in v:0 a:1; do
          ffprobe -v error -select_streams $stream -read_intervals %+#1 -show_entries packet=pts_time -of csv=p=0 \(name)
        done
        """)
      let times = run.outputText.split { ",\n".contains($0) }.compactMap { Double($0) }
      #expect(times.count == 2, "\(run.outputText)")
      return (times.first ?? 0) - (times.last ?? 0)
    }
    #expect(abs(try offset(name) - offset("out-\(output)")) < 0.0015)
  }

  /// A sound edited elsewhere goes back into its video.
  @Test func aFileGoesIntoAVideo() throws {
    let directory = try film("two.mp4", codec: "aac")
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i two.mp4 -map 0:v -map 0:a:0 -c copy f.mp4 && rawaudio convert -q f.mp4 -o t.wav && rawaudio convert t.wav --into f.mp4 -o out.mp4 &&
        rawaudio convert -q t.wav -t raw -f s16 -o - | wc -c && rawaudio convert -q out.mp4 -t raw -f s16 -o - | wc -c
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let lengths = run.outputText.split(separator: "\n")
    #expect(lengths.count == 2 && lengths.first == lengths.last)
    #expect(try others("out.mp4", but: 1, in: directory) == others("f.mp4", but: 1, in: directory))
  }

  /// A second of difference is none: a decoder adds some samples.
  @Test(arguments: [
    ("5", "rawaudio: the sound of 'out.mp4' is 3.0 s longer than the pictures\n"),
    ("0.5", "rawaudio: the sound of 'out.mp4' is 1.5 s shorter than the pictures\n"), ("2.9", ""),
    ("1.1", ""),
  ])
  func soundOfAnotherLengthIsReported(_ length: String, _ note: String) throws {
    let directory = try film("f.mp4", codec: "alac", offset: "0")
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i f.mp4 -map 0:v -map 0:a:0 -c copy g.mp4 &&
        rawaudio convert noise:white -d \(length) -r 48000 -c 2 -f s16 --into g.mp4 -o out.mp4
      """)
    #expect(run.ending == .exit(0))
    #expect(run.standardError == note)
  }

  /// Opus begins before its first sample; pictures and chapters stay where they were, also the third time.
  @Test func picturesBesideOpusStayInPlace() throws {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white -d 1 -r 48000 -c 1 -f s16 --gain -20 -o a.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=1:s=64x48 -i a.wav -c:v libvpx -c:a libopus f0.webm
      """)
    var listings: [String] = []
    for number in 0...3 {
      let run = try directory.pipeline(
        """
        ffprobe -v error -show_entries stream=start_time -of csv=p=0 f\(number).webm &&
          rawaudio convert -q f\(number).webm --invert -o f\(number + 1).webm
        """)
      listings.append(run.outputText)
    }
    #expect(listings == Array(repeating: "0.007000\n-0.007000\n", count: 4))
  }

  /// Sound alone under the name of a video is written as M4A is; the sound of pictures is not written without them.
  @Test(arguments: ["mp4", "mov"])
  func soundAloneMayHaveTheNameOfAVideo(_ kind: String) throws {
    let directory = try film("f.mov", codec: "pcm_s16le", offset: "0")
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i a.wav -c:a aac -metadata title=Alone s.\(kind) &&
        rawaudio convert -q s.\(kind) --gain -6 -o out.\(kind) && rawaudio concat a.wav b.wav -o two.\(kind) &&
        ffprobe -v error -show_entries stream=codec_name:format_tags=title,major_brand -of csv=p=0 out.\(kind)
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(run.standardError == "")
    #expect(run.outputText == "aac\nM4A ,Alone\n")
    try directory.run("concat", "a.wav", "f.mov", "-o", "joined.\(kind)").expectExit(
      1,
      "cannot write to 'joined.\(kind)': nothing here encodes the type its extension names; "
        + "videos are not joined; write the sound alone, such as to sound.m4a")
  }

  @Test func aCodecThatTheContainerLacksIsReplaced() throws {
    let directory = try film("f.mkv", codec: "flac")
    let run = try directory.pipeline(
      "ffmpeg -nostdin -v error -i f.mkv -map 0:v -map 0:a:0 -c copy g.mkv && rawaudio convert g.mkv -o out.mp4"
    )
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.hasSuffix("rawaudio: the sound of 'out.mp4' is aac now, and was flac\n"))
  }

  @Test(arguments: [
    "in.wav --into f.mov -o x.wav":
      "cannot put the sound into a video as 'x.wav': the output is none of mp4, mov, mkv, webm",
    "in.wav --into in.wav -o x.mov":
      "cannot put the sound into 'in.wav': there are no moving pictures in it",
    "in.wav --into f.mov --track 3 -o x.mov":
      "cannot take sound track 3 of 'f.mov': it has 2",
    "f.mov --track 3 -o x.mov": "cannot take sound track 3 of 'f.mov': it has 2",
    "in.wav --track 2 -o x.wav": "cannot take sound track 2 of 'in.wav': it has one",
    "f.mov --start 1 -o x.mov":
      "cannot write to 'x.mov': pictures are not cut with the sound; write the part to a file of sound",
    "f.mov --tag A=b -o x.mov":
      "cannot write to 'x.mov': the texts of a video are copied as they are; leave tags out",
    "f.mov -o f.mov": "cannot write to 'f.mov': it exists already; use --force to overwrite",
  ])
  func whatCannotBeIsRefused(_ arguments: String, _ message: String) throws {
    let directory = try film("f.mov", codec: "pcm_s16le")
    let run = try directory.pipeline("mv a.wav in.wav && rawaudio convert \(arguments)")
    run.expectExit(1, message)
    #expect(!FileManager.default.fileExists(atPath: directory.file("x.mov").path))
  }

  @Test func infoListsTheStreams() throws {
    let directory = try film("f.mkv", codec: "flac")
    let text = try directory.run("info", "f.mkv").outputText
    for line in [
      "stream 0:     video, mpeg4", "stream 1:     sound track 1, flac, deu",
      "stream 2:     sound track 2, flac",
      "stream 3:     subtitle, ass",
    ] {
      #expect(text.contains(line + "\n"), "\(line)\n\(text)")
    }
  }
}
