// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Existing outputs of many files: from an earlier run, from this one, or from a parallel one.
@Suite struct ManyFilesOutputsTests: ManyFiles {
  let directory = TemporaryDirectory()

  @Test func existingOutputs() throws {
    let inputs = try makeInputs(3)
    try FileManager.default.createDirectory(
      at: directory.file("out"), withIntermediateDirectories: true)
    try directory.write([1, 2, 3], "out/01.wav")
    func convert(_ words: String...) throws -> ProcessRun {
      try directory.run(["convert"] + inputs + ["-o", "out/{stem}.wav"] + words)
    }
    let first = try convert()
    #expect(first.ending == .exit(1))
    #expect(
      first.standardError.contains(
        "cannot write to 'out/01.wav': it already exists; use --existing skip or --existing replace"
      ))
    #expect(try directory.bytes("out/01.wav") == [1, 2, 3])
    #expect(try samples("out/02.wav") == samples("in/02.wav"))
    try convert("--existing", "skip").expectExit(0, "0 done, 3 skipped")
    #expect(try directory.bytes("out/01.wav") == [1, 2, 3])
    #expect(try convert("--existing", "replace").ending == .exit(0))
    #expect(try samples("out/01.wav") == samples("in/01.wav"))
    try directory.write([1, 2, 3], "out/01.wav")
    #expect(try convert("--force").ending == .exit(0))
    #expect(try samples("out/01.wav") == samples("in/01.wav"))
  }

  /// Two sources with one output: an error for arguments, else the second item fails, at every policy.
  @Test(arguments: ["fail", "skip", "replace"])
  func sharedOutputs(existing: String) throws {
    _ = try makeInputs(1, in: "a")
    _ = try makeInputs(1, in: "b")
    let refused = try run("a/00.wav", "b/00.wav", "-o", "out/{stem}.wav", "--existing", existing)
    refused.expectUsageError(
      "'a/00.wav' and 'b/00.wav' have the same output, 'out/00.wav'; tell them apart with {path} or {n}",
      of: "convert")
    #expect(directory.names == ["a", "b"])
    let run = try directory.pipeline(
      "printf '%s\\n' a/00.wav b/00.wav b/00.wav | rawaudio convert --list - -j 1 -o 'out/{stem}.wav'"
        + " --existing \(existing)")
    #expect(run.ending == .exit(1))
    let line =
      "rawaudio: cannot write to 'out/00.wav': it is the output of another source of this list, too,"
      + " or of another run; tell them apart with {path}, {id} or {n}"
    #expect(run.standardError == "\(line)\n\(line)\nrawaudio: 1 done, 2 failed\n")
    #expect(try samples("out/00.wav") == samples("a/00.wav"))
  }

  /// An output written by another run meanwhile is kept, and the list is not blamed.
  @Test func anotherRunBeside() throws {
    let inputs = try makeInputs(2)
    let run = try directory.pipeline(
      """
      { echo \(inputs[0]); until [ -s r ]; do sleep 0.01; done
        rawaudio convert \(inputs[1]) -r 8000 -o out/01.wav; echo \(inputs[1]); } |
        rawaudio convert --list - -o 'out/{stem}.wav' --existing skip --results r
      """)
    run.expectExit(
      1,
      "cannot write to 'out/01.wav': it is the output of another source of this list, too, or "
        + "of another run; tell them apart with {path}, {id} or {n}",
      "1 done, 1 failed")
    #expect(try samples("out/00.wav") == samples("in/00.wav"))
    #expect(try directory.bytes("out/01.wav").count < directory.bytes("in/01.wav").count)
  }
}
