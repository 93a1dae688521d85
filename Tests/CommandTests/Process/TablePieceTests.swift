// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio convert --segments`: the pieces of recordings that a table names.
@Suite struct TablePieceTests: ManyFiles {
  let directory = TemporaryDirectory()

  private func write(_ text: String, _ name: String) throws {
    try directory.write(Array(text.utf8), name)
  }

  private func makeRecording(_ name: String, _ count: Int, seed: UInt64) throws -> [Int16] {
    var noise = Noise(seed)
    let samples = noise.samples(count, peak: 9_000)
    try directory.write(WaveBytes.file(samples, sampleRate: 44_100), name)
    return samples
  }

  /// Random pieces in any order, overlapping, of files of several kinds: each equals its place in the whole.
  @Test(arguments: ["wav", "flac", "mp3", "ogg", "opus", "m4a"], [1, 2])
  func piecesAreExact(container: String, jobs: Int) throws {
    for name in ["a", "b"] {
      _ = try makeRecording("\(name).wav", 60_000, seed: name == "a" ? 1 : 2)
      if container != "wav" {
        let rate = container == "opus" ? ["-r", "48000"] : []
        try self.run(["\(name).wav", "-o", "\(name).\(container)"] + rate).requireSuccess()
      }
      try self.run(["\(name).\(container)", "-f", "f32", "-o", "whole-\(name).wav"])
        .requireSuccess()
    }
    var noise = Noise(3)
    var (rows, places) = ("file,start,end\n", [(name: String, range: Range<Int>)]())
    for index in 0..<24 {
      let (one, two) = (Int(noise.next() % 58_000), Int(noise.next() % 58_000))
      // One of the pieces holds all others.
      let range = index == 7 ? 0..<59_000 : min(one, two)..<max(one, two) + 1
      places.append((index % 3 == 0 ? "b" : "a", range))
      rows += "\(places[index].name),\(range.lowerBound)S,\(range.upperBound)S\n"
    }
    try write(rows, "t.csv")
    let run = try self.run(
      ["a.\(container)", "b.\(container)", "--segments", "t.csv", "-f", "f32", "-o", "o/{nn}.wav"]
        + ["-j", "\(jobs)", "--results", "r"])
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let results = try lines("r")
    #expect(results.count == places.count)
    for (index, place) in places.enumerated() {
      let output = "o/\(index < 9 ? "0" : "")\(index + 1).wav"
      let piece = try data(output)
      let whole = try data("whole-\(place.name).wav")
      #expect(piece.elementsEqual(whole[4 * place.range.lowerBound..<4 * place.range.upperBound]))
      let result = results.first { $0["output"] as? String == output }
      #expect(result?["sourceStart"] as? Int == place.range.lowerBound)
      #expect(result?["sourceEnd"] as? Int == place.range.upperBound)
    }
  }

  private func run(_ words: [String]) throws -> ProcessRun {
    try directory.run(["convert"] + words)
  }

