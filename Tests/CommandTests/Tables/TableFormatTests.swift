// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import rawaudio

/// Each format of tables, by its specification or as its program writes it.
@Suite struct TableFormatTests {
  /// The rows as text: `source start-end id label`, and faults as `!line: reason`.
  private func rows(_ text: String) throws -> [String] {
    try PieceTable(TableText(named: "t", Array(text.utf8))).entries.map { entry in
      switch entry {
      case .fault(let line, _, let reason): return "!\(line): \(reason)"
      case .row(let row):
        let end =
          switch row.end {
          case .at(let time): "-\(Self.text(time))"
          case .after(let time): "+\(Self.text(time))"
          case .nextStart: "…"
          }
        return [row.source, Self.text(row.start) + end, row.id, row.texts["label"]]
          .map { $0 ?? "." }.joined(separator: " ")
      }
    }
  }

  private static func text(_ time: TimePosition) -> String {
    switch time {
    case .samples(let count): "\(count)S"
    case .time(let time):
      "\(Double(time.components.seconds * 1_000) + Double(time.components.attoseconds) / 1e15)"
    }
  }

  private func failure(_ text: String) -> String? {
    #expect(throws: AudioError.self) { try rows(text) }?.reasonAndAdvice
  }

  @Test(arguments: [
    "start,end,label\n1.5,3,dog\n0:01,44100S,\"a, \"\"b\"\"\nc\"\n",
    "\u{FEFF}Start;End;Label\r\n1,5;3;dog\r\n0:01;44100S;\"a, \"\"b\"\"\nc\"\r\n",
    "#onset\toffset\tevent_label\n1.5\t3\tdog\n\n0:01\t44100S\t\"a, \"\"b\"\"\nc\"",
  ])
  func delimited(text: String) throws {
    #expect(try rows(text) == [". 1500.0-3000.0 . dog", ". 1000.0-44100S . a, \"b\"\nc"])
  }

