// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--split marks` and `--at`: the pieces between marks or chapters.
@Suite struct MarkPieceTests: ManyFiles {
  let directory = TemporaryDirectory()

  private func makeBook(_ name: String) throws -> [[Int16]] {
    var noise = Noise(21)
    let sounds = [3_000, 5_000, 4_000].map { noise.samples($0, peak: 9_000) }
    for (index, sound) in sounds.enumerated() {
      try directory.write(WaveBytes.file(sound, sampleRate: 44_100), "part \(index + 1).wav")
    }
    try directory.run(
      ["concat", "part 1.wav", "part 2.wav", "part 3.wav", "--marks", "-o", name]
    ).requireSuccess()
    return sounds
  }

  @Test(arguments: ["book.wav", "book.aiff"])
  func marks(name: String) throws {
    let sounds = try makeBook(name)
    try self.run(name, "--split", "marks", "-f", "s16", "-o", "o/{nn}-{label}.wav").requireSuccess()
    for (index, sound) in sounds.enumerated() {
      #expect(try self.sound("o/0\(index + 1)-part \(index + 1).wav") == sound)
    }
    for mark in ["part 2", "Part 2", "2"] {
      try self.run(name, "--at", mark, "-o", "x.wav", "--force").requireSuccess()
      #expect(try self.sound("x.wav") == sounds[1])
    }
  }

  /// The samples of a file with other chunks behind them.
  private func sound(_ name: String) throws -> [Int16] {
    WaveBytes.int16s(try self.run(name, "-f", "s16", "-t", "raw").standardOutput)
  }

  /// In an M4B the chapters have the places of the marks.
  @Test func chapters() throws {
    let sounds = try makeBook("book.m4b")
    try self.run("book.m4b", "-f", "f32", "-o", "whole.wav").requireSuccess()
    try self.run("book.m4b", "--split", "marks", "-f", "f32", "-o", "{n}.wav", "--results", "r")
      .requireSuccess()
    let places = try lines("r").compactMap { $0["sourceStart"] as? Int }
    #expect(places == [0, 3_000, 8_000])
    let whole = try data("whole.wav")
    #expect(try data("2.wav") == Array(whole[4 * 3_000..<4 * 8_000]))
    #expect(try data("1.wav").count == 4 * sounds[0].count)
  }

