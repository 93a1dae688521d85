// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Failures: one line of advice, the right exit code, and no files left behind.
@Suite struct FailureTests {
  /// Returns a directory with `a.wav` and many kinds of things that are no sound files.
  private static func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    var noise = Noise(7)
    let good = WaveBytes.file(noise.samples(400, peak: 9_000), channelCount: 2)
    try directory.write(good, "a.wav")
    try directory.write(Array("Dear diary, today I heard nothing.\n".utf8), "text.wav")
    try directory.write([], "empty.wav")
    try directory.write(Array(good.prefix(20)), "cut.wav")
    try directory.write(Array(good.prefix(40)), "short.wav")
    try directory.write([0, 0xFF] + noise.bytes(998), "noise.bin")
    try FileManager.default.createDirectory(
      at: directory.file("folder"), withIntermediateDirectories: false)
    return directory
  }

  @Test(
    arguments: [
      "none.wav": "cannot open 'none.wav': no such file",
      "none/x.wav": "cannot open 'none/x.wav': no such file",
      "a.wav/x.wav": "cannot open 'a.wav/x.wav': a part of the path is not a directory",
      "empty.wav": "cannot read 'empty.wav': the file is empty",
      "/dev/null": "cannot read '/dev/null': the file is empty",
      "cut.wav": "cannot read 'cut.wav': the WAV header is truncated",
      "short.wav": "cannot read 'short.wav': the WAV header ends before its 'data' chunk",
      "text.wav":
        "cannot read 'text.wav': it is text, not sound; for headerless data say --input-type raw",
      "noise.bin":
        "cannot read 'noise.bin': it is not a sound file that libsndfile knows; for headerless data"
        + " say --input-type raw",
    ] as [String: String])
  func inputs(_ input: String, _ message: String) throws {
    try expect(["convert", input, "-o", "new.wav"], message)
    try expect(["mix", "a.wav", input, "-o", "new.wav", "-q"], message)
    // `info` reads no headerless data and offers no options for it.
    let plain = message.components(separatedBy: "; for headerless")[0]
    try expect(["info", input], plain)
  }

  @Test(arguments: [
    ("a.wav", [], "cannot write to 'a.wav': it exists already; use --force to overwrite"),
    ("none/x.wav", [], "cannot write to 'none/x.wav': its directory does not exist"),
    ("a.wav/x.wav", [], "cannot write to 'a.wav/x.wav': a part of the path is not a directory"),
    ("/dev/full", [], "cannot write to '/dev/full': no space left on device"),
    ("/proc/x.wav", [], "cannot write to '/proc/x.wav': no such file"),
    (
      "new.xyz", [],
      "cannot write to 'new.xyz': its extension names no type of sound file; say which with --type"
    ),
    ("new.flac", ["-f", "f32"], "cannot store f32 in 'flac': it holds only s8, s16, s24"),
    (
      "new.opus", ["-r", "44100"],
      "cannot store 44100 Hz in 'opus': it holds only 8000, 12000, 16000, 24000, 48000 Hz; -r"
        + " 48000 converts it"
    ),
    (
      "new.flac", ["-c", "9"],
      "cannot store 9 channels in 'flac': s16 there holds at most 8; convert to at most that or take"
        + " another container"
    ),
    (
      "new.wav", ["-f", "S24_LE"],
      "cannot store 24 bits in four bytes in 'wav': it holds them in three; only raw has both; use"
        + " S24_3LE or s24"
    ),
    (
      "-", ["-t", "caf"],
      "cannot write to 'standard output': caf can only be written to a file; use wav, au, flac, ogg,"
        + " opus, mp3 or raw here"
    ),
    (
      "alsa:nosuch", [],
      "cannot open device 'nosuch': no such device (snd_pcm_open: Unknown PCM nosuch); check the name"
        + " in the list of devices"
    ),
  ])
  func outputs(_ output: String, _ options: [String], _ message: String) throws {
    try expect(["convert", "a.wav", "-o", output] + options, message)
    try expect(["mix", "a.wav", "a.wav", "-o", output] + options, message)
  }

  @Test func forceKeepsTheOldFileWhereTheNewOneFails() throws {
    try expect(
      ["convert", "cut.wav", "--force", "-o", "a.wav"],
      "cannot read 'cut.wav': the WAV header is truncated")
    try expect(
      ["convert", "a.wav", "--force", "-f", "f32", "-t", "flac", "-o", "a.wav"],
      "cannot store f32 in 'flac': it holds only s8, s16, s24")
  }

  /// Of one output from several sources, or of several sources in one, none is a folder.
  @Test func folders() throws {
    let read = "cannot open 'folder': it is a directory"
    let written = "cannot write to 'folder': it is a directory"
    try expect(["mix", "a.wav", "folder", "-o", "new.wav", "-q"], read)
    try expect(["mix", "a.wav", "a.wav", "-o", "folder"], written)
    try expect(["mix", "a.wav", "--force", "-o", "folder"], written)
  }

  /// A file system that fills half-way; only root can create one.
  @Test(.enabled(if: getuid() == 0)) func aFullDiskLeavesNothing() throws {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.file("disk"), withIntermediateDirectories: false)
    let run = try directory.pipeline(
      """
      mount -t tmpfs -o size=64k none disk 2>/dev/null || { echo skipped; exit; }
      rawaudio convert noise:white -d 1 -o disk/x.wav; echo $?
      rawaudio convert noise:white -d 1 -o disk/x.flac; echo $?
      echo old >disk/x.wav; rawaudio convert noise:white -d 1 --force -o disk/x.wav; echo $?
      ls -A disk; cat disk/x.wav; umount disk
      """)
    guard run.outputText != "skipped\n" else { return }
    let wave = "rawaudio: cannot write to 'disk/x.wav': no space left on device; nothing was kept\n"
    let flac = wave.replacingOccurrences(of: ".wav", with: ".flac")
    #expect(run.standardError == wave + flac + wave)
    #expect(run.outputText == "1\n1\n1\nx.wav\nold\n")
  }

  @Test func closedAndWrongStandardStreams() throws {
    func run(_ line: String, _ message: String) throws {
      let directory = try Self.directory()
      let before = directory.names
      let run = try directory.pipeline(line)
      #expect(run.standardError == (message.isEmpty ? "" : "rawaudio: \(message)\n"))
      #expect(run.ending == .exit(message.isEmpty ? 0 : 1))
      #expect(directory.names == before)
    }
    try run(
      "rawaudio convert - -o new.wav <&-", "cannot read 'standard input': bad file descriptor")
    try run("rawaudio convert - -o new.wav <.", "cannot open 'standard input': it is a directory")
    try run(
      "rawaudio convert - -o new.wav </dev/null",
      "cannot read 'standard input': the file is empty")
    try run(
      "true | rawaudio convert - -o new.wav", "cannot read 'standard input': nothing came from it")
    try run(
      "rawaudio convert a.wav -o - >&-", "cannot write to 'standard output': bad file descriptor")
    try run(
      "rawaudio convert a.wav -o - >/dev/full",
      "cannot write to 'standard output': no space left on device")
    try run("rawaudio convert a.wav -o - | true", "")
    try run("rawaudio info a.wav | true", "")
  }

  @Test func aFileThatMayNotGrowFails() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline("ulimit -f 20; rawaudio convert noise:white -d 1 -o new.wav")
    run.expectExit(1, "cannot write to 'new.wav': file too large; nothing was kept")
    #expect(directory.names.isEmpty)
  }

  /// Two short sounds, and one cut by the limit: its part is removed and does not count.
  @Test func aPartThatIsRemovedIsNotSaidToBeKept() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      for length in 0.5 0.5 5; do
        rawaudio convert tone:440 -d $length -r 8000 -f s16 -t raw -o -
        rawaudio convert silence: -d 1 -r 8000 -c 1 -f s16 -t raw -o -
      done >all.raw
      ulimit -f 20
      rawaudio convert all.raw --input-type raw --input-rate 8000 --input-channels 1 --input-format s16 -o part-%01d.wav \
        --threshold -40 --hold 0.1 --pre-roll 0 --split event
      echo $?; for part in part-*.wav; do rawaudio convert $part -t raw -o -; done | wc -c; ls
      """)
    let lines = run.outputText.split(separator: "\n")
    try #require(lines.count == 5)
    #expect(lines[0] == "1")
    let kept = try #require(Int(lines[1])) / 2
    #expect(lines[2...] == ["all.raw", "part-0.wav", "part-1.wav"])
    #expect(
      run.standardError == "rawaudio: cannot write to 'part-2.wav': file too large; "
        + "\(kept) samples per channel are kept in 2 parts\n")
  }

  /// The stream is copied to inspect it, and the copy cannot be written here.
  @Test func aStreamThatCannotBeCopiedIsNotSaidToBeWrittenTo() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline("ulimit -f 0; rawaudio convert - -o /dev/null < /dev/zero")
    run.expectExit(1, "cannot spool the data of 'standard input': file too large")
  }

  @Test func aLinkToNothing() throws {
    let directory = TemporaryDirectory()
    let convert = "rawaudio convert noise:white -o link.wav"
    let run = try directory.pipeline(
      """
      ln -s new.wav link.wav; \(convert) -d 1; echo $?; ls
      ulimit -f 20; \(convert) -d 1 --force; echo $?; ls
      \(convert) -d 100S --force; echo $?; ls; test -L link.wav && echo link
      """)
    #expect(
      run.standardError == """
        rawaudio: cannot write to 'link.wav': it exists already; use --force to overwrite
        rawaudio: cannot write to 'link.wav': file too large; nothing was kept

        """)
    #expect(
      run.outputText == "1\nlink.wav\n1\nlink.wav\n0\nlink.wav\nnew.wav\nlink\n")
  }

  @Test func aDamagedMPEGFileIsNotSaidToBeMissing() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      rawaudio convert noise:white -d 1 -r 44100 -o whole.mp3; head -c 1000 whole.mp3 >cut.mp3
      rawaudio convert cut.mp3 -o new.wav
      """)
    // mpg123, which libsndfile uses, prints on standard error.
    #expect(
      run.standardError.hasSuffix(
        "rawaudio: cannot read 'cut.mp3': libsndfile finds no MPEG audio in it\n"))
    #expect(run.ending == .exit(1))
    #expect(directory.names == ["cut.mp3", "whole.mp3"])
  }

  /// A closed standard error must not send messages into the output. A name must not control the terminal.
  @Test func controlCharactersAreNotTold() throws {
    let run = try runCommand("info", "no\u{1B}[31m\nsuch.wav")
    run.expectMessages("cannot open 'no\\u{1B}[31m\\u{A}such.wav': no such file")
    let usage = try runCommand("info", "--no\u{1B}[31m")
    #expect(!usage.standardError.contains("\u{1B}"))
    #expect(usage.ending == .exit(64))
  }

  /// Invisible characters can reorder or hide text; JSON keeps them unchanged.
  @Test(arguments: ["202E", "2066", "200B", "9B", "FEFF", "2028", "E0001"])
  func formatCharactersAreWrittenOut(_ code: String) throws {
    let scalar = try #require(UInt32(code, radix: 16).flatMap(Unicode.Scalar.init))
    let directory = TemporaryDirectory()
    let name = "a\(Character(scalar))b.wav"
    try directory.write(WaveBytes.file([1, -2, 3, -4]), name)
    let text = try directory.run("info", name)
    #expect(text.outputText.hasPrefix("file:         a\\u{\(code)}b.wav\n"))
    let json = try directory.run("info", "--json", name)
    #expect(!json.outputText.unicodeScalars.contains(scalar))
    let read = try JSONSerialization.jsonObject(with: Data(json.standardOutput))
    let objects = try #require(read as? [[String: Any]])
    #expect(objects.first?["path"] as? String == name)
    let missing = try runCommand("convert", "no\(Character(scalar)).wav", "-o", "x.wav")
    missing.expectMessages("cannot open 'no\\u{\(code)}.wav': no such file")
  }

  /// The line with the told option works.
  @Test(arguments: [("opus", 44_100, 48_000), ("opus", 11_025, 12_000), ("m4a", 192_000, 96_000)])
  func theNearestRateIsTold(_ kind: String, _ rate: Int, _ told: Int) throws {
    let directory = TemporaryDirectory()
    try directory.run("convert", "tone:440", "-d", "0.1", "-r", "\(rate)", "-o", "a.wav")
      .requireSuccess()
    let run = try directory.run("convert", "a.wav", "-o", "a.\(kind)")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError.hasPrefix("rawaudio: cannot store \(rate) Hz in '\(kind)': it holds only ")
        && run.standardError.hasSuffix(" Hz; -r \(told) converts it\n"), "\(run.standardError)")
    try directory.run("convert", "a.wav", "-o", "a.\(kind)", "-r", "\(told)").expectExit(0)
  }

  /// A missing source is the fault, not the name that follows from it.
  @Test(arguments: [["nope"], ["nope", "a.wav"]])
  func aMissingSourceIsTold(_ sources: [String]) throws {
    let directory = TemporaryDirectory()
    try directory.run("convert", "tone:440", "-d", "0.1", "-o", "a.wav").requireSuccess()
    let run = try directory.run(["convert"] + sources + ["-o", "o/"])
    #expect(run.ending == .exit(1))
    #expect(run.standardError.hasPrefix("rawaudio: cannot open 'nope': no such file\n"))
    #expect(directory.names == (sources.count == 1 ? ["a.wav"] : ["a.wav", "o"]))
  }

  /// Reported before any write, in terms of the container.
  @Test(arguments: [
    (
      "flac", 768_000,
      "it holds 1000 to 655350 Hz; convert to one of these or take another container"
    ),
    (
      "flac", 65_537,
      "above 65535 Hz it holds only multiples of 10; convert to one of these or take another container"
    ),
    (
      "ogg", 768_000,
      "it holds 1000 to 200000 Hz; convert to one of these or take another container"
    ),
  ])
  func ratesThatACodecCannotTake(_ container: String, _ rate: Int, _ reason: String) throws {
    let directory = TemporaryDirectory()
    let run = try directory.run(
      "convert", "silence:", "-d", "0.1", "-r", "\(rate)", "-o", "x.\(container)")
    run.expectExit(1, "cannot store \(rate) Hz in '\(container)': \(reason)")
    #expect(directory.names.isEmpty)
  }

  @Test func aStreamBeyondTheSpoolLimitNamesTheOption() throws {
    let directory = TemporaryDirectory()
    try directory.run("convert", "tone:440", "-d", "1", "-o", "a.caf").requireSuccess()
    for command in ["convert - -o x.wav", "info -"] {
      let run = try directory.pipeline(
        "cat a.caf 2> /dev/null | rawaudio \(command) --spool-limit 16KiB")
      run.expectMessages(
        "cannot spool to a temporary file the data of 'standard input': it is more than 16384 "
          + "bytes, the spool limit; raise it with --spool-limit <size>")
    }
    try directory.mustRun("cat a.caf | rawaudio convert - -o y.wav --spool-limit 1MiB")
  }

  @Test func aClosedStandardErrorIsNotTheOutput() throws {
    let directory = TemporaryDirectory()
    let run = try directory.pipeline(
      """
      rawaudio convert tone:440 -v -d 10S -o a.wav 2>&-; echo $?
      rawaudio convert tone:440 -v -d 10S -o b.wav <&- 2>&- >&-; echo $?
      rawaudio convert tone:440 -d 10S -o c.wav; cmp a.wav c.wav; cmp b.wav c.wav
      """)
    #expect(run.outputText == "0\n0\n")
    #expect(run.standardError == "")
  }

  private func expect(_ arguments: [String], _ message: String) throws {
    let directory = try Self.directory()
    let before = try contents(directory)
    let run = try directory.run(arguments)
    run.expectExit(1, message)
    #expect(run.outputText.trimmingCharacters(in: .newlines) == "")
    #expect(try contents(directory) == before)
  }

  private func contents(_ directory: TemporaryDirectory) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in directory.names { contents[name] = (try? directory.bytes(name)) ?? [] }
    return contents
  }
}
