// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Chapters and covers on the command line: written here, listed by ffprobe.
@Suite struct ChapterTests {
  private let directory = TemporaryDirectory()

  /// A book of `count` sounds of 1.5 s and a little more each, joined in one line.
  private func makeBook(_ count: Int, _ name: String, rate: Int = 44_100) throws {
    let sounds = (1...count).map { number in
      "rawaudio convert tone:\(200 + number) -r \(rate) -d \(66_150 + 37 * number)S"
        + " --tag TITLE='Part \(number)' -q -o c\(100 + number).mp3"
    }
    try directory.pipeline(sounds.joined(separator: " && ")).requireSuccess()
    try directory.pipeline("rawaudio concat c1??.mp3 --marks -q -o \(name)").requireSuccess()
  }

  private struct Chapter: Equatable {
    var start: Double
    var end: Double
    var title: String
  }

  /// The chapters that ffprobe lists.
  private func chapters(_ name: String) throws -> [Chapter] {
    let run = try directory.pipeline(
      "ffprobe -v error -show_entries chapter=start_time,end_time:chapter_tags=title -of csv=p=0 \(name)"
    )
    return try run.outputText.split(separator: "\n").map { line in
      let cells = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      return Chapter(
        start: try #require(Double(cells[0])), end: try #require(Double(cells[1])),
        title: cells.count > 2 ? String(cells[2]) : "")
    }
  }

  /// The starts in samples are the sums of the lengths: of the sounds with the silence that an encoder adds.
  @Test(arguments: ["book.mp3", "book.flac", "book.ogg", "book.m4b", "book.mka"])
  func aBookHasAChapterForEachSound(name: String) throws {
    try makeBook(12, name)
    let lengths = try (1...12).map { number in
      try directory.pipeline("rawaudio convert c\(100 + number).mp3 -t raw -f s16 -q | wc -c")
        .outputText.split(separator: "\n").first.flatMap { Int($0) }.map { $0 / 2 } ?? 0
    }
    let found = try chapters(name)
    #expect(found.map(\.title) == (1...12).map { "Part \($0)" })
    // Tags count milliseconds, MPEG-4 samples, and Matroska nanoseconds.
    let unit = name.hasSuffix("m4b") || name.hasSuffix("mka") ? 1 / 88_200.0 : 0.0005
    var start = 0
    for (chapter, length) in zip(found, lengths) {
      #expect(abs(chapter.start - Double(start) / 44_100) <= unit + 1e-6)
      start += length
    }
    let last = try #require(found.last)
    #expect(abs(last.end - Double(start) / 44_100) < 0.0011)
  }

