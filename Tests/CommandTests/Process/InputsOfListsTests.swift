// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A run harms none of its inputs unless an option asks for it.
@Suite struct InputsOfListsTests: ManyFiles {
  let directory = TemporaryDirectory()

  private func write(_ text: String, _ name: String) throws {
    try directory.write(Array(text.utf8), name)
  }

  /// Returns all files, by name.
  private func contents() throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory.url.path) {
      if let bytes = try? directory.bytes(name) { contents[name] = bytes }
    }
    return contents
  }

  // MARK: Results

  /// `--results *.raw b.raw`: the shell expands the first name for it.
  @Test(arguments: [
    ("in/00.wav", "it is a source, too"),
    ("link.wav", "it is the same file as 'in/00.wav'"),
    ("other.wav", "it holds something else than results"),
    ("list", "it holds something else than results"),
    ("empty.raw", "it is a source, too"),
    ("hard.raw", "it is the same file as 'empty.raw'"),
  ])
  func resultsThatAreAnInput(name: String, reason: String) throws {
    let inputs = try makeInputs(1)
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("link.wav").path, withDestinationPath: "in/00.wav")
    try write("in/00.wav\n", "list")
    try directory.write(try directory.bytes("in/00.wav"), "other.wav")
    try directory.write([], "empty.raw")
    try FileManager.default.linkItem(
      at: directory.file("empty.raw"), to: directory.file("hard.raw"))
    let before = try contents()
    for command in [["convert", "-o", "out/{stem}.wav"], ["measure"]] {
      let run = try directory.run(command + ["--results", name, "empty.raw"] + inputs)
      run.expectExit(
        1, "cannot write the results to '\(name)': \(reason); give another file to --results")
      #expect(try contents() == before)
    }
  }

  /// A list that receives its own results would never end.
  @Test(arguments: ["list", "link"])
  func resultsThatAreTheList(name: String) throws {
    _ = try makeInputs(1)
    try write("{\"schema\":1,\"source\":\"in/00.wav\"}\n", "list")
    try FileManager.default.linkItem(at: directory.file("list"), to: directory.file("link"))
    let before = try contents()
    let other = name == "list" ? "it is an input, too" : "it is the same file as 'list', an input"
    for command in [["convert", "-o", "out/{stem}.wav"], ["measure"]] {
      let run = try directory.run(command + ["--list", "list", "--results", name])
      run.expectExit(1, "cannot write to '\(name)': \(other); write to another file")
      #expect(try contents() == before)
    }
  }

  @Test func resultsAreGoneOnWith() throws {
    let inputs = try makeInputs(2)
    #expect(try run(inputs[0], "-o", "a.wav", "--results", "r").ending == .exit(0))
    // Killed in the middle of the line.
    try directory.write(Array(try directory.bytes("r").prefix(7)), "r")
    #expect(try run(inputs[1], "-o", "b.wav", "--results", "r").ending == .exit(0))
    let text = String(decoding: try directory.bytes("r"), as: UTF8.self)
    #expect(text.hasPrefix("{\"schem\n{\"schema\":1,\"source\":\"in/01.wav\""))
  }

  // MARK: Outputs

  private static func isSource(_ output: String, _ item: Int) -> String {
    "rawaudio: cannot replace '\(output)': it is the source of item \(item), too; write to other files\n"
  }

  /// `convert 2.wav 1.wav -o '{n}.wav' --force`: each source has no other copy.
  @Test(arguments: ["arguments", "list", "pipe"])
  func outputsThatSwap(origin: String) throws {
    let inputs = try makeInputs(2)
    try FileManager.default.moveItem(
      at: directory.file(inputs[0]), to: directory.file("1.wav"))
    try FileManager.default.moveItem(
      at: directory.file(inputs[1]), to: directory.file("2.wav"))
    try write("2.wav\n1.wav\n", "list")
    let before = try contents()
    let sources = ["arguments": "2.wav 1.wav", "list": "--list list", "pipe": "--list -"][origin]
    let run = try directory.pipeline(
      "cat list | rawaudio convert \(sources ?? "") -j 1 -r 8000 -o '{n}.wav' --force")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError
        == Self.isSource("1.wav", 2) + Self.isSource("2.wav", 1) + "rawaudio: 0 done, 2 failed\n")
    #expect(try contents() == before)
  }

  /// `--force` replaces a file in its own place, but not if another item needs a part of it.
  @Test func outputsInPlace() throws {
    let inputs = try makeInputs(3)
    let before = try contents()
    try write(
      """
      {"source":"in/00.wav","output":"in/00.wav"}
      {"source":"in/01.wav","output":"in/01.wav"}
      {"source":"./in/../in/01.wav","output":"part.wav","duration":0.01}
      {"source":"in/02.wav","output":"in/01.wav"}

      """, "list")
    let run = try run("--list", "list", "-j", "1", "-r", "8000", "--existing", "replace")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError
        == Self.isSource("in/01.wav", 3) + Self.isSource("in/01.wav", 2)
        + "rawaudio: 2 done, 2 failed\n")
    #expect(try directory.bytes(inputs[0]).count < #require(before[inputs[0]]).count)
    #expect(try directory.bytes(inputs[1]) == before[inputs[1]])
    #expect(try directory.bytes(inputs[2]) == before[inputs[2]])
    #expect(directory.names.contains("part.wav"))
  }

  /// An output that is the list, the results, or a file that every item needs.
  @Test func outputsInThePlaceOfWhatTheRunNeeds() throws {
    _ = try makeInputs(2)
    try write(
      """
      {"source":"in/00.wav","output":"list"}
      {"source":"in/00.wav","output":"results"}
      {"source":"in/00.wav","output":"in/01.wav"}
      {"source":"in/00.wav","output":"mixed.wav"}

      """, "list")
    try directory.write(try directory.bytes("in/01.wav"), "mixed.wav")
    let before = try contents()
    let run = try run(
      "--list", "list", "--results", "results", "--existing", "replace", "-j", "1", "-t", "wav",
      "--tags-from", "in/01.wav", "--observe", "record:mix=mixed.wav")
    #expect(run.ending == .exit(1))
    // Two are known before their items begin.
    #expect(
      run.standardError.split(separator: "\n").sorted() == [
        "rawaudio: 0 done, 4 failed",
        "rawaudio: cannot replace 'in/01.wav': every source needs 'in/01.wav'; write to other files",
        "rawaudio: cannot replace 'mixed.wav': every source needs 'mixed.wav'; write to other files",
        "rawaudio: cannot write to 'list': it is an input, too; write to another file",
        "rawaudio: cannot write to 'results': it is another output, too; give each output its own",
      ])
    for (name, bytes) in before { #expect(try directory.bytes(name) == bytes, "\(name)") }
    #expect(try lines("results").count == 4)
  }

  /// A picture is no sound: it never replaces an input, under any name.
  @Test(arguments: ["a.png", "link.png"])
  func pictures(output: String) throws {
    _ = try makeInputs(1)
    try directory.write(try directory.bytes("in/00.wav"), "a.png")
    try FileManager.default.linkItem(at: directory.file("a.png"), to: directory.file("link.png"))
    let before = try contents()
    let run = try directory.run("plot", "a.png", "-o", output, "--force")
    #expect(run.ending == .exit(1))
    let reason =
      output == "a.png" ? "it is an input, too" : "it is the same file as 'a.png', an input"
    run.expectMessages("cannot write to '\(output)': \(reason); write to another file")
    #expect(try contents() == before)
  }

  // MARK: Names

  /// Names in a list are always files.
  @Test func aFileCalledMinus() throws {
    _ = try makeInputs(1)
    try write("{\"source\":\"in/00.wav\",\"output\":\"-\"}\n", "list")
    let run = try run("--list", "list", "-t", "wav", "--results", "-")
    #expect(run.ending == .exit(0))
    #expect(
      run.outputText.hasPrefix(
        "{\"schema\":1,\"source\":\"in/00.wav\",\"id\":null,\"output\":\"./-\","))
    #expect(run.outputText.filter { $0 == "\n" }.count == 1)
    #expect(try samples("-") == samples("in/00.wav"))
    try directory.write(try directory.bytes("in/00.wav"), "in/-.wav")
    let pattern = try self.run(
      "in/-.wav", "in/00.wav", "-o", "{stem}", "-t", "raw", "--results", "r", "--force")
    #expect(pattern.ending == .exit(0))
    #expect(pattern.standardOutput.isEmpty)
  }

  /// Names that are no UTF-8, and names that look like their escapes: the name in JSON leads back to the file.
  @Test func namesComeBack() throws {
    let sound = WaveBytes.file((0..<100).map { Int16($0) }, sampleRate: 8_000)
    // The shell's spelling of the names.
    let names = [
      #"caf\xe9"#, #"caf\\xe9"#, #"a\\x5c"#, #"a\\\xe9"#, #"a\\x41"#, #"\xf4\x90\x80\x80"#,
      #"caf\xc3\xa9"#,
    ]
    try directory.write(sound, "sound")
    for name in names {
      _ = try directory.pipeline("cp sound \"$(printf '\(name)').wav\"")
    }
    try directory.mustRun(
      "rawaudio convert *.wav -o 'out/{stem}.wav' --results r && rawaudio info --json-lines *.wav > i"
    )
    let expected = [
      #"caf\xe9"#, #"caf\x5cxe9"#, #"a\x5cx5c"#, #"a\\xe9"#, #"a\x41"#, #"\xf4\x90\x80\x80"#,
      "caf\u{E9}",
    ]
    let sources = try lines("r").compactMap { $0["source"] as? String }
    #expect(Set(sources) == Set(expected.map { $0 + ".wav" }))
    #expect(try Set(lines("i").compactMap { $0["path"] as? String }) == Set(sources))
    // The results are a list again.
    try directory.mustRun(
      """
      jq -c '{source, output: ("again/" + .source)}' r > list
      rawaudio convert --list list && (cd again && ls | LC_ALL=C sort) > a && ls *.wav | LC_ALL=C sort | cmp - a
      """)
  }
}
