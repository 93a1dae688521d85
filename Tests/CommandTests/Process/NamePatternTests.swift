// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// One language of names: fields, numbers and times mean one thing in every option, with one source or many.
@Suite struct NamePatternTests: ManyFiles {
  let directory = TemporaryDirectory()

  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline("TZ=UTC rawaudio \(line)")
  }

  /// The files that a line writes, besides its sources.
  private func files(_ line: String) throws -> [String] {
    let before = Set(all)
    let run = try run(line)
    #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
    return all.filter { !before.contains($0) }
  }

  private var all: [String] {
    let found = FileManager.default.enumerator(atPath: directory.url.path)?.allObjects
    return (found as? [String] ?? []).filter { !isFolder($0) }.sorted()
  }

  private func isFolder(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    _ = unsafe FileManager.default.fileExists(
      atPath: directory.file(name).path, isDirectory: &isFolder)
    return isFolder.boolValue
  }

  init() throws {
    for (index, name) in ["a", "b"].enumerated() {
      var noise = Noise(UInt64(index))
      try directory.write(
        WaveBytes.file(noise.samples(8_000, peak: 900), sampleRate: 8_000), "\(name).wav")
    }
    try directory.write(Array("0\t0.25\tx\n0.5\t0.75\ty\n".utf8), "t.txt")
  }

  @Test(arguments: [
    ("convert a.wav -o '1/{stem}.flac'", ["1/a.flac"]),
    ("convert a.wav b.wav -o '1/{stem}.flac'", ["1/a.flac", "1/b.flac"]),
    ("convert a.wav -o '1/%03d.flac'", ["1/000.flac"]),
    ("convert a.wav b.wav -o '1/{n}-%03d.flac'", ["1/1-000.flac", "1/2-001.flac"]),
    ("convert a.wav -o '{{{path}{n}}}.wav'", ["{1}.wav"]),
    ("convert tone:440 -d 1 -o '{n}.wav'", ["1.wav"]),
    // Without a field and a number a name stays as it is.
    ("convert a.wav -o '100%F%%.wav'", ["100%F%%.wav"]),
    ("convert a.wav -o '{{100%%}}.wav'", ["{100%}.wav"]),
    ("convert a.wav --segments t.txt -o '1/%02d{nn}{label}.wav'", ["1/0001x.wav", "1/0102y.wav"]),
    ("convert a.wav --split 0.5 -o '{stem}/%02d{{.wav'", ["a/00{.wav", "a/01{.wav"]),
    (
      "convert a.wav b.wav --split 0.5 -o '{n}/%02d{{.wav'",
      ["1/00{.wav", "1/01{.wav", "2/00{.wav", "2/01{.wav"]
    ),
    ("convert a.wav --split channels -o '{stem}/{channel}{{%%.wav'", ["a/1{%.wav"]),
    ("mix a.wav b.wav -o '1/{stem}+.wav'", ["1/a+.wav"]),
    ("mix a.wav b.wav -o '1/{stem}+.{ext}'", ["1/a+.wav"]),
    ("mix a.wav b.wav -t flac -o '1/{stem}+.{ext}'", ["1/a+.flac"]),
    ("concat b.wav a.wav -o '1/{stem}+.wav'", ["1/b+.wav"]),
    ("plot a.wav -o '1/{stem}-%02d.svg'", ["1/a-00.svg"]),
    ("plot a.wav b.wav -o '1/%02d.svg'", ["1/00.svg", "1/01.svg"]),
    (
      "session --remote g/x=a.wav --tracks '1/{source}.wav' --observe"
        + " 'before-mixing:tap={{{source}/%s-%02d.wav' --playback 's}}.wav'",
      ["1/g-x.wav", "s}.wav", "{g-x/g-x-00.wav"]
    ),
    ("convert a.wav -o null: --observe 'record:events={{.jsonl'", ["{.jsonl"]),
  ])
  func names(line: String, expected: [String]) throws {
    #expect(try files(line) == expected)
  }

  @Test(arguments: [
    (
      "convert a.wav -o '{x}.wav'",
      "'{x}' is no field; there are {path}, {stem}, {ext}, {id} and {n}"
    ),
    (
      "convert a.wav b.wav -o '{x}.wav'",
      "'{x}' is no field; there are {path}, {stem}, {ext}, {id} and {n}"
    ),
    (
      "convert a.wav --split marks -o '{x}.wav'",
      "there are {path}, {stem}, {ext}, {id}, {n} and {label}"
    ),
    ("convert a.wav --segments t.txt -o '{x}.wav'", "its columns are end, label, start"),
    ("convert a.wav --split 1 -o '{x}-%03d.wav'", "there are {path}, {stem}, {ext}, {id} and {n}"),
    ("convert a.wav --split channels -o '{x}{track}.wav'", "{id}, {n}, {channel} and {track}"),
    ("convert a.wav --split 1 -o '{nn}.wav'", "{n} counts sources; put %03d into it"),
    ("convert tone:440 -d 1 -o '{stem}.wav'", "it has no stem for '{stem}.wav'"),
    ("convert a.wav b.wav -o '%F.wav'", "Several sources cannot all go to '%F.wav'"),
    ("convert a.wav b.wav --split 1 -o '%03d.wav'", "Several sources cannot all go to '%03d.wav'"),
    ("mix a.wav -o '{x}.wav'", "there are {path}, {stem}, {ext}, {id} and {n}"),
    ("concat a.wav -o 'x}.wav'", "a closing brace stands alone; a brace itself is written twice"),
    ("plot a.wav -o '{x}.png'", "there are {path}, {stem}, {ext}, {id} and {n}"),
    ("capture -d 1 -o '{x}.wav'", "'{x}' is no field, and there is none here"),
    (
      "session --remote a.wav --playback '{source}.wav'",
      "'{source}' is no field, and there is none"
    ),
    ("session --remote a.wav --tracks '{source}{x}.wav'", "'{x}' is no field; there is {source};"),
    (
      "convert a.wav -o null: --tag 'TITLE={x}'",
      "'{x}' is no field; there are {path}, {stem}, {ext}, {id}"
    ),
  ])
  func refusals(line: String, message: String) throws {
    let before = all
    let run = try run(line)
    #expect(run.ending == .exit(64), "\(line): \(run.standardError)")
    #expect(run.standardError.contains(message), "\(run.standardError)")
    #expect(all == before)
  }

  /// JSON and other texts with braces stay as they are.
  @Test func textsWithBraces() throws {
    let text = #"{"a":{"b":1}} {1}"#
    try run("convert a.wav -o o.flac --tag 'COMMENT=\(text)' --tag 'TITLE={stem} {{a}} 5%'")
      .requireSuccess()
    let facts = try run("info o.flac").outputText
    #expect(facts.contains(text) && facts.contains("a {a} 5%"), "\(facts)")
  }

  /// The times of names are those of the recording, also if only its name states it.
  @Test func timesOfTheRecording() throws {
    let name = "site_20260502_035959"
    try directory.write(try directory.bytes("a.wav"), "\(name).wav")
    #expect(
      try files("convert \(name).wav --start 0.5 --split 0.25 -o '%F_%H%M%S_%02d.wav'") == [
        "2026-05-02_035959_00.wav", "2026-05-02_035959_01.wav",
      ])
    #expect(try files("concat a.wav a.wav -o \(name)_2.wav") == ["\(name)_2.wav"])
    #expect(
      try files("convert \(name)_2.wav --split hour -o '%H.wav'") == ["03.wav", "04.wav"])
    #expect(
      try files("convert \(name).wav -o '{stem}/%F.wav'") == ["\(name)/2026-05-02.wav"])
    #expect(
      try files("convert \(name).wav \(name)_2.wav --start 0.99 -o '1/{n}%H%M%S.wav'") == [
        "1/1035959.wav", "1/2035959.wav",
      ])
    #expect(
      try files("convert \(name).wav --segments t.txt --utc -o '1/{label}%H%M%S.wav'") == [
        "1/x035959.wav", "1/y035959.wav",
      ])
    #expect(try files("plot \(name).wav -o '1/{n}%F.svg'") == ["1/12026-05-02.svg"])
  }

  /// A table of parts has the time of a name, with files and without them.
  @Test(arguments: ["'%02d.wav'", "null:"])
  func timesInTables(output: String) throws {
    let name = "site_20260502_035959.wav"
    try directory.write(try directory.bytes("a.wav"), name)
    try run("convert \(name) --start 0.25 --split 0.25,quiet=0.1 -o \(output) --labels p.jsonl")
      .requireSuccess()
    let levels = try run("convert \(name) --start 0.25 -o null: --observe record:levels").outputText
    #expect(levels.isEmpty)
    let times = try lines("p.jsonl").map { $0["time"] as? String }
    #expect(times.first == "2026-05-02T03:59:59.250+00:00")
    #expect(!times.contains(nil))
  }

  /// A clock that stands in a file goes before one in its name, and a zone of the name counts for it.
  @Test func theFileComesFirst() throws {
    let name = "y_20260502_035959+0200.flac"
    try run(
      "convert a.wav --tag ORIGINATION_DATE=2026-01-02 --tag ORIGINATION_TIME=03:04:05 -o \(name)"
    ).requireSuccess()
    #expect(
      try files("convert \(name) --split 9 -o '%F_%H%M%S-%02d.wav'") == [
        "2026-01-02_010405-00.wav"
      ])
  }
}