  /// After the first conversion nothing moves any more, and nothing is said to be lost.
  @Test(arguments: ["mp3", "flac", "ogg", "m4a", "mka"], ["mp3", "ogg", "m4a"])
  func conversionsMoveNothing(one: String, other: String) throws {
    try makeBook(3, "book.\(one)")
    try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x48 -frames:v 1 cover.jpg &&
        rawaudio convert book.\(one) --cover cover.jpg -q -o 0.\(one) &&
        rawaudio convert 0.\(one) -q -o 1.\(other) --fail-on metadata &&
        rawaudio convert 1.\(other) -q -o 2.\(one) --fail-on metadata &&
        rawaudio convert 2.\(one) -q -o 3.\(other) --fail-on metadata
      """
    ).requireSuccess()
    let first = try chapters("1.\(other)")
    #expect(first.count == 3)
    #expect(try chapters("3.\(other)") == first)
    for name in ["1.\(other)", "3.\(other)"] {
      let picture = try directory.pipeline(
        "ffmpeg -nostdin -v error -i \(name) -map 0:v -c copy -f image2pipe - | cmp - cover.jpg")
      #expect(picture.ending == .exit(0), "\(name)")
    }
  }

  private func makeSound() throws {
    try directory.pipeline(
      "rawaudio convert tone:440 -r 8000 -d 10 -f s16 -o in.wav && printf 'no picture' > text.jpg"
    ).requireSuccess()
  }

  @Test func aTableGivesChapters() throws {
    try makeSound()
    try directory.write(Array("start,end,label\n0,2.5,One\n2.5,4,Two\n0:07,,Three\n".utf8), "t.csv")
    try directory.run("convert", "in.wav", "--chapters", "t.csv", "-o", "a.mp3").requireSuccess()
    #expect(
      try chapters("a.mp3") == [
        Chapter(start: 0, end: 2.5, title: "One"), Chapter(start: 2.5, end: 4, title: "Two"),
        Chapter(start: 7, end: 10, title: "Three"),
      ])
    try directory.run("mix", "in.wav", "in.wav", "--chapters", "t.csv", "-o", "mix.flac")
      .requireSuccess()
    #expect(try chapters("mix.flac").map(\.start) == [0, 2.5, 7])
    // In the time of the output.
    try directory.run("convert", "in.wav", "--start", "1", "--marks", "t.csv", "-o", "part.wav")
      .requireSuccess()
    let info = try directory.run("info", "part.wav")
    #expect(info.outputText.contains("mark:         0:00:02.500, for 0:00:01.500, Two\n"))
  }

  @Test(arguments: [
    ("0,a\n5,b\n3,c\n", "line 4, '3 c': the chapter does not begin behind the one before it"),
    ("0,a\n10.5,b\n", "line 3, '10.5 b': it begins behind the end of the sound"),
    ("0,a\nx,b\n", "line 3, 'x,b': 'x' is no time"),
  ])
  func aWrongTableWritesNothing(rows: String, reason: String) throws {
    try makeSound()
    try directory.write(Array("start,label\n\(rows)".utf8), "t.csv")
    let run = try directory.run("convert", "in.wav", "--chapters", "t.csv", "-o", "a.flac")
    #expect(run.ending == .exit(1))
    #expect(run.standardError.hasPrefix("rawaudio: cannot read 't.csv': \(reason)"))
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: directory.file("a.flac").path))
  }

  @Test(
    arguments: [
      "--cover text.jpg -o a.flac":
        "cannot take as a cover 'text.jpg': it is no picture; give a JPEG, PNG, GIF or WebP file",
      "--cover none.jpg -o a.flac": "cannot open 'none.jpg': no such file",
      "--cover big.jpg -o a.flac":
        "cannot take as a cover 'big.jpg': it is larger than 11 MiB; make it smaller; "
        + "players show covers of up to 3000 x 3000 pixels",
      "--cover text.jpg -o a.caf":
        "cannot write a cover to 'a.caf': caf has no place for pictures; "
        + "write to flac, mp3, ogg, opus, wav or m4a",
      "--chapters none.csv -o a.au":
        "cannot write chapters to 'a.au': au has no place for them; "
        + "write to wav, flac, mp3, ogg, opus, m4a or mka",
    ] as [String: String])
  func mistakes(_ line: String, _ message: String) throws {
    try makeSound()
    try directory.pipeline("head -c 12000000 /dev/zero > big.jpg").requireSuccess()
    try directory.pipeline("rawaudio convert in.wav \(line)").expectExit(1, message)
    for name in ["a.flac", "a.caf", "a.au"] {
      #expect(!FileManager.default.fileExists(atPath: directory.file(name).path))
    }
  }

  @Test(arguments: [("mp3 --bitrate 64", 64_000), ("wav -f s24", 192_000), ("flac", 0)])
  func infoShowsTheBitRate(_ output: String, _ expected: Int) throws {
    try makeSound()
    let run = try directory.pipeline(
      "rawaudio convert in.wav -q -o a.\(output) && rawaudio info --json a.???*; ls -l a.* | awk '{print $5}'"
    )
    let text = run.outputText
    let end = try #require(text.lastIndex(of: "]"))
    let read = try JSONSerialization.jsonObject(with: Data(text[...end].utf8))
    let object = try #require((read as? [[String: Any]])?.first)
    let rate = try #require(object["bitRate"] as? Int)
    let size = Int(text[text.index(after: end)...].filter(\.isNumber)) ?? 0
    #expect(expected > 0 ? rate == expected : abs(rate - size * 8 / 10) < size * 8 / 100)
  }

  /// A stream has no header with the mean, and its frames differ.
  @Test func noBitRateIsMadeUp() throws {
    try makeSound()
    let run = try directory.pipeline(
      "rawaudio convert in.wav -t mp3 -q | cat > a.mp3 && rawaudio info a.mp3 | grep -c 'bit rate'")
    #expect(run.outputText == "0\n")
  }
}