  @Test func namesWithUnits() throws {
    #expect(
      try rows("file,begin_ms,dur_samples,utt_id\na.wav,1500,441,u1\n") == [
        "a.wav 1500.0+441S u1 ."
      ])
    #expect(try rows("start_time,end_time\n1e-05,2.0\n") == [". 0.01-2000.0 . ."])
  }

  @Test func jsonLines() throws {
    let text = """
      {"audio_filepath": "a.wav", "start": 1.5, "duration": 2, "text": "hi", "id": 7, "words": [1]}
      {"source": "b.wav", "offset": "0:01", "label": null}
      [1]
      {"end": 1}
      """
    #expect(
      try rows(text) == [
        "a.wav 1500.0+2000.0 7 hi", "b.wav 1000.0… . .", "!3: it is no object",
        "!4: no column says where a piece starts; the first line names the columns, for example start,end,label",
      ])
  }

  /// BirdNET-Analyzer 2.0, `--rtype csv` and `--rtype table`; Raven Pro 1.6, with two views of a selection.
  @Test func birdsongPrograms() throws {
    let birdnet = """
      Start (s),End (s),Scientific name,Common name,Confidence,File
      0.0,3.0,Turdus merula,Eurasian Blackbird,0.8712,/data/rec1.wav
      3.0,6.0,Erithacus rubecula,European Robin,0.5,/data/rec1.wav
      """
    #expect(
      try rows(birdnet) == [
        "/data/rec1.wav 0.0-3000.0 . Eurasian Blackbird",
        "/data/rec1.wav 3000.0-6000.0 . European Robin",
      ])
    let head =
      "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)"
    let table = """
      \(head)\tCommon Name\tSpecies Code\tConfidence\tBegin Path\tFile Offset (s)
      1\tSpectrogram 1\t1\t63.0\t66.0\t0\t15000\tEurasian Blackbird\teurbla\t0.87\trec2.wav\t3.0
      """
    #expect(try rows(table) == ["rec2.wav 3000.0+3000.0 1 Eurasian Blackbird"])
    let raven = """
      \(head)\tSpecies
      1\tWaveform 1\t1\t0.5\t1.25\t100\t900\twren
      1\tSpectrogram 1\t1\t0.5\t1.25\t100\t900\twren
      2\tWaveform 1\t1\t2\t2.5\t100\t900\t
      """
    #expect(try rows(raven) == [". 500.0-1250.0 1 wren", ". 2000.0-2500.0 2 "])
  }

  /// https://manual.audacityteam.org/man/importing_and_exporting_labels.html
  @Test func audacity() throws {
    let text =
      "1.500000\t3.250000\tdog\n\\\t100.000000\t900.000000\n4.000000\t4.000000\t\n6,5\t5\tx\nx\n"
    #expect(
      try rows(text) == [
        ". 1500.0-3250.0 . dog", ". 4000.0… . ", "!4: its end, 5, is not behind its start, 6,5",
        "!5: it is not a start, an end and a label behind tabs or blanks",
      ])
  }

  /// Labels with blanks, lists of chapters, and other tables of times without a head.
  @Test(arguments: [
    "0.5 1.25 a dog\n 2   3\n": [". 500.0-1250.0 . a dog", ". 2000.0-3000.0 . "],
    "0,5 1,25  dog\n": [". 500.0-1250.0 . dog"],
    "0:00 Intro\n1:30 2 songs\n1:00:00 The end of it\n":
      [". 0.0… . Intro", ". 90000.0… . 2 songs", ". 3600000.0… . The end of it"],
    "00:00:05\t00:00:07.5\tdog, cat\n0:08\tx y\n": [
      ". 5000.0-7500.0 . dog, cat", ". 8000.0… . x y",
    ],
    "00:00:05,00:00:07.5,dog\n0:08,0:09\n": [". 5000.0-7500.0 . dog", ". 8000.0-9000.0 . "],
    "0:05;0:07;dog\nx\n":
      [". 5000.0-7000.0 . dog", "!2: it is not a start, an end and a label behind tabs or blanks"],
  ])
  func tablesWithoutAHead(text: String, expected: [String]) throws {
    #expect(try rows(text) == expected)
  }

  /// https://kaldi-asr.org/doc/data_prep.html
  @Test func kaldi() throws {
    let text =
      "sw02001-A_000098-001156 sw02001-A 0.98 11.56\nsw02001-A_001980-002131 sw02001-A 19.8 -1\n"
    #expect(
      try rows(text) == [
        "sw02001-A 980.0-11560.0 sw02001-A_000098-001156 sw02001-A_000098-001156",
        "sw02001-A 19800.0… sw02001-A_001980-002131 sw02001-A_001980-002131",
      ])
  }

  @Test func rttm() throws {
    let text = """
      ;; of a meeting
      SPKR-INFO meeting 1 <NA> <NA> <NA> unknown alice <NA> <NA>
      SPEAKER meeting 1 1.50 0.75 <NA> <NA> alice <NA> <NA>
      SPEAKER meeting 1 9.00 0 <NA> <NA> bob <NA> <NA>
      """
    #expect(try rows(text) == ["meeting 1500.0+750.0 . alice", "!4: it lasts for 0 seconds"])
  }

  /// A frame is 588 samples at 44,100 Hz.
  @Test func cueSheets() throws {
    let text = """
      REM GENRE Rock
      REM DATE "1999"
      PERFORMER "The Band"
      TITLE "The Album"
      FILE "disc.wav" WAVE
        TRACK 01 AUDIO
          TITLE "First, and"
          PERFORMER A LiveParticipant
          ISRC ABCDE1234567
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          INDEX 00 03:21:00
          INDEX 01 03:21:37
      """
    #expect(
      try rows(text) == ["disc.wav 0.0… 01 First, and", "disc.wav 201493.33333333334… 02 Track 02"])
    let table = try PieceTable(TableText(named: "d/x.cue", Array(text.utf8)))
    guard case .row(let row) = table.entries[1] else { return #expect(Bool(false)) }
    #expect(row.start.samples(at: 44_100) == (201 * 75 + 37) * 588)
    #expect(row.source == "d/disc.wav")
    #expect(
      row.tags.map { "\($0.key)=\($0.value)" } == [
        "ARTIST=The Band", "ALBUM=The Album", "DATE=1999", "GENRE=Rock", "ALBUMARTIST=The Band",
        "TRACKNUMBER=2",
      ])
    guard case .row(let first) = table.entries[0] else { return #expect(Bool(false)) }
    #expect(
      first.tags.map { "\($0.key)=\($0.value)" } == [
        "TITLE=First, and", "ARTIST=A LiveParticipant", "ALBUM=The Album", "DATE=1999",
        "GENRE=Rock",
        "ISRC=ABCDE1234567", "ALBUMARTIST=The Band", "TRACKNUMBER=1",
      ])
    #expect(row.texts["album"] == "The Album" && row.texts["performer"] == "The Band")
  }

  @Test(arguments: [
    "1\n00:00:01,500 --> 00:00:03,250\nHello,\n<i>world</i>\n\n2\r\n01:00:04,000 --> 01:00:05,000\r\nBye\r\n",
    """
    WEBVTT - a talk

    NOTE nothing

    1
    00:01.500 --> 00:03.250 align:start
    Hello,
    <v Alice>world

    2
    01:00:04.000 --> 01:00:05.000
    Bye
    """,
  ])
  func subtitles(text: String) throws {
    #expect(
      try rows(text) == [". 1500.0-3250.0 1 Hello, world", ". 3604000.0-3605000.0 2 Bye"])
  }

  @Test(arguments: [
    "": "it is empty", "\n\n": "it is empty", "start,end\n": "it has no row",
    "0.5,1.2,a\n":
      "no column says where a piece starts; the first line names the columns, for example start,end,label",
    "onset,start,end\n1,2,3\n": "its columns 'start' and 'onset' mean the same; rename one",
    "start,end,file,path\n1,2,a,b\n": "its columns 'file' and 'path' mean the same; rename one",
    "start,end\n1,\"2\n": "the quote that begins in line 2 does not end",
  ])
  func wrongTables(text: String, reason: String) {
    #expect(failure(text) == reason)
  }

  @Test func wrongRows() throws {
    let text = "start,end,label\n5,4,a\n,2,b\n1,2,c,d\n1,,e\nx,2,f\n"
    let times =
      "a time is [[h:]m:]s[.frac], for example 1:30.5, a number with a unit, for example 2s, 500ms or 1h30m, or samples,"
      + " for example 44100S"
    #expect(
      try rows(text) == [
        "!2: its end, 4, is not behind its start, 5", "!3: it has no start",
        "!4: it has 4 cells, and the head 3", ". 1000.0… . e", "!6: 'x' is no time; \(times)",
      ])
  }
}
