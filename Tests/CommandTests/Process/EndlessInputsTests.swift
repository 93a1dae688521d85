// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Inputs that never come, never end, or grow by their own results: a signal ends the first, an error the others.
@Suite struct EndlessInputsTests: ManyFiles {
  let directory = TemporaryDirectory()

  init() throws {
    _ = try makeInputs(2)
    #expect(unsafe mkfifo(directory.file("pipe").path, 0o600) == 0)
    try directory.write(Array("in/00.wav\npipe\nin/01.wav\n".utf8), "list")
  }

  private func start(_ words: [String]) throws -> RunningProcess {
    try directory.start(words)
  }

  /// The pipe never gets a writer. A list's workers take no signals: no call of theirs may wait for one.
  @Test(arguments: [
    "measure pipe", "measure in/00.wav pipe", "measure --list list", "measure --list pipe",
    "convert pipe -o a.wav", "convert --list list -o out/{stem}.wav",
    "convert --list list --force -o out/{stem}.wav", "convert --list pipe -o out/{stem}.wav",
    "convert --list pipe --force -o out/{stem}.wav", "convert in/00.wav --tags-from pipe -o a.wav",
    "convert in/00.wav in/01.wav --tags-from pipe -o out/{stem}.wav",
    "convert in/00.wav pipe --normalize -1 -o out/{stem}.wav",
    "convert in/00.wav --observe record:mix=pipe -o a.wav", "mix in/00.wav pipe -o a.wav",
    "concat in/00.wav pipe -o a.wav", "plot pipe -o a.png",
  ])
  func aNamedPipeWithoutAWriter(_ line: String) throws {
    for (signal, code) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
      let process = try start(line.split(separator: " ").map(String.init))
      #expect(process.awaitOpen(directory.file("pipe")))
      #expect(process.wait(sending: signal).ending == .exit(code))
      let left = try FileManager.default.subpathsOfDirectory(atPath: directory.url.path)
      #expect(!left.contains { $0.contains("partial") || $0.hasPrefix("a.") }, "\(left)")
      try? FileManager.default.removeItem(at: directory.file("out"))
    }
  }

  /// An empty line is no item, and the next line is not there yet.
  @Test func anEmptyLineInAPipe() throws {
    let process = try start(["measure", "--list", "pipe"])
    let writer = try FileHandle(forUpdating: directory.file("pipe"))
    try writer.write(contentsOf: Array("in/00.wav\n\n".utf8))
    #expect(process.awaitOpen(directory.file("pipe")))
    #expect(process.wait(sending: SIGINT).ending == .exit(130))
    try writer.close()
  }

  @Test(arguments: [
    ["measure"], ["info"], ["convert", "-o", "{n}.wav"], ["convert", "-o", "{n}.wav", "--force"],
  ])
  func aListOfZeros(_ command: [String]) throws {
    let advice = "entries end with line breaks, with zero bytes only with --null"
    for (flags, reason) in [
      ([], "an entry is longer than 1 MiB; \(advice)"),
      (["--null"], "1 MiB of it is empty entries"),
    ] {
      let run = try directory.run(command + ["--list", "/dev/zero"] + flags)
      run.expectExit(1, "cannot read the list '/dev/zero': \(reason)")
    }
  }

  /// Each result would be one more item.
  @Test(arguments: [
    ("measure --json-lines --list list >>list", "standard output"),
    ("info --json-lines --list - <list >>list", "standard output"),
    ("convert --list list --results - -o 'out/{stem}.wav' >>list", "standard output"),
    ("measure --list list 2>>list", "standard error"),
  ])
  func aListThatGetsWhatIsPrinted(_ command: String, _ stream: String) throws {
    try directory.write(Array("in/00.wav\nnone\n".utf8), "list")
    let run = try directory.pipeline("rawaudio \(command)")
    #expect(run.ending == .exit(1))
    let name = command.contains("--list -") ? "standard input" : "list"
    #expect(
      run.standardError
        == (stream == "standard error"
          ? ""
          : "rawaudio: cannot read '\(name)': it is the same file as '\(stream)', an output; write to"
            + " another file\n"))
    #expect(try directory.bytes("list") == Array("in/00.wav\nnone\n".utf8))
  }
}
