// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio convert` of many files.
@Suite struct ManyFilesTests: ManyFiles {
  let directory = TemporaryDirectory()

  /// Each output equals the output of its own run, to the bit, at every number of jobs.
  @Test(arguments: ["1", "2", "7"])
  func eachIsAsIfAlone(jobs: String) throws {
    let inputs = try makeInputs(12)
    let run = try directory.run(
      ["convert"] + inputs + [
        "-r", "16000", "--dither", "tpdf", "-j", jobs, "-o", "out/{stem}.flac",
      ])
    run.expectExit(0)
    for input in inputs {
      let alone = try self.run(
        input, "-r", "16000", "--dither", "tpdf", "-o", "alone.flac", "--force")
      #expect(alone.ending == .exit(0))
      let output = input.replacing("in/", with: "out/").replacing(".wav", with: ".flac")
      #expect(try directory.bytes(output) == directory.bytes("alone.flac"))
    }
  }

  /// One bad file never stops the rest, and each is reported with its reason.
  @Test func badFiles() throws {
    let inputs = try makeInputs(6)
    let whole = try directory.bytes(inputs[0])
    try directory.write(Array(whole.prefix(5_000)), "in/cut.wav")
    try directory.write(Array("hello\n".utf8), "in/text.wav")
    try directory.write([], "in/empty.wav")
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("in/dangling.wav").path, withDestinationPath: "nowhere")
    let bad = ["cut", "text", "empty", "dangling", "missing"].map { "in/\($0).wav" }
    let run = try directory.run(
      ["convert"] + inputs.prefix(3) + bad + inputs.dropFirst(3) + [
        "-o", "out/{stem}.wav", "--results", "r.jsonl",
      ])
    #expect(run.ending == .exit(1))
    let expected = [
      "rawaudio: 'in/cut.wav' is truncated: it holds 2478 of the 4410 samples per channel that its header claims",
      "rawaudio: cannot read 'in/text.wav': it is text, not sound; for headerless data say --input-type raw",
      "rawaudio: cannot read 'in/empty.wav': the file is empty",
      "rawaudio: cannot open 'in/dangling.wav': no such file",
      "rawaudio: cannot open 'in/missing.wav': no such file",
      "rawaudio: 7 done, 4 failed",
    ]
    #expect(run.standardError.split(separator: "\n").map(String.init).sorted() == expected.sorted())
    for input in inputs {
      #expect(try samples(input.replacing("in/", with: "out/")) == samples(input))
    }
    let results = try lines("r.jsonl")
    #expect(results.count == 11)
    let failed = results.filter { $0["status"] as? String == "failed" }
    #expect(Set(failed.compactMap { $0["source"] as? String }) == Set(bad.dropFirst()))
    #expect(
      failed.allSatisfy { $0["error"] as? String != nil && $0["samplesPerChannel"] is NSNull })
    let cut = try #require(results.first { $0["source"] as? String == "in/cut.wav" })
    #expect(cut["truncated"] as? Bool == true)
    #expect(cut["samplesPerChannel"] as? Int == 2_478)
  }

  /// The shards cover the whole list, and no item is in two.
  @Test func shards() throws {
    let inputs = try makeInputs(11)
    try directory.write(Array(inputs.joined(separator: "\n").utf8), "list")
    for shard in 1...3 {
      let run = try self.run(
        "--list", "list", "--shard", "\(shard)/3", "-r", "8000", "-o", "out/{path}/{stem}.wav",
        "--results", "r\(shard)")
      run.expectExit(0)
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

  /// Names from `find -print0`, with any bytes.
  @Test func pathsThatEndWithZero() throws {
    _ = try makeInputs(1)
    let run = try directory.pipeline(
      #"""
      cp in/00.wav $'in/a\nb.wav' && cp in/00.wav 'in/{c.wav' && cp in/00.wav $'in/\xff.wav'
      find in -name '*.wav' -print0 | rawaudio convert --list - --null -o 'out/{path}/{stem}.flac' &&
      for name in in/*; do rawaudio convert "$name" -o - -t raw | cmp - <(rawaudio convert \
        "out/${name%.wav}.flac" -o - -t raw) || exit 9; done; ls -1b out/in; rm -r in out
      """#, environment: ["LC_ALL": "C", "ALSA_CONFIG_PATH": ""])
    #expect(run.ending == .exit(0))
    #expect(run.outputText == "00.flac\na\\nb.flac\n{c.flac\n\\377.flac\n")
    #expect(run.standardError == "")
  }

  @Test(
    arguments: [
      ["-o", "x.wav"]:
        "Several sources cannot all go to 'x.wav'; a pattern gives each its own, for example -o 'out/{stem}.wav'",
      []:
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; if 'b.wav' is the"
        + " output, say -o in front of it",
      ["-o", "-"]:
        "Several sources go to files; name them with '--output <sink>', for example -o 'out/{stem}.wav'",
      ["-o", "{stem}.wav", "--split", "3"]:
        "The value '{stem}.wav' is invalid for '--output <sink>': all parts would have the same name; put %03d into it for"
        + " their number, or %H%M%S for the time",
      ["-o", "{stem}.wav", "--observe", "record:meter"]:
        "The value 'record:meter' is invalid for '--observe <observer>': many sources cannot share it; it takes one source",
      ["-o", "{stem}.wav", "--list", "l"]:
        "The sources are arguments or come from '--list <file>', not both",
      ["-o", "{stem}.wav", "--force", "--existing", "skip"]:
        "'--force' replaces outputs; '--existing skip' does not",
      ["-o", "{id}.wav"]: "'a.wav': it has no id for '{id}.wav'",
      ["tone:440", "-o", "{stem}.wav"]:
        "Only files can be converted together; standard input, a device and a generated signal go alone",
    ] as [[String]: String])
  func mistakes(words: [String], message: String) throws {
    let run = try directory.run(["convert", "a.wav", "b.wav"] + words)
    run.expectUsageError(message, of: "convert")
  }

  /// One source as an argument is named as many are.
  @Test func oneSource() throws {
    let inputs = try makeInputs(1)
    #expect(try run(inputs[0], "-o", "{stem}.wav").ending == .exit(0))
    #expect(
      try run(inputs[0], "-o", "{stem}.wav", "--existing", "skip").standardError
        == "rawaudio: 0 done, 1 skipped\n")
    #expect(directory.names == ["00.wav", "in"])
  }
}
