// SPDX-License-Identifier: Apache-2.0
import Testing

/// The sound of films stays in time with the pictures, and lost pictures are reported.
@Suite struct VideoTests {
  /// Makes three seconds of pictures, and two of a noise in mono at 48 kHz, `offset` seconds later.
  private func film(
    _ offset: String, _ name: String, pictures: String = "-f lavfi -i testsrc=d=3:s=64x48",
    codec: String = "flac"
  ) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white -d 2 -r 48000 -c 1 -f s16 -o in.wav &&
        ffmpeg -nostdin -v error \(pictures) -itsoffset \(offset) -i in.wav -c:v mpeg4 -c:a \(codec) "$NAME"
      """, environment: ["NAME": "file:\(name)"])
    return directory
  }

  private func samples(_ name: String, in directory: TemporaryDirectory) throws -> [Int16] {
    try WaveBytes.int16s(directory.bytes(name))
  }

  /// The told line works.
  @Test(arguments: ["convert film.mp4", "convert film.mp4 --gain -3", "mix film.mp4 in.wav"])
  func aFilmWithoutSound(_ line: String) throws {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white -d 2 -r 48000 -c 1 -f s16 -o in.wav
      ffmpeg -nostdin -v error -f lavfi -i testsrc=d=2:s=64x48 -c:v mpeg4 film.mp4
      """)
    let told = "rawaudio convert SOUND --into film.mp4 -o OUT.mp4"
    try directory.pipeline("rawaudio \(line) -o out.mp4").expectExit(
      1, "cannot decode 'film.mp4': ffmpeg finds no sound in it; to give it sound, say '\(told)'")
    try directory.mustRun(
      told.replacing("SOUND", with: "in.wav").replacing("OUT", with: "scored"))
    try directory.run("measure", "film.mp4").expectExit(
      1,
      "cannot decode 'film.mp4': ffmpeg finds no sound in it; the sound of another file can be put into it"
    )
  }

  @Test(arguments: [("0.5", 24_000, "500 ms"), ("0.125", 6_000, "125 ms")])
  func silenceStandsInFrontOfLateSound(
    _ offset: String, _ count: Int, _ time: String
  ) throws {
    let directory = try film(offset, "film.mkv")
    let run = try directory.pipeline(
      "rawaudio convert in.wav -t raw -o in.raw && rawaudio convert film.mkv -t raw -o film.raw")
    #expect(
      run.standardError == """
        rawaudio: 'film.mkv' is decoded by ffmpeg (flac)
        rawaudio: 'film.mkv': the sound begins \(time) after the pictures; silence of \(count) samples per channel stands there

        """)
    let expected = try Array(repeating: 0, count: count) + samples("in.raw", in: directory)
    #expect(try samples("film.raw", in: directory) == expected)
  }

  /// Opus drops the beginning of its stream: the first sound is at the place that ffmpeg's own filter gives, to the
  /// millisecond of Matroska's times.
  @Test(arguments: [("libopus", "o.mkv"), ("aac", "a.mp4"), ("alac", "l.mov"), ("ac3", "d.mkv")])
  func codecsKeepTheTime(_ codec: String, _ name: String) throws {
    let directory = try film("0.5", name, codec: codec)
    try directory.mustRun(
      """
      rawaudio convert -q \(name) -t raw -f f32 -o mine &&
        ffmpeg -nostdin -v error -i \(name) -map 0:a -af aresample=async=1:first_pts=0 -f f32le their
      """)
    let firsts = try ["mine", "their"].map { name in
      try directory.bytes(name).firstIndex { $0 != 0 }.map { $0 / 4 } ?? 0
    }
    #expect(abs(firsts[0] - firsts[1]) <= 48)
    #expect(firsts[1] > 20_000)
  }

  @Test(arguments: [
    ("0", "same.mkv", "-f lavfi -i testsrc=d=3:s=64x48"), ("0.5", "sound.mka", ""),
    ("0.25", "early.mkv", "-itsoffset 0.5 -f lavfi -i testsrc=d=3:s=64x48"),
  ])
  func soundThatIsNotLaterIsAsItWas(
    _ offset: String, _ name: String, _ pictures: String
  ) throws {
    let directory = try film(offset, name, pictures: pictures)
    let run = try directory.pipeline(
      "rawaudio convert in.wav -t raw -o in.raw && rawaudio convert \(name) -t raw -o film.raw")
    #expect(run.standardError == "rawaudio: '\(name)' is decoded by ffmpeg (flac)\n")
    #expect(try directory.bytes("film.raw") == directory.bytes("in.raw"))
  }

  @Test(arguments: ["film.mkv", "a 'film'.mkv", "a:b.mkv"])
  func theLineThatKeepsThePictures(_ name: String) throws {
    let directory = try film("0.5", name)
    let run = try directory.run(["convert", name, "-o", "back.avi"])
    #expect(run.ending == .exit(1))
    let words = run.standardError.split(separator: "the pictures go along with: ")
    #expect(
      words.first
        == "rawaudio: cannot write to 'back.avi': nothing here encodes the type its extension names; "
    )
    let line = try #require(words.last.map(String.init))
    if name == "film.mkv" {
      #expect(
        line
          == "rawaudio convert 'film.mkv' -o - | ffmpeg -i 'film.mkv' -i - -map 0:v -map 1:a -c:v copy"
          + " 'back.avi'\n")
    }
    try directory.mustRun(line)
    let probe = try directory.pipeline(
      """
      ffprobe -v error -show_entries stream=codec_type -of csv=p=0 back.avi &&
        rawaudio convert -q back.avi -t raw -f s16 -o back.raw
      """)
    #expect(probe.outputText == "video\naudio\n")
    // Noise is loud from its first sample on; an encoder smears it by less than a block.
    let loud = try samples("back.raw", in: directory).firstIndex { abs(Int($0)) > 2_000 } ?? 0
    #expect(abs(loud - 24_000) < 2_048)
  }

  @Test func soundAloneHasTheOtherLine() throws {
    let directory = try film("0.5", "film.mkv")
    let run = try directory.run("convert", "film.mkv", "-o", "sound.wv")
    #expect(run.standardError.hasSuffix("| ffmpeg -i - -c:v copy 'sound.wv'\n"))
    let plain = try directory.run("convert", "in.wav", "-o", "back.avi")
    #expect(plain.standardError.hasSuffix("| ffmpeg -i - -c:v copy 'back.avi'\n"))
  }
}