  private func data(_ name: String) throws -> ArraySlice<UInt8> {
    let file = try directory.bytes(name)
    let marker = Array("data".utf8)
    let begin = try #require(
      file.indices.dropLast(7).first { file[$0..<$0 + 4] == marker[...] })
    return Array(file[(begin + 8)...])[...]
  }

  /// A piece that is measured first, with others that overlap it.
  @Test func measuredPiecesAreAsAlone() throws {
    _ = try makeRecording("a.wav", 44_100, seed: 5)
    try write("start,end\n0.1,0.5\n0.2,0.3\n0.05,0.9\n", "t.csv")
    try self.run([
      "a.wav", "--segments", "t.csv", "--normalize", "-3", "-r", "16000", "-o", "o/{n}.wav",
    ])
    .requireSuccess()
    for (index, part) in [("0.1", "0.5"), ("0.2", "0.3"), ("0.05", "0.9")].enumerated() {
      try self.run(
        ["a.wav", "--start", part.0, "--end", part.1, "--normalize", "-3", "-r", "16000"]
          + ["-o", "x.wav", "--force"]
      ).requireSuccess()
      #expect(try directory.bytes("x.wav") == directory.bytes("o/\(index + 1).wav"))
    }
  }

  @Test func wrongRowsAreToldAndTheOthersWorkedOn() throws {
    let sound = try makeRecording("a.wav", 44_100, seed: 7)
    try write("start,end,label\n0,0.5,dog\n5,4,back\n2,3,far\n0.9,1.5,short\n", "t.csv")
    let run = try self.run(["a.wav", "--segments", "t.csv", "-o", "o/{n}-{label}.wav"])
    run.expectExit(
      1,
      "cannot read 't.csv': line 3, '5,4,back': its end, 4, is not behind its start, 5; a row is, for example,"
        + " '1.5,3.25,dog'",
      "piece 4 of 'a.wav' is short: it ends 22050 samples per channel before the part that was asked for",
      "cannot take this part of the source 'a.wav': it begins at sample 88200, and the source ends after 44100"
        + " samples per channel",
      "2 done, 2 failed")
    #expect(try samples("o/1-dog.wav") == Array(sound[..<22_050]))
    #expect(try samples("o/4-short.wav") == Array(sound[39_690...]))
  }

  @Test func aPieceWithoutAnEndLastsToTheNext() throws {
    let sound = try makeRecording("disc.wav", 44_100, seed: 8)
    let frames = ["00:00:30", "00:00:00", "00:00:45"]
    let tracks = frames.enumerated().map {
      "TRACK 0\($0.offset + 1) AUDIO\n INDEX 01 \($0.element)\n"
    }
    try write("FILE \"disc.wav\" WAVE\n\(tracks.joined())", "disc.cue")
    try self.run(["--segments", "disc.cue", "-o", "{id}.wav"]).requireSuccess()
    #expect(try samples("02.wav") == Array(sound[..<(30 * 588)]))
    #expect(try samples("01.wav") == Array(sound[(30 * 588)..<(45 * 588)]))
    #expect(try samples("03.wav") == Array(sound[(45 * 588)...]))
  }

  /// The sound in front of the first track is told, and the tracks have the texts of the sheet.
  @Test func aCueSheetWithAGapInFront() throws {
    let sound = try makeRecording("disc.wav", 44_100, seed: 8)
    try write(
      """
      PERFORMER "The Band"
      TITLE "The Album"
      FILE "disc.wav" WAVE
      TRACK 01 AUDIO
       TITLE "One"
       INDEX 00 00:00:00
       INDEX 01 00:00:30
      TRACK 02 AUDIO
       INDEX 01 00:00:45
      """, "disc.cue")
    let done = try self.run(["--segments", "disc.cue", "-o", "{id} {label}.flac"])
    done.expectExit(
      0,
      "the first 0.400 s of 'disc.wav' are in no piece: they lie in front of the first INDEX 01; --end 0.4"
        + " writes them")
    let raw = try self.run(["01 One.flac", "-t", "raw"]).standardOutput
    #expect(WaveBytes.int16s(raw) == Array(sound[(30 * 588)..<(45 * 588)]))
    let facts = try directory.run(["info", "01 One.flac"]).outputText
    for text in ["One", "The Band", "The Album"] { #expect(facts.contains(text)) }
  }

  /// A list's entries state pieces, too.
  @Test func entriesOfAList() throws {
    let sound = try makeRecording("a.wav", 44_100, seed: 9)
    try write(
      """
      {"source":"a.wav","start":"0.5","end":"22060S","who":"x"}
      {"source":"a.wav","start":0.1,"duration":0.1,"who":"y/z"}

      """, "list")
    try self.run(["--list", "list", "-o", "o/{who}.wav"]).requireSuccess()
    #expect(try samples("o/x.wav") == Array(sound[22_050..<22_060]))
    #expect(try samples("o/y_z.wav") == Array(sound[4_410..<8_820]))
  }

  @Test(arguments: [
    ("--segments t.csv a.wav -o x.wav", 64, "Several pieces cannot all go to 'x.wav'"),
    (
      "--segments t.csv a.wav -o {n}.wav --start 1", 64,
      "'--start <time>' does not go with '--segments <table>'"
    ),
    (
      "--segments t.csv a.wav -o {n}.wav --split 5", 64,
      "'--split <point>' does not go with '--segments <table>'"
    ),
    (
      "--segments t.csv a.wav -o {lable}.wav", 64,
      "'{lable}' is no field: 't.csv' has no such column; its columns are end, start"
    ),
    ("--segments none.csv a.wav -o {n}.wav", 1, "cannot read 'none.csv': no such file"),
    ("--segments u.csv a.wav -o {n}.wav", 1, "no row of 'u.csv' names it; the first one names 'c'"),
    ("--segments t.csv a.wav b.wav -o {n}.wav", 1, "it names none of the 2 sources"),
    ("--segments t.csv -o {n}.wav", 1, "it names no source, and the command line neither"),
    (
      "--segments a.wav a.wav -o {n}.wav", 1,
      "cannot read the table 'a.wav': it is no text in UTF-8"
    ),
  ])
  func mistakes(line: String, code: Int32, message: String) throws {
    _ = try makeRecording("a.wav", 441, seed: 1)
    _ = try makeRecording("b.wav", 441, seed: 2)
    try write("start,end\n0,5S\n", "t.csv")
    try write("start,end,file\n0,5S,c\n", "u.csv")
    let before = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()
    let run = try self.run(line.split(separator: " ").map(String.init))
    #expect(run.ending == .exit(code))
    #expect(run.standardError.contains(message), "\(run.standardError)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == before)
  }

  @Test func aTableThatIsTooLarge() throws {
    _ = try makeRecording("a.wav", 441, seed: 1)
    try write("start,end\n", "t.csv")
    #expect(unsafe truncate(directory.file("t.csv").path, 1 << 30) == 0)
    let run = try self.run(["a.wav", "--segments", "t.csv", "-o", "{n}.wav"])
    run.expectExit(
      1,
      "cannot read the table 't.csv': it is larger than 16 MiB; give its rows as lines of JSON to --list, which has no"
        + " limit")
  }
}
