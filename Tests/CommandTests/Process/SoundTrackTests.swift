// SPDX-License-Identifier: Apache-2.0
import Testing

/// Each sound track of a file is reached by its number, and no other one is lost unsaid.
@Suite struct SoundTrackTests {
  /// The first track is 2 s long, the second 3 s.
  private func directory(_ name: String, _ codec: String) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white,seed=1 -d 2 -r 48000 -c 1 -f s16 --gain -20 -o a.wav &&
        rawaudio convert noise:white,seed=2 -d 3 -r 48000 -c 1 -f s16 --gain -20 -o b.wav &&
        ffmpeg -nostdin -v error -i a.wav -i b.wav -map 0 -map 1 -c:a \(codec) \
          -metadata:s:a:0 title=One -metadata:s:a:1 title=Two \(name)
      """)
    return directory
  }

  @Test(arguments: [
    ("t.ogg", "libopus", "opus"), ("t.ogg", "libvorbis", "vorbis"), ("t.oga", "flac", "flac"),
    ("t.mka", "flac", "flac"),
  ])
  func eachTrackIsReached(_ name: String, _ codec: String, _ said: String) throws {
    let directory = try directory(name, codec)
    for (track, seconds, place) in [(1, 2, "the first"), (2, 3, "number 2")] {
      let run = try directory.pipeline(
        """
        rawaudio convert \(name) --track \(track) -t raw -f s16 | wc -c
        rawaudio convert -q \(name) --track \(track) -o \(track).flac && metaflac --show-tag=TITLE \(track).flac
        """)
      let title = name == "t.oga" ? "" : "TITLE=\(track == 1 ? "One" : "Two")\n"
      #expect(run.outputText.hasPrefix("\(seconds * 96_000)\n\(title)"), "\(run.outputText)")
      #expect(
        run.standardError
          == "rawaudio: '\(name)' is decoded by ffmpeg (\(said), \(place) of 2 streams of sound in it)\n"
      )
    }
    try directory.run("convert", name, "--track", "3", "-o", "x.wav")
      .expectExit(1, "cannot take sound track 3 of '\(name)': it has 2")
    let piped = try directory.pipeline("cat \(name) | rawaudio convert - -t raw -f s16 | wc -c")
    #expect(piped.outputText == "192000\n")
    #expect(piped.standardError.contains("the first of 2 streams of sound in it"))
  }

  /// Tracks of a mix are sources of their own.
  @Test func tracksAreMixed() throws {
    let directory = try directory("t.mka", "flac")
    let run = try directory.pipeline(
      """
      rawaudio mix a.wav b.wav -t raw -f s16 -o expected
      rawaudio mix -q t.mka --track 1 t.mka --track 2 -t raw -f s16 -o each
      rawaudio mix -q t.mka --track all -t raw -f s16 -o all
      rawaudio mix -q t.mka --track 1,2 -t raw -f s16 -o both
      cmp expected each && cmp expected all && cmp expected both
      rawaudio mix -q t.mka a.wav --track all --track 1 --gain -6 --gain 0 -t raw -f s16 -o three
      rawaudio mix a.wav b.wav a.wav --gain -6 --gain -6 --gain 0 -t raw -f s16 | cmp - three
      rawaudio mix -q t.mka --track all --duck 2:1,-12dB -t raw -f s16 -o ducked
      rawaudio mix a.wav b.wav --duck 2:1,-12dB -t raw -f s16 | cmp - ducked
      rawaudio mix -q t.mka --track all --to-channels -t raw -f s16 -o two
      rawaudio mix a.wav b.wav --to-channels -t raw -f s16 | cmp - two
      """)
    #expect(run.outputText == "")
    #expect(run.standardError == "")
    #expect(try directory.bytes("expected").count == 288_000)
    try directory.run("mix", "a.wav", "--track", "all", "-t", "raw", "-o", "one").expectExit(0)
    try directory.run("mix", "t.mka", "--track", "3", "-o", "x.wav")
      .expectExit(1, "cannot take sound track 3 of 't.mka': it has 2")
    let wrong = try directory.run("mix", "t.mka", "--track", "x", "-o", "x.wav")
    #expect(wrong.ending == .exit(64))
    #expect(wrong.standardError.contains("sound tracks are told by their numbers from 1"))
  }
}
