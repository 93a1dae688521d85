// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioStreams
import Testing

@testable import rawaudio

@Suite struct OutputPatternTests {
  private func output(
    _ pattern: String, of source: String, id: String? = nil, number: Int = 3, below shared: Int = 0
  ) throws -> String {
    var file = ListedFile(source, number: number)
    file.id = id
    return try file.output(by: OutputPattern(pattern), below: shared)
  }

  @Test(arguments: [
    ("{stem}.wav", "a.flac", "a.wav"), ("{stem}.wav", "in/b/a.flac", "a.wav"),
    ("o/{path}/{stem}.wav", "in/b/a.flac", "o/in/b/a.wav"),
    ("o/{path}/{stem}.wav", "./in//b/./a.b.flac", "o/in/b/a.b.wav"),
    ("o/{path}/{stem}.wav", "a.flac", "o/a.wav"), ("{path}/{stem}.wav", "a", "a.wav"),
    ("{path}/{stem}.wav", "b/.a", "b/.a.wav"), ("o/{n}-{stem}.wav", "a.wav", "o/3-a.wav"),
    ("{{{stem}}}.wav", "a.wav", "{a}.wav"), ("o/x{path}y/{n}", "a", "o/xy/3"),
    ("../o/{stem}.wav", "a.wav", "../o/a.wav"), ("/tmp/{path}/{stem}", "b/a.wav", "/tmp/b/a"),
    ("{stem}.wav", "..wav", "..wav"), ("o/{stem}", "x..", "o/x."),
    ("o/{path}.wav", "b/c/a.flac", "o/b/c/a.wav"), ("{path}.{ext}", "a.FLAC", "a.FLAC"),
    ("o/{path}", "b/a.wav", "o/b/a"), ("o/{path}-{n}.wav", "b/a.wav", "o/b-3.wav"),
    ("o/{path}-%03d.wav", "b/a.wav", "o/b-002.wav"), ("{path}x/{stem}", "b/a.wav", "bx/a"),
    ("{stem}.{ext}", "b.c/a.b.wav", "a.b.wav"),
  ])
  func names(pattern: String, source: String, expected: String) throws {
    #expect(try output(pattern, of: source) == expected)
  }

  /// Texts of a list or a table are made safe.
  @Test(arguments: [
    ("o/{label}.wav", "a dog", "o/a dog.wav"),
    ("o/{Label}-{nnn}.wav", "a/b\n../c", "o/a_b_.._c-003.wav"),
    ("{label}", "a/\u{301}b", "a_b"), ("{label}", ".\u{301}x", "_x"), ("{label}", "..", "_."),
    ("{label}", "", "_"), ("{label}", ".x", "_x"),
    ("{label}", String(repeating: "\u{E9}", count: 200), String(repeating: "\u{E9}", count: 60)),
  ])
  func texts(pattern: String, text: String, expected: String) throws {
    var file = ListedFile("a.wav", number: 3)
    file.texts = ["label": text]
    #expect(try file.output(by: OutputPattern(pattern, fields: nil)) == expected)
    #expect(throws: InvalidValue.self) { try OutputPattern(pattern) }
  }

  /// A number counts files from 0, a field of the source from 1.
  @Test func numbersAndTimes() throws {
    let file = ListedFile("50%/a.wav", number: 3)
    let pattern = try OutputPattern("o/{path}/%03d-{nn}-%F{{%%}}.wav")
    #expect(
      try file.output(by: pattern, in: .utc, at: { 86_400 }) == "o/50%/002-03-1970-01-02{%}.wav")
    let parts = try file.output(by: pattern, namesParts: true)
    #expect(parts == "o/50%%/%03d-03-%F{{%%}}.wav")
    #expect(
      try PartNames(parts, in: .utc).path(number: 7, time: 0) == "o/50%/007-03-1970-01-01{%}.wav")
  }

  @Test func theFoldersThatAllShareDoNotCount() throws {
    let sources = ["/data/in/a/x.wav", "/data/in/b/c/y.wav", "/data//in/./z.wav"]
    let shared = ListedFile.sharedFolders(of: sources)
    let outputs = try sources.map { try output("o/{path}/{stem}", of: $0, below: shared) }
    #expect(outputs == ["o/a/x", "o/b/c/y", "o/z"])
    #expect(ListedFile.sharedFolders(of: ["a/x", "/a/x"]) == 0)
    #expect(ListedFile.sharedFolders(of: ["ab/x", "a/x"]) == 0)
    #expect(ListedFile.sharedFolders(of: ["a/b/x", "a/b"]) == 1)
  }

  @Test func aNameOfTheListMayHaveFolders() throws {
    #expect(try output("o/{id}.wav", of: "a.wav", id: "s1/u/7") == "o/s1/u/7.wav")
  }

  /// A list's author cannot choose files outside the folder.
  @Test(arguments: [
    ("o/{path}/{stem}.wav", "../a.wav", nil), ("o/{path}/{stem}.wav", "b/../../a.wav", nil),
    ("o/{path}/{stem}.wav", "/b/a.wav", nil), ("{path}/{stem}.wav", "/b/a.wav", nil),
    ("{path}/{stem}.wav", "../a.wav", nil), ("o/{id}.wav", "a.wav", "../../etc/passwd"),
    ("{id}", "a.wav", "/etc/passwd"), ("o/{stem}/x.wav", "...wav", nil),
    ("o.{id}", "a.wav", "./../x"), ("o/{id}", "a.wav", "x/../\u{301}x"),
    ("../o/{path}/{stem}", "../a.wav", nil),
  ])
  func outside(pattern: String, source: String, id: String?) {
    #expect(throws: AudioError.self) { try output(pattern, of: source, id: id) }
  }

  @Test func whatTheListDoesNotSay() throws {
    let error = try #require(throws: AudioError.self) { try output("{id}.wav", of: "a.wav") }
    #expect("\(error)" == "cannot convert 'a.wav': it has no id for '{id}.wav'")
  }

  @Test(arguments: [
    "{name}.wav":
      "'{name}' is no field; there are {path}, {stem}, {ext}, {id} and {n}; a brace itself is written twice",
    "{}":
      "'{}' is no field; there are {path}, {stem}, {ext}, {id} and {n}; a brace itself is written twice",
    "a{stem": "a brace is not closed; a brace itself is written twice",
    "a}.wav": "a closing brace stands alone; a brace itself is written twice",
    "{stem}-50%.wav":
      "'%.' means nothing; write %03d for the part's number, %F or %H%M%S for the time, %% for a percent sign",
  ])
  func mistakes(pattern: String, reason: String) {
    let error = #expect(throws: InvalidValue.self) { try OutputPattern(pattern) }
    #expect(error?.reason == reason)
  }

  /// Names are bytes.
  @Test func aNameThatIsNoText() throws {
    let source = Pathname(bytes: [0x64, 0xFF, 0x2F, 0xFE, 0x2E, 0x77]).text
    let name = try output("o/{path}/{stem}.wav", of: source)
    #expect(Pathname(name).bytes == Array("o/d".utf8) + [0xFF, 0x2F, 0xFE] + Array(".wav".utf8))
  }
}
