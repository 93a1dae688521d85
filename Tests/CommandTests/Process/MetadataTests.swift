// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Metadata of files: kept, set, removed, or named as lost.
@Suite struct MetadataTests {
  private static let lost =
    "rawaudio: 'out.au' does not carry tags TITLE, ARTIST, mark (au has no place for it),"
    + " 'iXML' chunk (only WAV files have it)\n"

  private func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  /// Returns a directory with a WAV file: a title in Windows-1252, an artist, a mark, and a chunk only for WAV.
  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    let info = chunk("INAM", [0xDC, 0x62, 0]) + chunk("IART", Array("Ann\0".utf8))
    var cue = number(1, 4) + number(1, 4) + number(100, 4) + Array("data".utf8)
    cue += number(0, 8) + number(100, 4)
    let more =
      chunk("LIST", Array("INFO".utf8) + info) + chunk("iXML", Array("<x/>".utf8))
      + chunk("cue ", cue)
    var file = WaveBytes.file([UInt8](repeating: 0, count: 2_000), channelCount: 1) + more
    file.replaceSubrange(4..<8, with: number(file.count - 8, 4))
    try directory.write(file, "in.wav")
    return directory
  }

  private func texts(_ path: String, in directory: TemporaryDirectory) throws -> [String: String] {
    let run = try directory.pipeline("rawaudio info --json \(path)")
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let object = try #require((read as? [[String: Any]])?.first)
    return try #require(object["metadata"] as? [String: String])
  }

  @Test(arguments: [
    ("", lost, 0), ("-q", "", 0), ("--fail-on metadata", lost, 2),
    ("-q --fail-on metadata", lost, 2),
    ("--fail-on clip,truncated", lost, 0), ("--strip --fail-on metadata", "", 0),
  ])
  func whatIsLostIsNamed(_ options: String, _ note: String, _ code: Int32) throws {
    let directory = try directory()
    let run = try directory.pipeline("rawaudio convert in.wav -o out.au \(options)")
    #expect(run.standardError == note)
    #expect(run.ending == .exit(code))
  }

  @Test func whatIsKeptIsNotNamed() throws {
    let directory = try directory()
    try directory.pipeline("rawaudio convert in.wav -o out.wav --fail-on metadata").expectExit(0)
    #expect(try texts("out.wav", in: directory) == ["title": "Üb", "artist": "Ann"])
    // A mix of one file is a copy, too.
    let mix = try directory.pipeline("rawaudio mix in.wav -o mix.wav")
    #expect(mix.standardError == "")
    #expect(try texts("mix.wav", in: directory) == ["title": "Üb", "artist": "Ann"])
  }

  @Test func textsAreSetAndRemoved() throws {
    let directory = try directory()
    let run = try directory.pipeline(
      "rawaudio convert in.wav -o out.wav --tag title=Dawn --tag ARTIST= --tag COMMENT='a b'")
    #expect(run.standardError == "")
    #expect(try texts("out.wav", in: directory) == ["title": "Dawn", "comment": "a b"])
    let copied = try directory.pipeline(
      "rawaudio convert tone:440 -d 1 -o tone.wav --tags-from out.wav --tag ARTIST=Ben")
    #expect(copied.standardError == "")
    #expect(
      try texts("tone.wav", in: directory)
        == ["title": "Dawn", "comment": "a b", "artist": "Ben"])
    let bare = try directory.pipeline("rawaudio convert in.wav -o bare.wav --strip --tag TITLE=x")
    #expect(bare.standardError == "")
    #expect(try texts("bare.wav", in: directory) == ["title": "x"])
    let bytes = try directory.bytes("bare.wav")
    #expect(Data(bytes).range(of: Data("iXML".utf8)) == nil)
  }

  @Test(arguments: ["TITLE", "=x", "a\u{301}=x", ""])
  func textsWithoutAName(_ text: String) throws {
    let run = try runCommand("convert", "in.wav", "-o", "out.wav", "--tag", text)
    #expect(run.ending == .exit(64))
    #expect(
      run.standardError.hasPrefix(
        "Error: The value '\(text)' is invalid for '--tag <key=value>': it must be KEY=VALUE"))
  }

  /// A joined file has its own texts, and a headerless one has none.
  @Test func tagsWithoutASource() throws {
    let directory = try directory()
    try directory.mustRun(
      "rawaudio concat in.wav in.wav -o out.wav -q --tag TITLE=Both")
    #expect(try texts("out.wav", in: directory) == ["title": "Both", "artist": "Ann"])
    let raw = try directory.pipeline("rawaudio convert in.wav -o out.raw --tag TITLE=x")
    raw.expectExit(1, "cannot write tags to 'out.raw': a file without a header has none")
    #expect(!FileManager.default.fileExists(atPath: directory.url.appending(path: "out.raw").path))
    try directory.mustRun("rawaudio convert in.wav -o out.raw --tag TITLE=")
  }

  /// From a pipe, the usual texts that libsndfile reads are copied.
  @Test func textsFromAPipe() throws {
    let directory = try directory()
    let run = try directory.pipeline(
      """
      rawaudio convert in.wav -q --tag TITLE=Dawn --tag TRACKNUMBER=3 -o a.ogg
      rawaudio convert - -o b.flac -q < <(cat a.ogg)
      metaflac --export-tags-to=- b.flac
      """)
    #expect(run.ending == .exit(0))
    #expect(
      run.outputText.split(separator: "\n").sorted() == [
        "ARTIST=Ann", "TITLE=Dawn", "TRACKNUMBER=3",
      ])
  }

  @Test func resultsNameWhatIsLost() throws {
    let directory = try directory()
    let run = try directory.pipeline(
      "rawaudio convert in.wav -o out.au --jobs 1 --results - -q --fail-on metadata")
    #expect(run.ending == .exit(2))
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let lost = try #require((read as? [String: Any])?["lostMetadata"] as? [[String: String]])
    #expect(lost.map { $0["name"] } == ["tags TITLE, ARTIST", "mark", "'iXML' chunk"])
    #expect(lost.last?["reason"] == "only WAV files have it")
  }

  /// All metadata, with control characters escaped.
  @Test func infoShowsEverything() throws {
    let directory = try directory()
    var file = try directory.bytes("in.wav")
    var origin = Array("Rain\u{1B}[2J".utf8) + [UInt8](repeating: 0, count: 248)
    origin += Array("Ann".utf8) + [UInt8](repeating: 0, count: 29 + 32)
    origin += Array("2024-05-0607:08:09".utf8) + number(48_000 * 60, 8) + number(1, 2)
    origin += [UInt8](repeating: 0, count: 602 - origin.count) + Array("A=PCM\r\nA=x\r\n".utf8)
    let list = chunk("ICMT", Array("c\0".utf8)) + chunk("IKEY", Array("k\u{7}\0".utf8))
    file += chunk("bext", origin) + chunk("LIST", Array("INFO".utf8) + list)
    try directory.write(file, "in.wav")
    let run = try directory.pipeline("rawaudio info in.wav")
    #expect(run.standardError == "")
    let lines = run.outputText.split(separator: "\n").dropFirst(7).map { String($0) }
    #expect(
      lines == [
        "title:        Üb", "artist:       Ann", "comment:      c", "KEYWORDS:     k\\u{7}",
        "description:  Rain\\u{1B}[2J", "originator:   Ann", "recorded:     2024-05-06 07:08:09",
        "begins at:    0:01:00.000 (sample 2880000 of the day)", "history:      A=PCM",
        "history:      A=x", "mark:         0:00:00.002",
        "pieces:       LIST (28), iXML (4), cue  (28), bext (614), LIST (26)",
      ])
    let json = try directory.pipeline("rawaudio info --json in.wav")
    let read = try JSONSerialization.jsonObject(with: Data(json.standardOutput))
    let object = try #require((read as? [[String: Any]])?.first?["carried"] as? [String: Any])
    #expect((object["tags"] as? [String: [String]])?["KEYWORDS"] == ["k\u{7}"])
    let told = try #require(object["origin"] as? [String: Any])
    #expect(told["timeReference"] as? Int == 2_880_000)
    #expect((object["marks"] as? [[String: Any]])?.first?["position"] as? Int == 100)
    #expect((object["pieces"] as? [[String: Any]])?.count == 5)
  }
}
