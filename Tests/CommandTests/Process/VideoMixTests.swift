// SPDX-License-Identifier: Apache-2.0
import Testing

/// A mix into a video: the pictures of the first video among the sources go along, and its sound becomes the sum.
@Suite struct VideoMixTests {
  /// Two seconds of pictures with the sounds a.wav and b.wav, of which WebM gets one, and the music m.wav.
  private func directory(_ names: [(name: String, codec: String)]) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      for name in a:1:2 b:2:2 m:3:1 long:4:5; do
        IFS=: read -r stem seed length <<< $name
        rawaudio convert noise:white,seed=$seed -d $length -r 48000 -c 2 -f s16 --gain -20 -o $stem.wav
      done
      """)
    for (name, codec) in names {
      let (pictures, second) = name.hasSuffix("webm") ? ("libvpx", "") : ("mpeg4", "-map 2")
      try directory.mustRun(
        """
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=2:s=64x48 -i a.wav -i b.wav -map 0 -map 1 \(second) \
          -c:v \(pictures) -c:a \(codec) -fflags +bitexact \(name)
        """)
    }
    return directory
  }

  /// The pictures and their times.
  private func pictures(_ name: String, in directory: TemporaryDirectory) throws -> String {
    let run = try directory.pipeline(
      "ffmpeg -nostdin -v error -i \(name) -map 0:v -c copy -f framemd5 - | grep -v '^#'")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    return run.outputText
  }

  @Test(arguments: [("f.mkv", "flac"), ("f.mov", "pcm_s16le"), ("f.mp4", "alac")])
  func theSumTakesThePlaceOfTheSound(_ name: String, _ codec: String) throws {
    let directory = try directory([(name, codec)])
    let out = "out." + name.dropFirst(2)
    for (track, own, other) in [(1, "a", "b"), (2, "b", "a")] {
      let run = try directory.pipeline(
        """
        rawaudio mix -q \(name) m.wav --track \(track) --track 1 --force -o \(out) &&
          rawaudio mix -q \(own).wav m.wav -t raw -f s16 -o sum &&
          rawaudio convert -q \(out) --track \(track) -t raw -f s16 | cmp - sum &&
          rawaudio convert -q \(out) --track \(3 - track) -t raw -f s16 -o is &&
          rawaudio convert -q \(other).wav -t raw -f s16 | cmp - is && rm sum is
        """)
      #expect(run.ending == .exit(0), "\(run.standardError)")
      #expect(run.standardError == "")
      #expect(try pictures(out, in: directory) == pictures(name, in: directory))
    }
  }

  @Test func aWebMStaysOne() throws {
    let directory = try directory([("f.webm", "libopus")])
    try directory.run("mix", "-q", "m.wav", "f.webm", "-o", "out.webm").expectExit(0)
    #expect(try pictures("out.webm", in: directory) == pictures("f.webm", in: directory))
  }

  /// The pictures are never cut or prolonged.
  @Test func anotherLengthIsTold() throws {
    let directory = try directory([("f.mov", "pcm_s16le")])
    let decoded = "'f.mov' is decoded by ffmpeg (pcm_s16le, the first of 2 streams of sound in it)"
    try directory.run("mix", "f.mov", "long.wav", "-o", "out.mov")
      .expectExit(0, decoded, "the sound of 'out.mov' is 3.0 s longer than the pictures")
    #expect(try pictures("out.mov", in: directory) == pictures("f.mov", in: directory))
    try directory.run("mix", "f.mov", "m.wav", "-d", "0.5", "-o", "short.mov")
      .expectExit(0, decoded, "the sound of 'short.mov' is 1.5 s shorter than the pictures")
  }

  @Test func ofSeveralVideosTheFirstOneCounts() throws {
    let directory = try directory([("f.mov", "pcm_s16le"), ("g.mkv", "flac")])
    try directory.run("mix", "m.wav", "g.mkv", "f.mov", "f.mov", "-o", "out.mkv").expectExit(
      0, "'g.mkv' is decoded by ffmpeg (flac, the first of 2 streams of sound in it)",
      "'f.mov' is decoded by ffmpeg (pcm_s16le, the first of 2 streams of sound in it)",
      "'f.mov' is decoded by ffmpeg (pcm_s16le, the first of 2 streams of sound in it)",
      "the pictures of 'out.mkv' are those of 'g.mkv'; those of 'f.mov' are left out")
    #expect(try pictures("out.mkv", in: directory) == pictures("g.mkv", in: directory))
    // A file of sound gets the sound alone.
    try directory.run("mix", "-q", "m.wav", "g.mkv", "f.mov", "-o", "out.flac").expectExit(0)
  }

  @Test(arguments: [
    "f.mov m.wav --start 1 --start 0 -o x.mp4":
      "cannot write to 'x.mp4': pictures are not cut with the sound; write the part to a file of sound",
    "f.mov m.wav -o x.avi":
      "cannot write to 'x.avi': nothing here encodes the type its extension names; the pictures go along into mp4, mov, "
      + "mkv and webm",
    "f.mov m.wav --tag A=b -o x.mov":
      "cannot write to 'x.mov': the texts of a video are copied as they are; leave tags out",
  ])
  func whatCannotBeIsRefused(_ arguments: String, _ message: String) throws {
    let directory = try directory([("f.mov", "pcm_s16le")])
    try directory.pipeline("rawaudio mix \(arguments)").expectExit(1, message)
  }
}
