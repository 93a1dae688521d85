// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// Chapters in comments and in frames, and as marks.
@Suite struct ChapterTests {
  private static let rates = [1_000, 8_000, 11_025, 44_100, 48_000, 96_000, 768_000]

  /// A millisecond is at least one sample, so it comes back.
  @Test(arguments: rates) func millisecondsComeBack(rate: Int) {
    var random = Draw(seed: UInt64(rate))
    var start: Int64 = 0
    let chapters = (0..<1_000).map { index in
      start += Int64(random.number(in: 2...100_000))
      return Chapter(start: start, end: nil, title: "chapter \(index)")
    }
    var metadata = Metadata()
    metadata.sampleRate = rate
    metadata.markers = chapters.markers(at: rate)
    #expect(metadata.chapters == chapters)
    #expect(
      zip(metadata.markers, chapters).allSatisfy { marker, chapter in
        abs(marker.position * 1_000 - chapter.start * Int64(rate)) <= 500
      })
  }

  @Test(
    arguments: [
      "00:00:00.000": 0, "01:02:03.004": 3_723_004, "100:00:00": 360_000_000, "0:0:1.5": 1_500,
      "00:00:01.9999": 1_999,
    ] as [String: Int64])
  func timesOfComments(_ text: String, _ milliseconds: Int64) {
    #expect(ChapterComments.milliseconds(text) == milliseconds)
  }

  @Test(arguments: [
    "", "1.5", "00:60:00", "00:00:60", "-1:00:00", "00:00:01.x", "a:b:c", "00:00:01.5.5",
  ])
  func noTimesOfComments(_ text: String) { #expect(ChapterComments.milliseconds(text) == nil) }

  private func comments(_ texts: [String]) -> VorbisComments {
    var comments = VorbisComments()
    comments.comments = texts.map { Array($0.utf8)[...] }
    return comments
  }

  /// In any order, with names in any case; a title without a start stays a text.
  @Test func commentsBecomeMarks() {
    let chunk = Metadata.Chunk(
      .flac, VorbisComments.identifier,
      comments([
        "TITLE=Book", "CHAPTER002NAME=Two", "chapter002=00:00:10.500", "CHAPTER001=00:00:00.000",
        "CHAPTER003NAME=Lost", "CHAPTER001NAME=One", "CHAPTER004=later", "CHAPTER01=00:00:01.000",
        "CHAPTERS=3",
      ]).bytes)
    let metadata = Metadata(interpreting: [chunk], sampleRate: 8_000)
    #expect(metadata.markers.map(\.position) == [0, 84_000])
    #expect(metadata.markers.map(\.label) == ["One", "Two"])
    #expect(
      metadata.tags.keys == ["TITLE", "CHAPTER003NAME", "CHAPTER004", "CHAPTER01", "CHAPTERS"])
    #expect(Metadata(interpreting: [chunk]).markers.isEmpty)
  }

  private func metadata(_ chapters: [Chapter], _ chunks: [Metadata.Chunk] = []) -> Metadata {
    var metadata = Metadata(interpreting: chunks, sampleRate: 48_000)
    metadata.sampleRate = 48_000
    metadata.markers = chapters.markers(at: 48_000)
    return metadata
  }

  private let three = [
    Chapter(start: 0, end: nil, title: "One"), Chapter(start: 1_500, end: 2_000, title: "Zwei – ä"),
    Chapter(start: 60_001, end: nil, title: ""),
  ]

  @Test func marksBecomeComments() {
    let composition = XiphComposition(metadata(three), as: .ogg, channelCount: 1)
    #expect(
      composition.comments.comments.map { String(decoding: $0, as: UTF8.self) } == [
        "CHAPTER001=00:00:00.000", "CHAPTER001NAME=One", "CHAPTER002=00:00:01.500",
        "CHAPTER002NAME=Zwei – ä", "CHAPTER003=00:01:00.001",
      ])
    #expect(composition.omissions.map(\.name) == ["lengths of marks"])
  }

  /// Old comments stay as they are if their chapters do, and go if they are others.
  @Test func oldCommentsStayOrGo() {
    let old = comments(["chapter001=0:0:0", "TITLE=Book", "Chapter001Name=One"])
    let chunk = Metadata.Chunk(.ogg, VorbisComments.identifier, old.bytes)
    let same = Metadata(interpreting: [chunk], sampleRate: 48_000)
    func texts(_ metadata: Metadata) -> [String] {
      var metadata = metadata
      metadata.sampleRate = 48_000
      return XiphComposition(metadata, as: .ogg, channelCount: 1).comments.comments
        .map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(texts(same) == ["chapter001=0:0:0", "TITLE=Book", "Chapter001Name=One"])
    var other = same
    other.markers[0].position = 48_000
    #expect(
      texts(other) == ["TITLE=Book", "CHAPTER001=00:00:01.000", "CHAPTER001NAME=One"])
    var none = same
    none.markers = []
    #expect(texts(none) == ["TITLE=Book"])
  }

  @Test func moreChaptersThanNumbersAreTold() {
    let many = (0..<1_200).map { Chapter(start: Int64($0) * 10, end: nil, title: "") }
    let composition = XiphComposition(metadata(many), as: .flac, channelCount: 1)
    #expect(composition.comments.comments.count == 999)
    #expect(composition.omissions.map(\.name) == ["201 marks"])
  }

  private func tag(_ bytes: [UInt8]) throws -> ID3Tag { try #require(ID3Tag(bytes)) }

  @Test(arguments: [3, 255, 256, 5_000]) func marksBecomeFrames(count: Int) throws {
    let chapters = (0..<count).map {
      Chapter(start: Int64($0) * 7, end: nil, title: $0 % 3 == 0 ? "" : "Kapitel \($0)")
    }
    let composition = ID3Composition(metadata(chapters))
    let tag = try tag(composition.front)
    var reading = MetadataReading(sampleRate: 48_000)
    ID3Metadata.interpret(tag, into: &reading)
    #expect(reading.chapters == chapters)
    // Every chapter is in one table, and every table but the first is in that one.
    var entries: [String] = []
    var tables: [String] = []
    for frame in tag.frames where frame.identifier == "CTOC" {
      let words = frame.content.split(separator: 0, omittingEmptySubsequences: false)
      tables.append(String(decoding: words[0], as: UTF8.self))
      #expect(words[1].count > 2)
      entries.append(String(decoding: words[1].dropFirst(2), as: UTF8.self))
      entries += words.dropFirst(2).dropLast().map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(Set(entries).count == entries.count)
    #expect(entries.count { $0.hasPrefix("chp") } == chapters.count)
    #expect(Set(entries.filter { $0.hasPrefix("toc") }) == Set(tables.dropFirst()))
    #expect(tables.first == "toc")
  }

  /// The last end is known with the last sample. Its four bytes are the last chapter's second time.
  @Test func theLastEndHasAPlace() throws {
    let composition = ID3Composition(metadata(three))
    let place = try #require(composition.placeOfEnd)
    var front = composition.front
    front.replaceSubrange(place..<place + 4, with: [0, 1, 0, 0])
    let frames = try tag(front).frames.filter { $0.identifier == "CHAP" }
    let chapters = frames.compactMap {
      ChapterFrames.chapter($0.content, 4) { $0.decoded }?.chapter
    }
    #expect(chapters.map(\.start) == [0, 1_500, 60_001])
    #expect(chapters.map(\.end) == [1_500, 2_000, 65_536])
    #expect(ID3Composition(metadata([])).placeOfEnd == nil)
  }

  /// A picture in a chapter stays with a tag that is still true, and is told if the chapters are others.
  @Test func picturesOfChaptersAreTold() throws {
    let picture = Metadata.Picture([1, 2, 3], mediaType: "image/png")
    let inner = ID3Tag.content([
      .init("TIT2", [3] + Array("One".utf8)),
      .init("APIC", ID3Frames.content(of: picture)[...]),
    ])
    let times: [UInt8] = [0, 0, 0, 0, 0, 0, 3, 232] + [UInt8](repeating: 255, count: 8)
    let bytes = ID3Tag.bytes([.init("CHAP", (Array("a".utf8) + [0] + times + inner)[...])])
    let chunk = Metadata.Chunk(.id3, ID3Tag.identifier, bytes)
    let same = metadata([Chapter(start: 0, end: nil, title: "One")], [chunk])
    #expect(same.pictures.isEmpty)
    #expect(ID3Composition(same).front == bytes)
    let other = ID3Composition(metadata(three, [chunk]))
    #expect(other.omissions.map(\.name) == ["'APIC' frame of a chapter"])
    #expect(try tag(other.front).frames.count { $0.identifier == "CHAP" } == 3)
    #expect(ID3Metadata.unsaid([chunk]).isEmpty)
  }

  /// Cut short anywhere, a frame is no chapter or one with less of its title.
  @Test func brokenFramesAreNoChapters() {
    let frames = ChapterFrames.frames(three)
    for frame in frames where frame.identifier == "CHAP" {
      for count in 0..<frame.content.count {
        let chapter = ChapterFrames.chapter(frame.content.prefix(count), 4) { $0.decoded }
        #expect(chapter == nil || count >= 21)
      }
    }
  }

  /// Marks of the container have precedence over chapters of a tag in a chunk.
  @Test func cuesComeBeforeChaptersOfATag() {
    let cue = Metadata.Marker(identifier: 1, position: 12_000, label: "cue")
    let (points, labels) = CueList.chunks([cue], .little, namesAll: true)
    let tag = ID3Tag.bytes(ChapterFrames.frames(three))
    let own = Metadata.Chunk(.riff, "id3 ", tag)
    let both = [own, .init(.riff, "cue ", points), .init(.riff, "LIST", labels ?? [])]
    #expect(Metadata(interpreting: both, sampleRate: 48_000).markers.map(\.label) == ["cue"])
    let alone = Metadata(interpreting: [own], sampleRate: 48_000)
    #expect(alone.markers.count == 3)
  }
}
