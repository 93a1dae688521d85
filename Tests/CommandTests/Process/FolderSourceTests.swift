// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Folders as sources, and as outputs.
@Suite struct FolderSourceTests: ManyFiles {
  let directory = TemporaryDirectory()

  /// Writes a sound in a folder that may be new.
  private func write(_ names: String...) throws {
    for (index, name) in names.enumerated() {
      let folder = directory.file(name).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var noise = Noise(UInt64(index))
      try directory.write(
        WaveBytes.file(noise.samples(800, peak: 900), sampleRate: 8_000), name)
    }
  }

  private func files(in folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: directory.file(folder).path)?.allObjects
    return (all as? [String] ?? []).filter { $0.contains(".") }.sorted()
  }

  private func paths(_ line: String) throws -> [String] {
    let run = try directory.pipeline(
      "rawaudio \(line) --json-lines | sed -n 's/.*\"path\":\"\\([^\"]*\\)\".*/\\1/p'")
    #expect(run.ending == .exit(0))
    return run.outputText.split(separator: "\n").map(String.init)
  }

  /// The order is that of the names' bytes, in each folder; only names of sound files count.
  @Test(arguments: ["info", "measure"])
  func filesOfAFolder(command: String) throws {
    try write(
      "in/z.wav", "in/b/2.wav", "in/b/c/1.WAV", "in/B.wav", "in/a-x/1.wav", "in/.h/1.wav",
      "in/.1.wav", "in/é.wav", "in/b/notes.txt", "in/b/none", "in/b/m.mat", "in/b/s.raw")
    try directory.pipeline("ln -s .. in/b/up; ln -s ../z.wav in/b/l.wav; mkfifo in/b/p.wav")
      .requireSuccess()
    #expect(
      try paths("\(command) in") == [
        "in/B.wav", "in/a-x/1.wav", "in/b/2.wav", "in/b/c/1.WAV", "in/b/l.wav", "in/z.wav",
        "in/é.wav",
      ])
    try directory.pipeline("ln -s in/b link").requireSuccess()
    #expect(
      try paths("\(command) in/z.wav link/ in/a-x") == [
        "in/z.wav", "link/2.wav", "link/c/1.WAV", "link/l.wav", "in/a-x/1.wav",
      ])
  }

  @Test(arguments: [
    ("in/ -o 'out/{path}.flac'", ["a.flac", "b/a.flac", "b/c/d.flac"]),
    ("in -o 'out/{path}/{stem}.flac'", ["a.flac", "b/a.flac", "b/c/d.flac"]),
    ("in/b in/a.wav -o 'out/{path}.wav'", ["a.wav", "b/a.wav", "b/c/d.wav"]),
    ("in/b -o 'out/{path}-{stem}.wav'", ["-a.wav", "c-d.wav"]),
    ("in -o out/", ["a.wav", "b/a.wav", "b/c/d.wav"]),
    ("in -t mp3 -o out/", ["a.mp3", "b/a.mp3", "b/c/d.mp3"]),
    ("in/b/c -o 'out/{stem}.{ext}'", ["d.wav"]),
    ("in/a.wav in/b/c/d.wav -o out/", ["a.wav", "d.wav"]),
    ("in/a.wav -o out/", ["a.wav"]), ("in/a.wav -t flac -o 'out/{stem}.{ext}'", ["a.flac"]),
    ("in/a.wav in/b/a.wav -o 'out/{path}.{ext}'", ["a.wav", "b/a.wav"]),
    ("in -o 'out/%03d.{ext}'", ["000.wav", "001.wav", "002.wav"]),
  ])
  func outputs(line: String, expected: [String]) throws {
    try write("in/a.wav", "in/b/a.wav", "in/b/c/d.wav")
    try directory.pipeline("rawaudio convert \(line)").requireSuccess()
    #expect(files(in: "out") == expected)
  }

  @Test func anExistingFolderIsOneWithoutASlash() throws {
    try write("a.wav", "50%/b.wav")
    try directory.pipeline(
      "rawaudio convert a.wav -o '50%' && rawaudio plot a.wav 50%/b.wav -o 50%/ && rawaudio plot a.wav --dat -o 50%"
    ).requireSuccess()
    #expect(files(in: "50%") == ["a.dat", "a.png", "a.wav", "b.png", "b.wav"])
    #expect(try samples("50%/a.wav") == samples("a.wav"))
  }

  /// The outputs are no sources, in this run and in the next one.
  @Test(arguments: ["in/out/{path}.wav", "in/b/out/{path}.wav", "in/{stem}+/{path}.wav"])
  func outputsBelowTheSources(pattern: String) throws {
    try write("in/a.wav", "in/b/a.wav", "in/b/c.wav", "in/c+/x.wav")
    try directory.pipeline("rawaudio convert in -j 1 -o '\(pattern)'").requireSuccess()
    #expect(files(in: "in").count == 8)
    guard !pattern.hasPrefix("in/{") else { return }
    try directory.pipeline("rawaudio convert in -j 1 -o '\(pattern)' --existing skip")
      .expectExit(0, "0 done, 4 skipped")
  }

  @Test func failures() throws {
    try write("in/a.wav", "in/b/a.wav")
    try directory.pipeline("mkdir -p empty/er; ln -s none in/b/l.wav").requireSuccess()
    let empty = try directory.pipeline("rawaudio convert empty in/a.wav -o out/")
    empty.expectExit(
      1,
      "cannot find sources in 'empty/': no name in the folder ends like that of a sound file; name the files themselves",
      "1 done, 1 failed")
    #expect(files(in: "out") == ["in/a.wav"])
    let run = try directory.pipeline("rawaudio convert in -j 1 -q -o 'one/{stem}.wav'")
    run.expectExit(
      1,
      "cannot write to 'one/a.wav': it is the output of another source of this list, too, or "
        + "of another run; tell them apart with {path}, {id} or {n}",
      "cannot open 'in/b/l.wav': no such file")
    let told = try directory.pipeline("rawaudio measure in -v 2>&1 >measured")
    #expect(told.outputText.hasPrefix("rawaudio: 'in' holds 3 sound files\n"), "\(told.outputText)")
    try directory.pipeline("rawaudio convert in -o a.wav").expectUsageError(
      "Several sources cannot all go to 'a.wav'; a pattern gives each its own, for example -o 'out/{path}/{stem}.wav'",
      of: "convert")
    try write("x")
    try directory.pipeline("rawaudio convert x -o out/").expectUsageError(
      "The value 'out/{stem}.{ext}' is invalid for '--output <sink>': it has no ext for 'out/{stem}.{ext}'",
      of: "convert")
  }

  /// A type on the line chooses the files, too.
  @Test func headerlessFiles() throws {
    try write("in/a.raw", "in/b.pcm", "in/c.wav")
    try directory.pipeline(
      "rawaudio convert in --input-type raw --input-rate 8000 --input-channels 1 --input-format s16 -t wav -o out/"
    ).requireSuccess()
    #expect(files(in: "out") == ["a.wav", "b.wav"])
  }

  @Test func shardsPiecesAndLists() throws {
    try write("in/a.wav", "in/b/a.wav", "in/b/c.wav")
    try directory.pipeline(
      """
      rawaudio convert in --shard 1/2 -o 1/ && rawaudio convert in --shard 2/2 -o 2/ \
        && echo '0.02 0.05 x' > t.txt && rawaudio convert in/b/c.wav --segments t.txt -o '3/{stem}-{label}.wav' \
        && rawaudio convert in --split 0.05 -o '4/{path}/{stem}-%02d.wav' && rawaudio convert in --album --loudness -20 -o 5/
      """
    ).requireSuccess()
    #expect(files(in: "1") == ["a.wav", "b/c.wav"] && files(in: "2") == ["b/a.wav"])
    #expect(files(in: "3") == ["c-x.wav"] && files(in: "4").count == 6)
    #expect(files(in: "5") == ["a.wav", "b/a.wav", "b/c.wav"])
  }

  /// A folder without a sound is a failed source, and its path is told.
  @Test func aFailedFolderHasAPath() throws {
    try directory.mustRun("mkdir empty")
    let run = try directory.run(
      "convert", "empty", "-o", "out/{path}.wav", "--results", "r.jsonl")
    #expect(run.ending == .exit(1))
    let line = try #require(try lines("r.jsonl").first)
    #expect(line["source"] as? String == "empty/")
    #expect(line["status"] as? String == "failed")
    for command in ["info", "measure"] {
      #expect(
        try directory.run(command, "empty", "--json-lines").outputText.contains(#""path":"empty/""#)
      )
    }
  }
}
