// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Names and files that an attacker left in the folders of a run.
@Suite struct AttackerFileTests {
  let directory = TemporaryDirectory()
  private let victim = Array("keep\n".utf8)

  init() throws {
    _ = try directory.writeSounds(2)
    unsafe mkdir(directory.file("out").path, 0o755)
    try directory.write(victim, "victim")
  }

  /// What stands at the name of an output.
  enum Planted: CaseIterable {
    case pipe, device, link, dangling

    var reason: String { self == .pipe ? "it is a named pipe" : "it is a symbolic link" }
  }

  private func plant(_ kind: Planted, _ name: String) {
    let path = directory.file(name).path
    switch kind {
    case .pipe: #expect(unsafe mkfifo(path, 0o600) == 0)
    case .device: #expect(unsafe symlink("/dev/null", path) == 0)
    case .link: #expect(unsafe symlink(directory.file("victim").path, path) == 0)
    case .dangling: #expect(unsafe symlink(directory.file("new").path, path) == 0)
    }
  }

  /// Runs with the system's own ALSA devices, in universal time.
  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline(
      "rawaudio \(line)", environment: ["ALSA_CONFIG_PATH": "", "TZ": "UTC"])
  }

  static let generating: [(line: String, name: String)] = [
    ("convert in/00.wav in/01.wav -o 'out/{stem}.wav'", "00.wav"),
    ("convert in/00.wav in/01.wav -o 'out/{stem}.wav' --existing replace", "00.wav"),
    ("convert in/00.wav in/01.wav -o 'out/{stem}.m4a' --existing replace", "00.m4a"),
    ("convert --list list --existing replace", "listed.wav"),
    ("convert in/00.wav --segments table.csv -o 'out/{id}.wav' --existing replace", "x.wav"),
    ("convert in/00.wav --split 0.05 -o 'out/%03d.wav' --force", "000.wav"),
    ("convert in/00.wav -c 2 --split channels -o 'out/{channel}.wav' --force", "1.wav"),
    ("plot in/00.wav in/01.wav -o 'out/{stem}.svg' --existing replace", "00.svg"),
    ("plot in/00.wav in/01.wav -o 'out/{stem}.dat' --existing replace", "00.dat"),
    (
      "mix in/00.wav in/01.wav -o m.wav --observe before-mixing:tap=out/%s.wav --force", "1.wav"
    ),
    (
      "play in/00.wav -D null --observe before-mixing,append=yes:tap=out/%s.raw", "1.raw"
    ),
    (
      "session --local alsa:null --remote in/00.wav -d 0.1 --tracks 'out/{source}.wav' --force",
      "1.wav"
    ),
    ("plot in/00.wav -o 'out/{stem}.svg' --force", "00.svg"),
    ("convert in/00.wav -o 'out/{stem}.wav' --force", "00.wav"),
    ("convert in/00.wav --split 0.05 -o 'p%02d.wav' --labels 'out/%Z.csv' --force", "UTC.csv"),
    ("convert in/00.wav -o r.wav --observe 'record:events=out/%Z.jsonl' --force", "UTC.jsonl"),
    ("capture -D null -d 0.1 -o r.wav --log 'out/%Z.jsonl'", "UTC.jsonl"),
    ("capture -D null -d 0.1 --split 1 -o 'out/%Z.wav' --force", "UTC.wav"),
  ]

  @Test(arguments: generating, Planted.allCases)
  func aGeneratedNameIsThatOfARegularFile(_ run: (line: String, name: String), _ kind: Planted)
    throws
  {
    try directory.write(
      Array(#"{"source":"in/00.wav","output":"out/listed.wav"}"#.utf8), "list")
    try directory.write(Array("id,start,end\nx,0,0.05\n".utf8), "table.csv")
    plant(kind, "out/\(run.name)")
    let result = try self.run(run.line)
    #expect(result.ending == .exit(1), "\(result.standardError)")
    // A link to a regular file is an output that exists.
    let exists = kind == .link && run.line.hasSuffix("'out/{stem}.wav'")
    let reason =
      exists
      ? "it already exists; use --existing skip or --existing replace"
      : "\(kind.reason), and names that are not typed are those of regular files; remove it, or write"
        + " to another folder"
    #expect(
      result.standardError.contains("cannot write to 'out/\(run.name)': \(reason)\n"),
      "\(result.standardError)")
    #expect(try directory.bytes("victim") == victim)
    #expect(!directory.names.contains("new"))
    var status = stat()
    #expect(unsafe lstat(directory.file("out/\(run.name)").path, &status) == 0)
    #expect(status.st_mode & S_IFMT == (kind == .pipe ? S_IFIFO : S_IFLNK))
  }

  /// A name that the user typed may be a pipe or a device.
  @Test func aTypedNameMayBeAnything() throws {
    plant(.device, "out/null.wav")
    plant(.link, "out/link.wav")
    try run("convert in/00.wav -o out/null.wav").requireSuccess()
    try run("convert in/00.wav -o out/link.wav --force").requireSuccess()
    #expect(try directory.bytes("victim").count > 1_000)
  }

  /// A folder that is a link is followed if the user typed it, and not behind a field.
  @Test(arguments: [
    ("convert in/a/00.wav in/b/01.wav -o 'LINK/{path}/{stem}.wav'", "a"),
    ("convert in/a/00.wav --split 0.05 -o 'LINK/%03d/x.wav'", "000"),
    ("convert --list list", ""),
    ("plot in/a/00.wav in/b/01.wav -o 'LINK/{path}/{stem}.svg'", "a"),
  ])
  func linkedFolders(_ line: String, _ name: String) throws {
    for (folder, sound) in [("a", "00.wav"), ("b", "01.wav")] {
      unsafe mkdir(directory.file("in/\(folder)").path, 0o755)
      try FileManager.default.moveItem(
        at: directory.file("in/\(sound)"), to: directory.file("in/\(folder)/\(sound)"))
    }
    try directory.write(
      Array(#"{"source":"in/a/00.wav","output":"LINK/listed.wav"}"#.utf8), "list")
    unsafe mkdir(directory.file("elsewhere").path, 0o755)
    #expect(unsafe symlink("out", directory.file("LINK").path) == 0)
    if !name.isEmpty {
      try run(line).requireSuccess()
      try FileManager.default.removeItem(at: directory.file("out/\(name)"))
      #expect(unsafe symlink("../elsewhere", directory.file("out/\(name)").path) == 0)
    }
    let folder = name.isEmpty ? "LINK" : "LINK/\(name)"
    let result = try run(line + (line.contains("--split") ? "" : " --existing replace"))
    #expect(result.ending == .exit(1), "\(result.standardError)")
    #expect(
      result.standardError.contains(
        "cannot write into '\(folder)': it is a symbolic link, and such folders are followed only if"
          + " they are typed"), "\(result.standardError)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.file("elsewhere").path) == [])
  }

  @Test(arguments: [true, false])
  func metricsReplaceOnlyMetrics(_ isOwn: Bool) throws {
    let text = isOwn ? "# HELP rawaudio_running x\n" : "keep\n"
    try directory.write(Array(text.utf8), "m")
    var result = try run("capture -D none -d 0.1 -o r.wav --metrics m")
    #expect(result.ending == .exit(1))
    #expect(try directory.bytes("m") == Array(text.utf8))
    result = try run("capture -D null -d 0.1 -o r.wav --metrics m -q")
    #expect(result.ending == .exit(isOwn ? 0 : 1))
    #expect(
      result.standardError
        == (isOwn
          ? ""
          : "rawaudio: cannot replace 'm': it is no file of metrics; give another file to --metrics\n")
    )
    let isKept = try directory.bytes("m") == Array(text.utf8)
    #expect(isKept == !isOwn)
    #expect(directory.names.contains("r.wav") == isOwn)
  }

  @Test func metricsAreARegularFile() throws {
    plant(.pipe, "m")
    try run("capture -D null -d 0.1 -o r.wav --metrics m").expectExit(
      1, "cannot replace 'm': it is no file of metrics; give another file to --metrics")
  }

  /// A table may name itself, the results and other sources as outputs.
  @Test(arguments: [
    ("t.csv", "cannot write to 't.csv': it is an input, too; write to another file"),
    ("r.jsonl", "cannot write to 'r.jsonl': it is another output, too; give each output its own"),
    (
      "in/01.wav",
      "cannot replace 'in/01.wav': it is the source of item 2, too; write to other files"
    ),
  ])
  func aTableNamesNoFileOfTheRun(_ output: String, _ message: String) throws {
    let table = "source,start,end,output\nin/00.wav,0,0.05,\(output)\nin/01.wav,0,0.05,ok.wav\n"
    try directory.write(Array(table.utf8), "t.csv")
    let sound = try directory.bytes("in/01.wav")
    let result = try run(
      "convert --segments t.csv --existing replace -t wav --results r.jsonl")
    #expect(result.ending == .exit(1))
    #expect(result.standardError.contains("rawaudio: \(message)\n"), "\(result.standardError)")
    #expect(try directory.bytes("t.csv") == Array(table.utf8))
    #expect(try directory.bytes("in/01.wav") == sound)
    #expect(try directory.bytes("r.jsonl").starts(with: Array(#"{"schema""#.utf8)))
    #expect(directory.names.contains("ok.wav"))
  }

  /// A table names files: `-` is one of that name, and a pipe cannot be cut.
  @Test func sourcesOfTablesAreFiles() throws {
    plant(.pipe, "pipe.wav")
    try directory.write(
      Array("source,start,end,output\n-,0,0.05,a.wav\npipe.wav,0,0.05,b.wav\n".utf8), "t.csv")
    let result = try run("convert --segments t.csv < in/00.wav")
    #expect(result.ending == .exit(1))
    #expect(
      result.standardError.split(separator: "\n").sorted() == [
        "rawaudio: 0 done, 2 failed",
        "rawaudio: cannot cut pieces of 'pipe.wav': it is no regular file; store it in one first",
        "rawaudio: cannot open './-': no such file",
      ])
  }

  /// Nothing is appended to an input, not even the line that says so.
  @Test(arguments: [
    "info --json a.wav >> a.wav", "info in/00.wav a.wav >> a.wav", "measure a.wav >> a.wav",
    "measure - < a.wav >> a.wav", "measure --results - a.wav -q >> a.wav",
    "plot a.wav --terminal >> a.wav", "plot a.wav -t svg >> a.wav",
    "convert a.wav in/00.wav -o 'out/{stem}.wav' --results - >> a.wav",
    "convert a.wav -o out/a.wav 2>> a.wav", "mix in/00.wav a.wav -o out/a.wav 2>> a.wav",
    "info a.wav 1<> a.wav", "concat in/00.wav a.wav -o - >> a.wav",
    "convert in/00.wav -o o.flac --tags-from a.wav 2>> a.wav",
    "play a.wav -D null 2>> a.wav",
  ])
  func nothingIsAppendedToAnInput(_ line: String) throws {
    let sound = try directory.bytes("in/01.wav")
    try directory.write(sound, "a.wav")
    let result = try run(line)
    #expect(result.ending == .exit(1), "\(result.standardError)")
    #expect(try directory.bytes("a.wav") == sound)
    let isError = line.contains("2>>")
    let name = line.contains("measure - ") ? "standard input" : "a.wav"
    #expect(
      result.standardError
        == (isError
          ? ""
          : "rawaudio: cannot read '\(name)': it is the same file as 'standard output', an output; write"
            + " to another file\n"))
  }

  /// A pattern of the shell is written with `./`, which makes a path of every name.
  @Test func namesOfOptionsAreFilesBehindADot() throws {
    for name in ["--observe=record:exec=touch hit", "-o", "tone:440.wav", "alsa:x.wav"] {
      try FileManager.default.copyItem(
        at: directory.file("in/00.wav"), to: directory.file("in/\(name)"))
    }
    for words in ["./*", "-- *"] {
      let result = try directory.pipeline(
        "cd in && rawaudio convert -o '../out/{n}.wav' --existing replace \(words)")
      #expect(result.ending == .exit(0), "\(result.standardError)")
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file("in/hit").path))
  }

  /// A file that exists comes before a signal or a device of its name, and is told.
  @Test(arguments: ["tone:440", "alsa:x.wav", "null:", "rtp:a.sdp"])
  func aFileComesBeforeAnEnd(_ name: String) throws {
    let sound = try directory.bytes("in/00.wav")
    try directory.write(sound, name)
    let result = try run("convert \(name) -o out/x.wav")
    #expect(result.ending == .exit(0))
    #expect(
      result.standardError
        == "rawaudio: '\(name)' is the file of that name, which comes before any other source\n")
    #expect(WaveBytes.samples(try directory.bytes("out/x.wav")) == WaveBytes.samples(sound))
  }

  /// OWASP, "CSV Injection".
  @Test func noCellIsAFormula() throws {
    try FileManager.default.copyItem(
      at: directory.file("in/00.wav"), to: directory.file("=1+1.wav"))
    let result = try run(
      "convert ./=1+1.wav in/00.wav --split 0.05 -o '={stem}-%02d.wav' --labels l.csv -j 1")
    #expect(result.ending == .exit(0), "\(result.standardError)")
    let lines = String(decoding: try directory.bytes("l.csv"), as: UTF8.self)
      .split(separator: "\n")
    #expect(
      lines[1].hasPrefix("./=1+1.wav,0.000000000,0.050000000,0.000000000,'==1+1-00,./==1+1-00.wav"),
      "\(lines)")
  }

  @Test(arguments: [0o600, 0o640, 0o604] as [mode_t])
  func credentialsThatOthersMayReadAreTold(_ mode: mode_t) throws {
    try directory.write(Array("anna:s3cret\n".utf8), "login")
    unsafe chmod(directory.file("login").path, mode)
    let result = try run("capture -D rtsp://127.0.0.1:1/x --credentials login -d 1 -o x.wav")
    #expect(result.ending == .exit(1))
    let note = "others may read the password in 'login'; 'chmod 600' makes it yours alone"
    #expect(result.standardError.contains(note) == (mode != 0o600))
  }
}
