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
      rawaudio mix -q t.mka --track 2,1 --to-channels -t raw -f s16 -o turned
      rawaudio mix b.wav a.wav --to-channels -t raw -f s16 | cmp - turned
      """)
    #expect(run.outputText == "")
    #expect(run.standardError == "")
    #expect(try directory.bytes("expected").count == 288_000)
    try directory.run("mix", "a.wav", "--track", "all", "-t", "raw", "-o", "one").expectExit(0)
    try directory.run("mix", "t.mka", "--track", "3", "-o", "x.wav")
      .expectExit(1, "cannot take sound track 3 of 't.mka': it has 2")
    let wrong = try directory.run("mix", "t.mka", "--track", "0", "-o", "x.wav")
    #expect(wrong.ending == .exit(64))
    #expect(
      wrong.standardError.contains(
        "sound tracks are told by their titles, or by their numbers from 1"))
  }

  /// An exact title goes before one in other case, and that before a language. Each command takes the track.
  @Test func tracksHaveNames() throws {
    let directory = try directory("t.mka", "flac")
    try directory.mustRun(
      """
      ffmpeg -nostdin -v error -i t.mka -i b.wav -map 0 -map 1 -c:a flac -metadata:s:a:0 language=eng \
        -metadata:s:a:1 language=ger -metadata:s:a:2 title=two -metadata:s:a:2 language=eng n.mka
      """)
    func bytes(_ arguments: String) throws -> [UInt8] {
      let run = try directory.pipeline("rawaudio \(arguments) -t raw -f s16")
      #expect(run.standardError == "")
      return run.standardOutput
    }
    let (first, second) = try (bytes("convert a.wav"), bytes("convert b.wav"))
    for (track, expected) in [
      ("One", first), ("ONE", first), ("Two", second), ("two", second), ("ger", second),
      ("deu", second), ("2", second),
    ] {
      #expect(try bytes("convert -q n.mka --track \(track)") == expected, "\(track)")
    }
    #expect(
      try bytes("concat -q n.mka n.mka --track One --track deu") == first + second)
    let sum = try bytes("mix a.wav b.wav")
    for tracks in ["One --track Two", "One,Two", "2,one,2", "ger,1"] {
      let sources = tracks.contains(" ") ? "n.mka n.mka" : "n.mka"
      #expect(try bytes("mix -q \(sources) --track \(tracks)") == sum, "\(tracks)")
    }
    try directory.mustRun(
      "ffmpeg -nostdin -v error -i t.mka -map 0 -c copy -metadata:s:a:1 title=One,Two c.mka")
    #expect(try bytes("mix -q c.mka --track one,two") == second)
    for (command, options) in [("plot", "-t json"), ("measure", "--json-lines")] {
      let run = try directory.pipeline(
        """
        cp b.wav alone.wav
        rawaudio \(command) -q n.mka \(options) --track Two | sed s/n.mka/alone.wav/
        rawaudio \(command) -q alone.wav \(options)
        """)
      let lines = run.outputText.split(separator: "\n")
      #expect(lines.count > 1 && lines.prefix(lines.count / 2) == lines.suffix(lines.count / 2))
    }
    try directory.run("play", "n.mka", "--track", "4", "--device", "null:")
      .expectExit(1, "cannot take sound track 4 of 'n.mka': it has 3")
    for (track, reason) in [
      ("tWO", "several are called so: 2, 'Two' ger; 3, 'two' eng"),
      ("eng", "several are called so: 1, 'One' eng; 3, 'two' eng"),
      ("Three", "it has 1, 'One' eng; 2, 'Two' ger; 3, 'two' eng"),
    ] {
      try directory.run("convert", "n.mka", "--track", track, "-o", "x.wav")
        .expectExit(1, "cannot take sound track '\(track)' of 'n.mka': \(reason)")
    }
    let all = try directory.run("convert", "n.mka", "--track", "all", "-o", "x.wav")
    #expect(all.ending == .exit(64))
    #expect(
      all.standardError.contains(
        "one sound track is read; name one for each output, or add them: 'rawaudio mix FILE --track all'"
      ))
    try directory.run("convert", "a.wav", "--track", "One", "-o", "x.wav")
      .expectExit(1, "cannot take sound track 'One' of 'a.wav': it has 1 without a name")
  }

  /// MP4 has the name of a handler in place of a title. A video gets its sound in the named track.
  @Test func tracksOfAVideoHaveNames() throws {
    let directory = try directory("t.mka", "flac")
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=d=3:s=64x48 -i t.mka -map 0 -map 1 -c:v mpeg4 -c:a alac \
        -metadata:s:a:1 handler_name="Director's Cut" -fflags +bitexact f.mp4 &&
        rawaudio convert -q f.mp4 --track "director's cut" --gain -6 -o out.mp4 &&
        rawaudio convert -q a.wav --into f.mp4 --track "Director's Cut" -o into.mp4 &&
        rawaudio convert -q out.mp4 --track 2 -t raw -f s16 -o is && rawaudio convert b.wav --gain -6 -t raw -f s16 | cmp - is &&
        rawaudio convert -q out.mp4 --track 1 -t raw -f s16 | cmp - <(rawaudio convert a.wav -t raw -f s16) &&
        rawaudio convert -q into.mp4 --track 2 -t raw -f s16 | cmp - <(rawaudio convert a.wav -t raw -f s16)
      rawaudio info f.mp4 | grep 'sound track'
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(
      run.outputText
        == "stream 1:     sound track 1, alac\nstream 2:     sound track 2, alac, Director's Cut\n")
    try directory.run("convert", "a.wav", "--into", "f.mp4", "--track", "x", "-o", "x.mp4")
      .expectExit(
        1, "cannot take sound track 'x' of 'f.mp4': it has 1 without a name; 2, 'Director's Cut'")
  }
}
