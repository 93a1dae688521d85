import AudioCore
import Foundation
import Testing

/// `rawaudio convert` of many files.
@Suite struct ManyFilesTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func makeInputs(_ count: Int, in folder: String = "in") throws -> [String] {
    try directory.writeSounds(count, in: folder)
  }

  private func run(_ words: String...) throws -> ProcessRun {
    try runCommand(["convert"] + words, in: directory.url)
  }

  private func samples(_ name: String) throws -> [Int16] {
    WaveBytes.samples(try directory.bytes(name))
  }

  private func lines(_ name: String) throws -> [[String: Any]] {
    try String(decoding: directory.bytes(name), as: UTF8.self).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Each is what it would be alone, to the bit, however many are worked on at the same time.
  @Test(arguments: ["1", "2", "7"])
  func eachIsAsIfAlone(jobs: String) throws {
    let inputs = try makeInputs(12)
    let run = try runCommand(
      ["convert"] + inputs + [
        "-r", "16000", "--dither", "tpdf", "-j", jobs, "-o", "out/{stem}.flac",
      ],
      in: directory.url)
    #expect(run.ending == .exit(0))
    #expect(run.standardError == "")
    for input in inputs {
      let alone = try self.run(
        input, "-r", "16000", "--dither", "tpdf", "-o", "alone.flac", "--force")
      #expect(alone.ending == .exit(0))
      let output = input.replacing("in/", with: "out/").replacing(".wav", with: ".flac")
      #expect(try directory.bytes(output) == directory.bytes("alone.flac"))
    }
  }

  /// One bad file never stops the rest, and every one is told with its reason.
  @Test func badFiles() throws {
    let inputs = try makeInputs(6)
    let whole = try directory.bytes(inputs[0])
    try directory.write(Array(whole.prefix(5_000)), "in/cut.wav")
    try directory.write(Array("hello\n".utf8), "in/text.wav")
    try directory.write([], "in/empty.wav")
    try FileManager.default.createDirectory(
      at: directory.file("in/folder.wav"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("in/dangling.wav").path, withDestinationPath: "nowhere")
    let bad = ["cut", "text", "empty", "folder", "dangling", "missing"].map { "in/\($0).wav" }
    let run = try runCommand(
      ["convert"] + inputs.prefix(3) + bad + inputs.dropFirst(3)
        + ["-o", "out/{stem}.wav", "--results", "r.jsonl"], in: directory.url)
    #expect(run.ending == .exit(1))
    let expected = [
      "rawaudio: 'in/cut.wav' is truncated: it holds 2478 of the 4410 samples per channel that its header claims",
      "rawaudio: cannot read 'in/text.wav': it is text, not sound; for headerless data say --input-type raw",
      "rawaudio: cannot read 'in/empty.wav': the file is empty",
      "rawaudio: cannot open 'in/folder.wav': it is a directory",
      "rawaudio: cannot open 'in/dangling.wav': no such file",
      "rawaudio: cannot open 'in/missing.wav': no such file",
      "rawaudio: 7 done, 5 failed",
    ]
    #expect(run.standardError.split(separator: "\n").map(String.init).sorted() == expected.sorted())
    for input in inputs {
      #expect(try samples(input.replacing("in/", with: "out/")) == samples(input))
    }
    let results = try lines("r.jsonl")
    #expect(results.count == 12)
    let failed = results.filter { $0["status"] as? String == "failed" }
    #expect(Set(failed.compactMap { $0["source"] as? String }) == Set(bad.dropFirst()))
    #expect(
      failed.allSatisfy { $0["error"] as? String != nil && $0["samplesPerChannel"] is NSNull })
    let cut = try #require(results.first { $0["source"] as? String == "in/cut.wav" })
    #expect(cut["truncated"] as? Bool == true)
    #expect(cut["samplesPerChannel"] as? Int == 2_478)
  }

  /// What is there already.
  @Test func existingOutputs() throws {
    let inputs = try makeInputs(3)
    try FileManager.default.createDirectory(
      at: directory.file("out"), withIntermediateDirectories: true)
    try directory.write([1, 2, 3], "out/01.wav")
    func convert(_ words: String...) throws -> ProcessRun {
      try runCommand(["convert"] + inputs + ["-o", "out/{stem}.wav"] + words, in: directory.url)
    }
    let first = try convert()
    #expect(first.ending == .exit(1))
    #expect(
      first.standardError.contains(
        "cannot write to 'out/01.wav': it already exists; use --existing skip or --existing replace"
      ))
    #expect(try directory.bytes("out/01.wav") == [1, 2, 3])
    #expect(try samples("out/02.wav") == samples("in/02.wav"))
    let second = try convert("--existing", "skip")
    #expect(second.ending == .exit(0))
    #expect(second.standardError == "rawaudio: 0 done, 3 skipped\n")
    #expect(try directory.bytes("out/01.wav") == [1, 2, 3])
    #expect(try convert("--existing", "replace").ending == .exit(0))
    #expect(try samples("out/01.wav") == samples("in/01.wav"))
    try directory.write([1, 2, 3], "out/01.wav")
    #expect(try convert("--force").ending == .exit(0))
    #expect(try samples("out/01.wav") == samples("in/01.wav"))
  }

  /// Two sources with one output: refused where they are arguments, else the second fails, whatever is to happen to
  /// outputs that exist.
  @Test(arguments: ["fail", "skip", "replace"])
  func sharedOutputs(existing: String) throws {
    _ = try makeInputs(1, in: "a")
    _ = try makeInputs(1, in: "b")
    let refused = try run("a/00.wav", "b/00.wav", "-o", "out/{stem}.wav", "--existing", existing)
    #expect(
      refused.isUsageError(
        "'a/00.wav' and 'b/00.wav' have the same output, 'out/00.wav'; tell them apart with {path} or {n}",
        of: "convert", usage: "rawaudio convert [<options>] [<source> ...]"))
    #expect(directory.names == ["a", "b"])
    let run = try runPipeline(
      "printf '%s\\n' a/00.wav b/00.wav b/00.wav | rawaudio convert --list - -j 1 -o 'out/{stem}.wav'"
        + " --existing \(existing)", in: directory.url)
    #expect(run.ending == .exit(1))
    let line =
      "rawaudio: cannot write to 'out/00.wav': it is the output of another source of this list, too,"
      + " or of another run; tell them apart with {path}, {id} or {n}"
    #expect(run.standardError == "\(line)\n\(line)\nrawaudio: 1 done, 2 failed\n")
    #expect(try samples("out/00.wav") == samples("a/00.wav"))
  }

  /// An output that another run has written meanwhile: it stays, and nobody is told that the list is wrong.
  @Test func anotherRunBeside() throws {
    let inputs = try makeInputs(2)
    let run = try runPipeline(
      """
      { echo \(inputs[0]); until [ -s r ]; do sleep 0.01; done
        rawaudio convert \(inputs[1]) -r 8000 -o out/01.wav; echo \(inputs[1]); } |
        rawaudio convert --list - -o 'out/{stem}.wav' --existing skip --results r
      """, in: directory.url)
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError
        == "rawaudio: cannot write to 'out/01.wav': it is the output of another source of this list, too,"
        + " or of another run; tell them apart with {path}, {id} or {n}\nrawaudio: 1 done, 1 failed\n"
    )
    #expect(try samples("out/00.wav") == samples("in/00.wav"))
    #expect(try directory.bytes("out/01.wav").count < directory.bytes("in/01.wav").count)
  }

  /// Shards together are the whole, and no item is in two.
  @Test func shards() throws {
    let inputs = try makeInputs(11)
    try directory.write(Array(inputs.joined(separator: "\n").utf8), "list")
    for shard in 1...3 {
      let run = try self.run(
        "--list", "list", "--shard", "\(shard)/3", "-r", "8000", "-o", "out/{path}/{stem}.wav",
        "--results", "r\(shard)")
      #expect(run.ending == .exit(0))
      #expect(run.standardError == "")
    }
    #expect(
      try run("--list", "list", "-r", "8000", "-o", "whole/{path}/{stem}.wav").ending == .exit(0))
    for input in inputs {
      #expect(try directory.bytes("out/\(input)") == directory.bytes("whole/\(input)"))
    }
    let sources = try (1...3).map { try lines("r\($0)").compactMap { $0["source"] as? String } }
    #expect(sources.joined().sorted() == inputs)
    #expect(sources[0].sorted() == [0, 3, 6, 9].map { inputs[$0] })
  }

  /// Killed in the middle: what has its name is whole, and the same command goes on.
  @Test func aKilledRunGoesOn() throws {
    let inputs = try makeInputs(8)
    let stuck = directory.file("in/stuck.wav")
    #expect(unsafe mkfifo(stuck.path, 0o600) == 0)
    try directory.write(Array((inputs + ["in/stuck.wav"]).joined(separator: "\n").utf8), "list")
    let words = [
      "convert", "--list", "list", "-j", "2", "-o", "out/{stem}.wav", "--existing", "skip",
      "--results", "r",
    ]
    let process = try RunningProcess(BuiltProducts.rawaudio, words, in: directory.url)
    // The header and some samples: the source waits for more.
    let whole = WaveBytes.file(
      [UInt8](repeating: 7, count: 400_000), channelCount: 1, sampleRate: 44_100)
    let pipe = try FileHandle(forUpdating: stuck)
    try pipe.write(contentsOf: whole.prefix(50_000))
    func outputs() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.file("out").path).sorted()
    }
    for _ in 0..<3_000 {
      if let names = try? outputs(), names.count == 9, (try? lines("r").count) == 8 { break }
      usleep(10_000)
    }
    process.send(signal: SIGKILL)
    #expect(process.wait().ending == .signal(SIGKILL))
    try pipe.close()
    let names = inputs.map { String($0.dropFirst(3)) }
    #expect(try outputs() == [".stuck.wav.rawaudio-partial"] + names)
    for name in names {
      #expect(try samples("out/\(name)") == samples("in/\(name)"))
    }
    try FileManager.default.removeItem(at: stuck)
    try directory.write(whole, "in/stuck.wav")
    let next = try runCommand(words, in: directory.url)
    #expect(next.ending == .exit(0))
    #expect(next.standardError == "rawaudio: 1 done, 8 skipped\n")
    #expect(try outputs() == names + ["stuck.wav"])
    #expect(try samples("out/stuck.wav") == WaveBytes.samples(whole))
    #expect(try lines("r").count == 17)
  }

  /// Ctrl-C leaves nothing unfinished, also while the list is still to come.
  @Test func interrupted() throws {
    let inputs = try makeInputs(3)
    let list = directory.file("list")
    #expect(unsafe mkfifo(list.path, 0o600) == 0)
    let process = try RunningProcess(
      BuiltProducts.rawaudio, ["convert", "--list", "list", "-o", "out/{stem}.wav"],
      in: directory.url)
    let writer = try FileHandle(forUpdating: list)
    try writer.write(contentsOf: Array((inputs.joined(separator: "\n") + "\n").utf8))
    // A list may be written while it is worked on.
    for _ in 0..<3_000 {
      let names = try? FileManager.default.contentsOfDirectory(atPath: directory.file("out").path)
      if names?.sorted() == ["00.wav", "01.wav", "02.wav"] { break }
      usleep(10_000)
    }
    process.send(signal: SIGINT)
    let run = process.wait()
    try writer.close()
    #expect(run.ending == .exit(130))
    #expect(run.standardError == "rawaudio: 3 done\n")
  }

  /// When the other worker has nothing more to do, the file that is left uses its processor, though it had begun
  /// before, and becomes what it would have become without.
  @Test(.enabled(if: Processors.available > 1, "there is one processor"))
  func theLastFileGetsTheOtherProcessor() throws {
    for name in ["a", "b"] {
      #expect(unsafe mkfifo(directory.file("\(name).wav").path, 0o600) == 0)
    }
    try directory.write(Array("a.wav\nb.wav\n".utf8), "list")
    let process = try RunningProcess(
      BuiltProducts.rawaudio,
      [
        "convert", "--list", "list", "-j", "2", "-r", "48000", "-o", "{stem}.flac", "--results",
        "r",
      ],
      in: directory.url)
    var noise = Noise(3)
    func sound() -> [UInt8] { WaveBytes.bytes(noise.samples(20_000, peak: 10_000)) }
    // Of a length that nobody knows.
    var bytes = WaveBytes.file(
      sound(), sampleRate: 44_100, claimed: Int(UInt32.max))
    let (short, long) = (
      try FileHandle(forUpdating: directory.file("a.wav")),
      try FileHandle(forUpdating: directory.file("b.wav"))
    )
    try short.write(contentsOf: bytes)
    try long.write(contentsOf: bytes)
    func wait(until isSo: () throws -> Bool) rethrows {
      for _ in 0..<3_000 { if try isSo() { break } else { usleep(10_000) } }
    }
    wait { Set(directory.names).isSuperset(of: ["a", "b"].map { ".\($0).flac.rawaudio-partial" }) }
    #expect(!process.threadNames.contains("worker"))
    try short.close()
    wait { (try? lines("r").count) == 1 }
    try wait {
      let more = sound()
      bytes += more
      try long.write(contentsOf: more)
      return process.threadNames.contains("worker")
    }
    #expect(process.threadNames.contains("worker"))
    try long.close()
    let run = process.wait()
    #expect(run.ending == .exit(0))
    #expect(run.standardError == "")
    try directory.write(bytes, "whole.wav")
    #expect(try self.run("whole.wav", "-r", "48000", "-o", "whole.flac").ending == .exit(0))
    #expect(
      firstDifference(try directory.bytes("b.flac"), try directory.bytes("whole.flac")) == nil)
  }

  @Test func givingUp() throws {
    let inputs = try makeInputs(4)
    let run = try runCommand(
      ["convert", "x1", "x2"] + inputs + [
        "-j", "1", "--max-failures", "2", "-o", "out/{stem}.wav",
      ],
      in: directory.url)
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError == """
        rawaudio: cannot open 'x1': no such file
        rawaudio: cannot open 'x2': no such file
        rawaudio: cannot go on: 2 files have failed

        """)
  }

  /// Names from `find -print0`, with whatever is in them.
  @Test func pathsThatEndWithZero() throws {
    _ = try makeInputs(1)
    let run = try runPipeline(
      #"""
      cp in/00.wav $'in/a\nb.wav' && cp in/00.wav 'in/{c.wav' && cp in/00.wav $'in/\xff.wav'
      find in -name '*.wav' -print0 | rawaudio convert --list - --null -o 'out/{path}/{stem}.flac' &&
      for name in in/*; do rawaudio convert "$name" -o - -t raw | cmp - <(rawaudio convert \
        "out/${name%.wav}.flac" -o - -t raw) || exit 9; done; ls -1b out/in; rm -r in out
      """#, environment: ["LC_ALL": "C", "ALSA_CONFIG_PATH": ""], in: directory.url)
    #expect(run.ending == .exit(0))
    #expect(run.outputText == "00.flac\na\\nb.flac\n{c.flac\n\\377.flac\n")
    #expect(run.standardError == "")
  }

  @Test(arguments: [
    (
      ["-o", "x.wav"],
      "Several sources cannot all go to 'x.wav'; a pattern gives each its own, for example -o 'out/{stem}.wav'"
    ),
    (
      [],
      "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; if 'b.wav' is the"
        + " output, say -o in front of it"
    ),
    (
      ["-o", "-"],
      "Several sources go to files; name them with '--output <sink>', for example -o 'out/{stem}.wav'"
    ),
    (
      ["-o", "{stem}.wav", "--threshold", "-40"],
      "'--split <point>' and '--threshold <db>' take one source"
    ),
    (
      ["-o", "{stem}.wav", "--observe", "record:meter"],
      "The value 'record:meter' is invalid for '--observe <observer>': many sources cannot share it; it takes one source"
    ),
    (
      ["-o", "{stem}.wav", "--list", "l"],
      "The sources are arguments or come from '--list <file>', not both"
    ),
    (
      ["-o", "{stem}.wav", "--force", "--existing", "skip"],
      "'--force' replaces outputs; '--existing skip' does not"
    ),
    (["-o", "{id}.wav"], "'a.wav': it has no id for '{id}.wav'"),
    (
      ["tone:440", "-o", "{stem}.wav"],
      "Only files can be converted together; standard input, a device and a generated signal go alone"
    ),
  ])
  func mistakes(words: [String], message: String) throws {
    let run = try runCommand(["convert", "a.wav", "b.wav"] + words, in: directory.url)
    #expect(
      run.isUsageError(
        message, of: "convert", usage: "rawaudio convert [<options>] [<source> ...]"),
      "\(run.standardError)")
  }

  /// One source as an argument has the name that stands there.
  @Test func oneSource() throws {
    let inputs = try makeInputs(1)
    #expect(try run(inputs[0], "-o", "{stem}.wav").ending == .exit(0))
    #expect(
      try run(inputs[0], "-o", "{stem}.wav", "--existing", "skip").standardError
        == "rawaudio: 0 done, 1 skipped\n")
    #expect(directory.names == ["in", "{stem}.wav"])
  }
}
