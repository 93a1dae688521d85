// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// The notes of many files, folded by kind.
@Suite struct FoldedNotesTests: ManyFiles {
  let directory = TemporaryDirectory()

  /// Numbers and the names of its files make no kind, but words with digits do.
  @Test func kinds() {
    var notes = FoldedNotes()
    for number in 1...5 {
      let (source, output) = ("in/\(number).wav", "out/\(number).mp3")
      let shown = notes.take(
        [
          "rawaudio: \(number),5 samples, of \(number * 10), clipped in '\(output)'; lower the gain\n",
          "rawaudio: '\(source)' is s\(number % 2)\n", "rawaudio: '\(source)' is s\(number % 2)\n",
        ], of: [source, output])
      #expect(shown.count == (number <= 3 ? 3 : 2))
    }
    #expect(notes.counted == ["2 more files: N samples, of N, clipped in '...'; lower the gain"])
  }

  /// The first three notes of a kind are printed, the others counted; -v prints each.
  @Test func aBatch() throws {
    let inputs = try makeInputs(9)
    for input in inputs.dropLast() {
      try directory.write(Array(directory.bytes(input).prefix(2_044)), input)
    }
    func note(_ input: String) throws -> String {
      let claimed = try #require(inputs.firstIndex(of: input)) + 4_410
      return
        "rawaudio: '\(input)' is truncated: it holds 1000 of the \(claimed) samples per channel that its header claims\n"
    }
    let words = ["convert"] + inputs + ["-j", "1", "-o", "out/{stem}.wav", "--force"]
    let rest =
      "rawaudio: 5 more files: '...' is truncated: it holds N of the N samples per channel that its header claims\n"
    let folded = try inputs.prefix(3).map(note).joined() + rest
    for (options, expected, code) in [
      ([], folded, 0 as Int32), (["--fail-on", "truncated"], folded, 2),
      (["-q", "--fail-on", "truncated"], folded, 2), (["-q"], "", 0),
    ] {
      let results = "r\(options.count).jsonl"
      let run = try directory.run(words + options + ["--results", results])
      #expect(run.standardError == expected)
      #expect(run.ending == .exit(code))
      #expect(try lines(results).count { $0["truncated"] as? Bool == true } == 8)
    }
    let all = try directory.run(words + ["-v"]).standardError
    for input in inputs.dropLast() { #expect(try all.contains(note(input))) }
    #expect(!all.contains("more files"))
    let measured = try directory.run(["measure"] + inputs).standardError
    let short = "is truncated: it ends after"
    #expect(
      measured
        == inputs.prefix(3).map { "rawaudio: '\($0)' \(short) 1000 samples per channel\n" }.joined()
        + "rawaudio: 5 more files: '...' \(short) N samples per channel\n")
  }

  /// Failures are folded as notes are, also with -q; -v and the results have each.
  @Test func failures() throws {
    let names = (1...5).map { "n\($0).wav" }
    func lines(_ names: some Sequence<String>) -> String {
      names.map { "rawaudio: cannot open '\($0)': no such file\n" }.joined()
    }
    let rest = "rawaudio: 2 more files: cannot open '...': no such file\n"
    for (options, expected) in [
      ([], lines(names.prefix(3)) + rest + "rawaudio: 0 done, 5 failed\n"),
      (["-q"], lines(names.prefix(3)) + rest),
      (["-v"], lines(names) + "rawaudio: 0 done, 5 failed\n"),
    ] {
      let results = "r\(options.count)\(options.first ?? "").jsonl"
      let run = try directory.run(
        ["convert", "-j", "1"] + names + ["-o", "out/{stem}.flac", "--results", results] + options)
      #expect(run.standardError == expected)
      #expect(run.ending == .exit(1))
      #expect(try self.lines(results).count == 5)
    }
    for command in ["info", "measure"] {
      let run = try directory.run([command] + names)
      #expect(run.standardError == lines(names.prefix(3)) + rest)
      #expect(run.ending == .exit(1))
    }
  }
}