  /// What begins at the end of a piece is outside it. Its only chapter ends with its sound.
  @Test(arguments: ["flac", "mp3", "m4b", "mka"])
  func theNextChapterIsOutside(kind: String) throws {
    _ = try makeBook("book.\(kind)")
    try self.run("book.\(kind)", "--split", "marks", "-o", "o/{n}.\(kind)").requireSuccess()
    try self.run("book.\(kind)", "--at", "part 2", "-o", "at.\(kind)").requireSuccess()
    try self.run("book.\(kind)", "--start", "3000S", "--end", "8000S", "-o", "cut.\(kind)")
      .requireSuccess()
    // The chapters of FLAC and MP3 are at milliseconds, not at the samples of the cut.
    for name in ["o/2", "at"] + (["m4b", "mka"].contains(kind) ? ["cut"] : []) {
      let probe = try directory.pipeline(
        """
        ffprobe -v error -show_entries chapter=start_time,end_time:chapter_tags=title:format=duration \
          -of csv=p=0 \(name).\(kind)
        """
      ).outputText.split(separator: "\n").map(String.init)
      try #require(probe.count == 2, "\(name): \(probe)")
      let chapter = probe[0].split(separator: ",")
      #expect(chapter.first == "0.000000" && chapter.last == "part 2")
      // A tag counts milliseconds, and ffmpeg's length of MP3 has the whole last frame.
      let (end, length) = (try #require(Double(chapter[1])), try #require(Double(probe[1])))
      #expect(abs(end - 5_000.0 / 44_100) < (kind == "mp3" ? 0.03 : 0.000_6), "\(probe)")
      if kind == "m4b" { #expect(end == length) }
    }
  }

  /// Each part has the marks of its own samples. AIFF has no place for those of a part, which is told.
  @Test(arguments: ["wav", "flac", "mp3", "ogg", "aiff"])
  func partsHaveTheirOwn(kind: String) throws {
    _ = try makeBook("book.wav")
    let run = try self.run("book.wav", "--split", "4000S", "-o", "%02d.\(kind)")
    #expect(run.ending == .exit(0))
    #expect(run.standardError.contains("marks (a part may end before them)") == (kind == "aiff"))
    let labels = try (0..<3).map { number in
      let info = try directory.run("info", "--json", "0\(number).\(kind)").standardOutput
      let objects = try JSONSerialization.jsonObject(with: Data(info)) as? [[String: Any]]
      let carried = objects?.first?["carried"] as? [String: Any]
      return (carried?["marks"] as? [[String: Any]] ?? []).map { $0["label"] as? String }
    }
    #expect(labels == (kind == "aiff" ? [[], [], []] : [["part 1", "part 2"], [], ["part 3"]]))
  }

  private func data(_ name: String) throws -> [UInt8] {
    Array(try self.run(name, "-f", "f32", "-t", "raw").standardOutput)
  }

  /// The sound in front of the first mark is a piece, so all pieces are the source.
  @Test func theBeginningIsAPiece() throws {
    let sounds = try makeBook("book.wav")
    try self.run("book.wav", "--start", "1000S", "-o", "late.wav").requireSuccess()
    try self.run("late.wav", "--split", "marks", "-o", "{n}-{label}.wav").requireSuccess()
    #expect(try self.sound("1-_.wav") == Array(sounds[0][1_000...]))
    #expect(try self.sound("2-part 2.wav") == sounds[1])
    #expect(try self.sound("3-part 3.wav") == sounds[2])
  }

  private func tags(_ name: String) throws -> [String: String] {
    let facts = try directory.run(["info", "--json", name]).outputText
    let all = try #require(
      try JSONSerialization.jsonObject(with: Data(facts.utf8)) as? [[String: Any]])
    let metadata = try #require(all[0]["carried"] as? [String: Any])
    return (metadata["tags"] as? [String: [String]] ?? [:]).compactMapValues(\.first)
  }

  /// A piece has the title and the number of its mark, and the title of the whole as its album.
  @Test func tagsOfPieces() throws {
    _ = try makeBook("book.wav")
    try self.run("book.wav", "--tag", "TITLE=Whole", "--tag", "ARTIST=Me", "-o", "book.flac")
      .requireSuccess()
    try self.run("book.flac", "--split", "marks", "-o", "{n}.flac").requireSuccess()
    let expected = ["TITLE": "part 2", "ALBUM": "Whole", "ARTIST": "Me", "TRACKNUMBER": "2"]
    #expect(try tags("2.flac").filter { expected[$0.key] != nil } == expected)
    try self.run(
      "book.flac", "--at", "2", "--tag", "TITLE={label} ({n}, {{x}}) 50%", "--tag", "TRACKNUMBER=",
      "-o", "{label}.flac"
    ).requireSuccess()
    let own = try tags("part 2.flac")
    #expect(own["TITLE"] == "part 2 (1, {x}) 50%" && own["TRACKNUMBER"] == nil)
    try self.run("book.flac", "--at", "2", "--strip", "-o", "bare.flac").requireSuccess()
    #expect(try tags("bare.flac")["TITLE"] == nil)
    let wrong = try self.run("book.flac", "--at", "2", "--tag", "TITLE={lable}", "-o", "x.flac")
    wrong.expectUsageError(
      "The value 'TITLE={lable}' is invalid for '--tag <key=value>': '{lable}' is no field; there are {path}, {stem}, {ext},"
        + " {id}, {n} and {label}; a brace itself is written twice", of: "convert")
  }

  /// RFC 9639, section 8.7: tracks at 0 and 5,000 samples, the second with a pregap of 1,000, and the lead-out.
  @Test func theCueSheetOfFLAC() throws {
    var noise = Noise(4)
    let sound = noise.samples(12_000, peak: 9_000)
    try directory.write(WaveBytes.file(sound, sampleRate: 44_100), "a.wav")
    try self.run("a.wav", "-o", "a.flac").requireSuccess()
    func big(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    func track(_ place: Int, _ number: Int, _ isrc: String, _ indices: [(Int, Int)]) -> [UInt8] {
      let code = Array(isrc.utf8) + zeros(12 - isrc.utf8.count)
      return big(place, 8) + [UInt8(number)] + code + zeros(14) + [UInt8(indices.count)]
        + indices.flatMap { big($0.0, 8) + [UInt8($0.1)] + zeros(3) }
    }
    let sheet =
      zeros(128) + big(0, 8) + zeros(259) + [3] + track(0, 1, "ABCDE1234567", [(0, 1)])
      + track(4_000, 2, "", [(0, 0), (1_000, 1)]) + track(12_000, 255, "", [])
    var file = try directory.bytes("a.flac")
    file.insert(contentsOf: [5] + big(sheet.count, 3) + sheet, at: 42)
    try directory.write(file, "disc.flac")
    try self.run("disc.flac", "--split", "marks", "-o", "{n}-{label}.flac").requireSuccess()
    #expect(try self.sound("1-Track 01.flac") == Array(sound[..<5_000]))
    #expect(try self.sound("2-Track 02.flac") == Array(sound[5_000...]))
    #expect(try tags("1-Track 01.flac")["ISRC"] == "ABCDE1234567")
    #expect(try tags("2-Track 02.flac")["TRACKNUMBER"] == "2")
    try self.run("disc.flac", "--at", "track 02", "-o", "x.wav").requireSuccess()
    #expect(try self.sound("x.wav") == Array(sound[5_000...]))
  }

  @Test func marksThatAreMissing() throws {
    _ = try makeBook("book.wav")
    let none = try self.run("part 1.wav", "--split", "marks", "-o", "{n}.wav")
    none.expectExit(
      1, "cannot cut at its marks 'part 1.wav': it has neither marks nor chapters",
      "0 done, 1 failed")
    let other = try self.run("book.wav", "--at", "part 9", "-o", "x.wav")
    other.expectExit(
      1, "cannot find the mark 'part 9' in 'book.wav': its marks are 'part 1', 'part 2', 'part 3'",
      "0 done, 1 failed")
  }
}
