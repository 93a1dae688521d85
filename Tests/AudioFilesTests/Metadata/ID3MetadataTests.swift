// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// The contents of tags before and after the sound, compared with tags written byte by byte.
@Suite struct ID3MetadataTests {
  private func read(_ tag: [UInt8]) -> Metadata {
    Metadata(interpreting: [.init(.id3, "ID3v2", tag)])
  }

  private func lines(_ metadata: Metadata) -> [String] {
    metadata.tags.entries.map { "\($0.key)=\($0.value)" }
  }

  @Test func everyVersionSaysTheSame() {
    func text(_ text: String) -> [UInt8] { [0] + Array(text.utf8) }
    let old = ID3Bytes.tag(
      2,
      [
        ID3Bytes.frame(2, "TT2", text("tune")), ID3Bytes.frame(2, "TP1", text("Ann")),
        ID3Bytes.frame(2, "TRK", text("3/12")), ID3Bytes.frame(2, "TYE", text("2004")),
        ID3Bytes.frame(2, "TCO", text("(17)")),
        ID3Bytes.frame(2, "COM", [0] + Array("eng\0good".utf8)),
        ID3Bytes.frame(2, "PIC", [0] + Array("PNG".utf8) + [3] + Array("front\0abc".utf8)),
      ])
    func newer(_ version: Int, _ date: [[UInt8]]) -> [UInt8] {
      let texts = [("TIT2", "tune"), ("TPE1", "Ann"), ("TRCK", "3/12")].map {
        ID3Bytes.frame(version, $0.0, text($0.1))
      }
      let rest = [
        ID3Bytes.frame(version, "TCON", text(version == 3 ? "(17)Rock" : "17")),
        ID3Bytes.frame(version, "COMM", [0] + Array("eng\0good".utf8)),
        ID3Bytes.frame(
          version, "APIC", [0] + Array("image/png\0".utf8) + [3] + Array("front\0abc".utf8)),
      ]
      return ID3Bytes.tag(version, texts + date + rest + [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]])
    }
    let tags = [
      old, newer(3, [ID3Bytes.frame(3, "TYER", text("2004"))]),
      newer(4, [ID3Bytes.frame(4, "TDRC", text("2004"))]),
    ]
    for tag in tags {
      let metadata = read(tag)
      #expect(
        lines(metadata).sorted() == [
          "ARTIST=Ann", "COMMENT=good", "DATE=2004", "GENRE=Rock", "TITLE=tune", "TRACKNUMBER=3",
          "TRACKTOTAL=12",
        ])
      #expect(metadata.pictures.map(\.kind) == [.frontCover])
      #expect(metadata.pictures.map(\.mediaType) == ["image/png"])
      #expect(metadata.pictures.map(\.description) == ["front"])
      #expect(metadata.pictures.map(\.data) == [Array("abc".utf8)])
    }
  }

  @Test func textsInEveryEncoding() {
    let text = "Übung 😀"
    let bodies: [[UInt8]] = [
      [1] + ID3Bytes.utf16(text, big: false, marked: true),
      [1] + ID3Bytes.utf16(text, big: true, marked: true) + [0, 0],
      [2] + ID3Bytes.utf16(text, big: true, marked: false), [3] + Array(text.utf8) + [0],
    ]
    for body in bodies {
      #expect(read(ID3Bytes.tag(4, [ID3Bytes.frame(4, "TIT2", body)])).tags["TITLE"] == [text])
    }
    let latin = read(ID3Bytes.tag(3, [ID3Bytes.frame(3, "TIT2", [0, 0xDC, 0x62, 0x80])]))
    #expect(latin.tags["TITLE"] == ["Üb€"])
    // Both texts begin with the byte order mark, or only the first.
    for marked in [true, false] {
      let key = ID3Bytes.utf16("mood", big: false, marked: true) + [0, 0]
      let body =
        [1] + key + ID3Bytes.utf16("calm", big: false, marked: true) + [0, 0]
        + ID3Bytes.utf16("blau", big: false, marked: marked)
      let metadata = read(ID3Bytes.tag(3, [ID3Bytes.frame(3, "TXXX", body)]))
      #expect(lines(metadata) == ["MOOD=calm", "MOOD=blau"])
    }
    // An unknown encoding.
    #expect(read(ID3Bytes.tag(4, [ID3Bytes.frame(4, "TIT2", [4, 65])])).tags.isEmpty)
  }

  @Test func severalTextsDatesAndGenres() {
    let tag = ID3Bytes.tag(
      4,
      [
        ID3Bytes.frame(4, "TPE1", [3] + Array("Ann\0Ben\0".utf8)),
        ID3Bytes.frame(4, "TCON", [3] + Array("(4)(52)(RX)Other thing".utf8)),
        ID3Bytes.frame(4, "COMM", [0] + Array("eng".utf8) + Array("notes\0more".utf8)),
        ID3Bytes.frame(4, "COMM", [0] + Array("eng".utf8) + Array("iTunNORM\0 00".utf8)),
        ID3Bytes.frame(4, "USLT", [3] + Array("deu\0la\nla".utf8)),
        ID3Bytes.frame(4, "TLEN", [0] + Array("1000".utf8)),
        ID3Bytes.frame(4, "PRIV", Array("x\0y".utf8)),
      ])
    #expect(
      lines(read(tag)) == [
        "ARTIST=Ann", "ARTIST=Ben", "GENRE=Disco", "GENRE=Electronic", "GENRE=Remix",
        "GENRE=Other thing", "COMMENT:NOTES=more", "LYRICS=la\nla",
      ])
    let old = ID3Bytes.tag(
      3,
      [("TIME", "0708"), ("TDAT", "0605"), ("TYER", "2004"), ("TORY", "1999")].map {
        ID3Bytes.frame(3, $0.0, [0] + Array($0.1.utf8))
      })
    #expect(lines(read(old)).sorted() == ["DATE=2004-05-06T07:08", "ORIGINALDATE=1999"])
    // In version 2.3 a slash is part of the text.
    let stroke = ID3Bytes.tag(3, [ID3Bytes.frame(3, "TPE1", [0] + Array("AC/DC".utf8))])
    #expect(lines(read(stroke)) == ["ARTIST=AC/DC"])
  }

  @Test func unsynchronisedTagsExtendedHeadsAndFeet() {
    // In UTF-16 the byte order mark is 0xFF 0xFE, which unsynchronisation turns into 0xFF 0x00 0xFE.
    let content: [UInt8] = [1, 0xFF, 0x00, 0xFE, 0x41, 0x00]
    let plain: [UInt8] = [1, 0xFF, 0xFE, 0x41, 0x00]
    let frame3 = Array("TIT2".utf8) + ChunkBytes.number(5, 4, big: true) + [0, 0] + content
    #expect(read(TagBytes.id3v2(3, frame3, flags: 0x80)).tags["TITLE"] == ["A"])
    let frame4 = ID3Bytes.frame(4, "TIT2", content, flags: 0x02)
    #expect(read(TagBytes.id3v2(4, frame4)).tags["TITLE"] == ["A"])
    let measured = ID3Bytes.frame(4, "TIT2", ID3Bytes.synchsafe(5) + content, flags: 0x03)
    #expect(read(TagBytes.id3v2(4, measured, flags: 0x80)).tags["TITLE"] == ["A"])
    let extended3 = ChunkBytes.number(6, 4, big: true) + [0, 0, 0, 0, 0, 0]
    let bare3 = ID3Bytes.frame(3, "TIT2", plain)
    #expect(read(TagBytes.id3v2(3, extended3 + bare3, flags: 0x40)).tags["TITLE"] == ["A"])
    let bare4 = ID3Bytes.frame(4, "TIT2", plain)
    let extended4 = ID3Bytes.synchsafe(6) + [1, 0]
    #expect(read(TagBytes.id3v2(4, extended4 + bare4, flags: 0x40)).tags["TITLE"] == ["A"])
    #expect(read(TagBytes.id3v2(4, bare4, hasFooter: true)).tags["TITLE"] == ["A"])
    // A group's number.
    let grouped = ID3Bytes.frame(3, "TIT2", [7] + plain, flags: 0x20)
    #expect(read(TagBytes.id3v2(3, grouped)).tags["TITLE"] == ["A"])
    // Compressed and encrypted frames are not read.
    for flag: UInt8 in [0x80, 0x40] {
      let hidden = ID3Bytes.frame(3, "TIT2", plain, flags: flag)
      #expect(read(TagBytes.id3v2(3, hidden + bare3)).tags["TITLE"] == ["A"])
    }
  }

  /// Some programs use eight bits per byte of a size in version 2.4, too.
  @Test func sizesOfEightBitsInVersion4() {
    let long = [3] + [UInt8](repeating: 0x61, count: 299)
    let frame = Array("TIT2".utf8) + ChunkBytes.number(300, 4, big: true) + [0, 0] + long
    let next = ID3Bytes.frame(4, "TPE1", [0] + Array("Ann".utf8))
    let metadata = read(TagBytes.id3v2(4, frame + next))
    #expect(metadata.tags["TITLE"].map(\.utf8.count) == [299])
    #expect(metadata.tags["ARTIST"] == ["Ann"])
  }

  @Test func cutTagsSayOnlyWhatIsWhole() {
    let frames = [
      ID3Bytes.frame(4, "TIT2", [3] + Array("tune".utf8)),
      ID3Bytes.frame(4, "APIC", [0] + Array("image/png\0".utf8) + [3] + Array("x\0abc".utf8)),
    ]
    let whole = Array(frames.joined())
    for count in 0..<whole.count {
      let metadata = read(TagBytes.id3v2(4, Array(whole.prefix(count))))
      #expect(metadata.pictures.isEmpty)
      #expect(metadata.tags["TITLE"] == (count >= frames[0].count ? ["tune"] : []))
    }
    let tag = TagBytes.id3v2(4, whole)
    for count in 0..<tag.count { #expect(read(Array(tag.prefix(count))).isEmptyBesideChunks) }
  }

  /// The first tag wins, and a repeated picture counts once.
  @Test func tagsAroundOneSound() throws {
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 1)
    let scratch = ScratchDirectory()
    let path = scratch.file("bare.mp3")
    try storeMaterial(9_999, in: path, FileFormat(.mp3, .mpegLayer3), format, rate: 44_100)
    let samples = try record(SoundFileSource(path: path)).samples
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]
    let front = ID3Bytes.tag(
      4,
      [
        ID3Bytes.frame(4, "TIT2", [3] + Array("A title that has more than thirty letters".utf8)),
        ID3Bytes.frame(4, "APIC", [0] + Array("image/png\0".utf8) + [3, 0] + png),
      ])
    let ape = ID3Bytes.ape([
      ("Year", Array("2004".utf8), false), ("Track", Array("3/9".utf8), false),
      ("Artist", Array("Ann\0Ben".utf8), false),
      ("Cover Art (Back)", Array("b.png\0".utf8) + png, true), ("Bin", [1, 2], true),
    ])
    let old = ID3Bytes.old(
      "A title that has more than th", artist: "other", year: "1999",
      comment: ChunkBytes.text("old", 28) + [0, 3], genre: 13)
    let file = try scratch.write(front + contents(path) + ape + old, "in.mp3")
    let metadata = try SoundFileInformation(path: file).metadata
    #expect(metadata.chunks.map(\.identifier) == ["ID3v2", "APEv2", "ID3v1"])
    #expect(metadata.chunks.map(\.isInFront) == [true, false, false])
    #expect(
      lines(metadata) == [
        "TITLE=A title that has more than thirty letters", "DATE=2004", "TRACKNUMBER=3",
        "TRACKTOTAL=9", "ARTIST=Ann", "ARTIST=Ben", "COMMENT=old", "GENRE=Pop",
      ])
    #expect(metadata.pictures.map(\.kind) == [.frontCover, .backCover])
    #expect(metadata.pictures.map(\.mediaType) == ["image/png", "image/png"])
    #expect(firstDifference(try record(SoundFileSource(path: file)).samples, samples) == nil)
  }

  @Test func tagsInChunksAndInFrontOfOtherFiles() throws {
    let tag = ID3Bytes.tag(3, [ID3Bytes.frame(3, "TIT2", [0] + Array("tune".utf8))])
    let wave = ChunkBytes.wave(behind: [ChunkBytes.chunk("id3 ", tag)])
    let scratch = ScratchDirectory()
    let chunk = try SoundFileInformation(path: scratch.write(wave, "a.wav")).metadata
    #expect(chunk.chunks.map(\.identifier) == ["id3 "])
    #expect(chunk.tags["TITLE"] == ["tune"])
    let tagged = try SoundFileInformation(path: scratch.write(tag + ChunkBytes.wave(), "b.wav"))
    #expect(tagged.metadata.chunks.map(\.identifier) == ["ID3v2"])
    #expect(tagged.metadata.tags["TITLE"] == ["tune"])
  }

  /// LAME's list is an independent source for the genres of ID3v1.
  @Test func genresHaveTheirNumbers() {
    #expect(Genres.all.count == 192)
    #expect(Genres.all[79] == "Hard Rock")
    #expect(Genres.all[80] == "Folk")
    #expect(Genres.all[147] == "Synthpop")
    #expect(Genres.all[191] == "Psybient")
    #expect(Set(Genres.all).count == 192)
    #expect(Genres.names("(255)") == ["(255)"])
    #expect(Genres.names("((odd)") == ["(odd)"])
    #expect(Genres.names("") == [])
  }

  /// Positions in the whole file and its length are not true of a part. Chapters move with it.
  @Test func aPartHasChaptersOfItsOwn() throws {
    func chapter(_ second: UInt8) -> [UInt8] {
      let milliseconds = UInt32(second) * 1_000
      let time = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: milliseconds >> $0) }
      return ID3Bytes.frame(
        4, "CHAP", [0x61 + second, 0] + time + time + [UInt8](repeating: 255, count: 8))
    }
    let frames = [
      ID3Bytes.frame(4, "TIT2", [3] + Array("tune".utf8)), chapter(1), chapter(3),
      ID3Bytes.frame(4, "ETCO", [2, 3, 0, 0, 0, 1]),
    ]
    var whole = Metadata(
      interpreting: [
        .init(.id3, "ID3v2", ID3Bytes.tag(4, frames)),
        .init(.flac, "APPLICATION", Array("riffx".utf8)),
        .init(.flac, "APPLICATION", Array("abcdx".utf8)),
      ], sampleRate: 1_000)
    whole.sampleRate = 1_000
    #expect(whole.trimmed(from: 0, length: nil) == whole)
    let part = whole.trimmed(from: 2_000, length: nil)
    #expect(part.tags.keys == ["TITLE"])
    #expect(part.markers.map(\.position) == [1_000])
    #expect(part.omissions.map(\.name) == ["'APPLICATION' block", "'ETCO' frame"])
    let written = try #require(ID3Tag(ID3Composition(part).front)).frames
    #expect(written.map(\.identifier) == ["TIT2", "CTOC", "CHAP"])
  }
}

extension Metadata {
  fileprivate var isEmptyBesideChunks: Bool { tags.isEmpty && pictures.isEmpty }
}
