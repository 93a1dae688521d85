// SPDX-License-Identifier: Apache-2.0
import Testing

/// A lossy source that is encoded again keeps its bit rate, if the codec stays and the line says nothing else.
@Suite struct KeptBitRateTests {
  /// Ten seconds of noise as `a.wav`, and what `commands` make of it.
  private func directory(_ commands: String) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      "rawaudio convert noise:pink,seed=1 -d 10 -r 48000 -c 2 -f s16 --gain -12 -o a.wav && \(commands)"
    )
    return directory
  }

  /// The sizes of the packets of the first sound track, by ffprobe.
  private func packets(_ name: String, in directory: TemporaryDirectory) throws -> [Int] {
    let run = try directory.pipeline(
      "ffprobe -v error -select_streams a:0 -show_entries packet=size -of csv=p=0 \(name)")
    return run.outputText.split(separator: "\n").compactMap { Int($0.prefix { $0 != "," }) }
  }

  /// In kbit/s.
  private func rate(_ name: String, in directory: TemporaryDirectory) throws -> Double {
    Double(try packets(name, in: directory).reduce(0, +)) * 8 / 10_000
  }

  @Test(arguments: [
    ("s.mp3", "--bitrate 128"), ("s.mp3", "--bitrate 320"), ("s.mp3", "--quality 8"),
    ("s.ogg", "--quality 6.5"), ("s.opus", "--bitrate 160"), ("s.m4a", "--bitrate 256"),
    ("s.aac", "--bitrate 200"), ("s.ac3", "--bitrate 448"), ("s.eac3", "--bitrate 320"),
    ("s.wma", "--bitrate 160"),
  ])
  func aFileKeepsIt(_ name: String, _ options: String) throws {
    let directory = try directory("rawaudio convert a.wav \(options) -o \(name)")
    let out = "out." + name.dropFirst(2)
    let run = try directory.run("convert", name, "--gain", "-1", "-o", out)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(!run.standardError.contains("kbit/s"), "\(run.standardError)")
    let (had, has) = (try rate(name, in: directory), try rate(out, in: directory))
    #expect(abs(has - had) < 0.04 * had, "\(had), \(has)")
  }

  /// Constant stays constant, and variable variable, whichever program wrote the header.
  @Test(arguments: [
    ("-b:a 160k", true), ("-b:a 160k -write_xing 0", true), ("-q:a 2", false),
    ("-abr 1 -b:a 150k", false),
  ])
  func theModeStays(_ options: String, isConstant: Bool) throws {
    let directory = try directory("ffmpeg -nostdin -v error -i a.wav \(options) s.mp3")
    try directory.run("convert", "s.mp3", "--gain", "-1", "-o", "out.mp3").expectExit(0)
    // The first frame has the header.
    let sizes = try packets("out.mp3", in: directory).dropFirst()
    let (largest, smallest) = (try #require(sizes.max()), try #require(sizes.min()))
    #expect((largest - smallest <= 1) == isConstant)
    let (had, has) = (try rate("s.mp3", in: directory), try rate("out.mp3", in: directory))
    #expect(abs(has - had) < 0.08 * had, "\(had), \(has)")
    // LAME states the mean that it was asked for, which is not exactly the one that it reached.
    try directory.run("convert", "out.mp3", "--gain", "-1", "-o", "again.mp3").expectExit(0)
    #expect(abs(try rate("again.mp3", in: directory) - has) < 0.02 * has)
  }

  @Test(arguments: [
    ("f.mp4", "aac", "320k", ["f.mp4", "out.mp4", "out.mkv", "out.m4a"]),
    ("f.mkv", "aac", "256k", ["out.mkv", "out.mp4", "out.m4a"]),
    ("f.mov", "ac3", "384k", ["out.mov", "out.ac3"]),
    ("f.mkv", "libmp3lame", "192k", ["out.mkv", "out.mp3"]),
    ("f.webm", "libopus", "160k", ["out.webm", "out.opus"]),
    ("f.webm", "libvorbis", "192k", ["out.webm", "out.ogg"]),
  ])
  func theSoundOfAVideoKeepsIt(
    _ name: String, _ codec: String, _ bitRate: String, _ outputs: [String]
  ) throws {
    let pictures = name == "f.webm" ? "libvpx" : "mpeg4"
    let directory = try directory(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=d=10:s=64x48:r=5 -i a.wav -c:v \(pictures) \
        -c:a \(codec) -b:a \(bitRate) \(name)
      """)
    let had = try rate(name, in: directory)
    for out in outputs where out != name {
      try directory.run("convert", "-q", name, "--gain", "-1", "-o", out).expectExit(0)
      let has = try rate(out, in: directory)
      #expect(abs(has - had) < 0.06 * had, "\(out): \(had), \(has)")
    }
    // Sound that comes from elsewhere takes the place of the former one.
    let end = name.dropFirst(2)
    try directory.run("convert", "-q", "a.wav", "--into", name, "-o", "into.\(end)").expectExit(0)
    let has = try rate("into.\(end)", in: directory)
    #expect(abs(has - had) < 0.06 * had, "\(had), \(has)")
  }

  /// Silence takes few bits, and must not starve the sound beside it.
  @Test(arguments: [
    ("q.opus", "--bitrate 160"), ("q.m4a", "--bitrate 256"), ("q.mp3", "--quality 8"),
    ("q.ogg", "--quality 6.5"), ("q.aac", "--bitrate 200"),
  ])
  func quietPlacesDoNotLowerIt(_ name: String, _ options: String) throws {
    let out = "out." + name.dropFirst(2)
    let directory = try directory(
      """
      ffmpeg -nostdin -v error -i a.wav -af apad=pad_dur=30 q.wav && rawaudio convert a.wav \(options) -o a-\(name) &&
        rawaudio convert q.wav \(options) -o \(name) && rawaudio convert -q \(name) --end 10 -o \(out)
      """)
    let (had, has) = (try rate("a-" + name, in: directory), try rate(out, in: directory))
    #expect(abs(has - had) < 0.05 * had, "\(had), \(has)")
  }

  /// Of several sources the highest; the line wins; parts and lists keep it, too.
  @Test func sourcesAndParts() throws {
    let directory = try directory(
      """
      rawaudio convert a.wav --bitrate 96 -o low.mp3 && rawaudio convert a.wav --bitrate 256 -o high.mp3 &&
        rawaudio convert a.wav -c 1 --bitrate 32 -o talk.mp3
      """)
    func frame(_ arguments: String, of name: String = "out.mp3") throws -> Int {
      let run = try directory.pipeline("rawaudio \(arguments)")
      #expect(run.ending == .exit(0), "\(run.standardError)")
      #expect(run.standardError == "")
      return try packets(name, in: directory)[5]
    }
    // A frame of 24 ms has three bytes for each kbit/s.
    #expect(try frame("concat low.mp3 high.mp3 -o out.mp3") == 768)
    #expect(try frame("concat high.mp3 a.wav --force -o out.mp3") == 768)
    #expect(try frame("mix low.mp3 high.mp3 --gain -6 --force -o out.mp3") == 768)
    #expect(try frame("convert high.mp3 --bitrate 64 --force -o out.mp3") == 192)
    #expect(try frame("convert low.mp3 -c 1 --force -o out.mp3") == 288)
    #expect(try frame("convert - --force -o out.mp3 < low.mp3") == 288)
    #expect(try frame("convert high.mp3 --split 4 -o part-%03d.mp3", of: "part-001.mp3") == 768)
    #expect(try frame("convert *.mp3 --gain -1 -o 'all/{stem}.mp3'", of: "all/low.mp3") == 288)
    // A low rate is none for a source that is not lossy.
    _ = try frame("concat talk.mp3 a.wav --force -o out.mp3")
    #expect(try rate("out.mp3", in: directory) > 2 * 64)
  }

  @Test(arguments: [
    (
      "--bitrate 320 -o s.mp3", "s.mp3 -r 16000 -o out.mp3",
      "'out.mp3' has 160 kbit/s, and its source 320: mp3 goes no nearer at 16000 Hz, 2 channels"
    ),
    (
      "-r 8000 -c 1 --bitrate 24 -o s.mp3", "s.mp3 -r 44100 -o out.mp3",
      "'out.mp3' has 32 kbit/s, and its source 24: mp3 goes no nearer at 44100 Hz, 1 channel"
    ),
  ])
  func aRateThatTheCodecLacksIsTold(_ make: String, _ convert: String, _ note: String) throws {
    let directory = try directory("rawaudio convert a.wav \(make)")
    try directory.pipeline("rawaudio convert \(convert)").expectExit(0, note)
  }
}
