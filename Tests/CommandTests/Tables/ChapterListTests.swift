// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Foundation
import Testing

@testable import rawaudio

/// Lists of chapters, as people and programs write them.
@Suite struct ChapterListTests {
  /// Each chapter as `start[-end] label`, in milliseconds, and faults as `!line: reason`.
  private func chapters(_ text: String) throws -> [String] {
    try PieceTable(TableText(named: "t", Array(text.utf8))).entries.map { entry in
      switch entry {
      case .fault(let line, _, let reason): return "!\(line): \(reason)"
      case .row(let row):
        let end = if case .at(let time) = row.end { "-\(Self.text(time))" } else { "" }
        return "\(Self.text(row.start))\(end) \(row.texts["label"] ?? "")"
      }
    }
  }

  private static func text(_ time: TimePosition) -> String {
    guard case .time(let time) = time else { return "?" }
    let (seconds, rest) = time.components
    return "\(Double(seconds * 1_000) + Double(rest) / 1e15)"
  }

  private static let description = """
    Welcome to the show! Recorded at 16:9 in Rome.
    Find us at https://example.com

    CHAPTERS
    0:00 Intro
    1:02 – The second: part
    [02:03.5] Third
    (4:05) - Fourth | more
    • 10:00 Fifth
    6. 11:00 Sixth
    01:00:00.000 The end 12:30

    #show
    """

  @Test(arguments: [
    description, "\u{FEFF}" + description,
    description.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"),
  ])
  func linesOfADescription(text: String) throws {
    #expect(
      try chapters(text) == [
        "0.0 Intro", "62000.0 The second: part", "123500.0 Third", "245000.0 Fourth | more",
        "600000.0 Fifth", "660000.0 Sixth", "3600000.0 The end 12:30",
      ])
    let table = try PieceTable(TableText(named: "t", Array(text.utf8)))
    #expect(table.note == "4 lines of 't' passed over")
  }

  @Test(arguments: [
    "Tracklist:\n01. First Song (0:00)\nSecond - 3:20\nThird [1:00:01]\n":
      ["0.0 01. First Song", "200000.0 Second", "3601000.0 Third"],
    "00:00 - 01:30 One\n01:30–02:00 Two\n": ["0.0-90000.0 One", "90000.0-120000.0 Two"],
    "0:00\n0:10\n": ["0.0 ", "10000.0 "],
    "0:00 a\n0:10 b\n0:70 c\n": [
      "0.0 a", "10000.0 b", "!3: '0:70' is no time; '70' behind a colon must be below 60",
    ],
    // As mp4chaps writes them.
    "00:00:00.000 Intro\n00:01:30.250 Zwei <http://x.example>\n":
      ["0.0 Intro", "90250.0 Zwei <http://x.example>"],
    // One time is none of a list.
    "0:03:20 The end\nx\n":
      ["200000.0 The end", "!2: it is not a start, an end and a label behind tabs or blanks"],
    // Two times are those of a label.
    "0:05 0:07.5 dog\n0:08 0:09 cat\n": ["5000.0-7500.0 dog", "8000.0-9000.0 cat"],
  ])
  func lines(text: String, expected: [String]) throws {
    #expect(try chapters(text) == expected)
  }

  /// https://ffmpeg.org/ffmpeg-formats.html#Metadata-1
  @Test func ffmetadata() throws {
    let text = ##"""
      ;FFMETADATA1
      title=bike\\shed
      ;this is a comment
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      #chapter ends at 0:01:00
      END=60000
      title=chapter \#1 \=\;
      [CHAPTER]
      START=60500000000
      END=70000000000
      title=two\
      lines\\
      [STREAM]
      title=multi
      [CHAPTER]
      TIMEBASE=1001/30000
      START=3000
      [CHAPTER]
      END=3
      [CHAPTER]
      TIMEBASE=1/0
      START=0
      [CHAPTER]
      START=-1
      """##
    #expect(
      try chapters(text) == [
        "0.0-60000.0 chapter #1 =;", "60500.0-70000.0 two\nlines\\", "100100.0 ",
        "!20: it has no START", "!22: '1/0' is no TIMEBASE, such as 1/1000",
        "!25: '-1' is no START",
      ])
  }

  @Test func numberedChapters() throws {
    let text = """
      CHAPTER01=00:00:00.000
      CHAPTER01NAME=Intro
      chapter02NAME=Two = 2
      CHAPTER02=00:01:30.500
      CHAPTER2URL=http://x.example
      CHAPTER010=01:00:00
      foo
      """
    #expect(
      try chapters(text) == [
        "!7: it is neither the time nor the name of a chapter", "0.0 Intro", "90500.0 Two = 2",
        "3600000.0 ",
      ])
  }

  /// https://github.com/Podcastindex-org/podcast-namespace, chapters/jsonChapters.md; and `ffprobe -show_chapters`.
  @Test(arguments: [
    #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Intro"},{"startTime":30,"toc":false},"#
      + #"{"startTime":94.5,"endTime":100,"title":"\"A\""},{"title":"none"},{"startTime":"1:00:00"}]}"#,
    """
    {
      "version": "1.2.0",
      "chapters":
      [
        { "startTime": 0, "title": "Intro", "img": "https://x.example/a.jpg" },
        { "startTime": 30, "toc": false },
        { "start_time": "94.500000", "end_time": "100.000000", "tags": { "title": "\\"A\\"" } },
        { "title": "none" },
        { "startTime": 3600 }
      ]
    }
    """,
  ])
  func podcastChapters(text: String) throws {
    let table = try PieceTable(TableText(named: "t", Array(text.utf8)))
    #expect(table.note == "1 silent chapter of 't' passed over")
    #expect(
      try chapters(text) == [
        "0.0 Intro", #"94500.0-100000.0 "A""#, "!1: it has no startTime", "3600000.0 ",
      ])
  }

  /// Objects in lines are a table, with any word in them.
  @Test func linesOfObjects() throws {
    #expect(
      try chapters(
        #"{"start": 1, "label": "\"chapters\""}"# + "\n" + #"{"start": 2, "chapters": 3}"#)
        == [#"1000.0 "chapters""#, "2000.0 "])
  }

  /// What ffmpeg and ffprobe say of a file makes the same chapters again.
  @Test func aRoundTripThroughPrograms() throws {
    let directory = TemporaryDirectory()
    try directory.write(Array(Self.description.utf8), "d.txt")
    let first = try directory.pipeline(
      "rawaudio convert silence: -d 1:10:00 -r 8000 -c 1 -f u8 -o s.wav && rawaudio convert s.wav --chapters d.txt -o 1.mka"
    )
    first.expectMessages("4 lines of 'd.txt' passed over")
    try directory.pipeline(
      """
      ffprobe -v error -show_chapters -of json 1.mka > 1.json && ffmpeg -nostdin -v error -i 1.mka -f ffmetadata 1.meta \
        && for end in json meta; do rawaudio convert s.wav --chapters 1.$end -o $end.mka || exit 1; done
      """
    ).requireSuccess()
    func list(_ name: String) throws -> String {
      try directory.pipeline(
        "ffprobe -v error -show_entries chapter=start_time,end_time:chapter_tags=title -of csv=p=0 \(name)"
      ).outputText
    }
    let listed = try list("1.mka")
    #expect(listed.hasPrefix("0.000000,62.000000,Intro\n62.000000,123.500000,The second: part\n"))
    #expect(listed.split(separator: "\n").count == 7)
    #expect(try list("json.mka") == listed && list("meta.mka") == listed)
  }
}
