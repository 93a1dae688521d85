// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// Rules only for the tags of written MP3 files.
@Suite struct WrittenID3Tests: WrittenTags {
  let scratch = ScratchDirectory()

  /// A tag that matches the metadata and states no length is copied unchanged.
  @Test func mp3KeepsItsTags() throws {
    let text = ID3Bytes.frame(3, "TIT2", [1] + ID3Bytes.utf16("tune", big: false, marked: true))
    let track = ID3Bytes.frame(3, "TRCK", [0] + Array("3/12".utf8))
    let own = ID3Bytes.frame(3, "PRIV", Array("x\0y".utf8))
    let year = ID3Bytes.frame(3, "TYER", [0] + Array("2004".utf8))
    let padding = [UInt8](repeating: 0, count: 20)
    let old = ID3Bytes.old("tune", artist: "", year: "2004", comment: [], genre: 255)
    let chunks: [Metadata.Chunk] = [
      .init(.id3, "ID3v2", ID3Bytes.tag(3, [text, track, own, year, padding])),
      .init(.id3, "ID3v1", old, isInFront: false),
    ]
    let source = Metadata(interpreting: chunks)
    let (path, omissions) = try write(source, .mp3, .mpegLayer3, "a.mp3")
    #expect(omissions == [])
    #expect(try read(path).chunks == chunks)

    // A length, an encoder's name, and a changed text are replaced; the other frames are copied unchanged.
    let length = ID3Bytes.frame(3, "TLEN", [0] + Array("1000".utf8))
    let made = ID3Bytes.frame(3, "TSSE", [0] + Array("LAME".utf8))
    var changed = Metadata(interpreting: [
      .init(.id3, "ID3v2", ID3Bytes.tag(3, [length, text, track, own, year, made]))
    ])
    changed.tags["TRACKNUMBER"] = ["4"]
    changed.tags.append("MOOD", "calm")
    let other = try read(write(changed, .mp3, .mpegLayer3, "b.mp3").path)
    let tag = try #require(ID3Tag(other.chunks[0].content))
    #expect(tag.version == 4)
    #expect(tag.frames.map(\.identifier) == ["TIT2", "PRIV", "TRCK", "TDRC", "TMOO"])
    #expect(tag.frames[0].content == text.dropFirst(10))
    #expect(tag.frames[1].content == own.dropFirst(10))
    #expect(
      other.tags.entries.map { "\($0.key)=\($0.value)" } == [
        "TITLE=tune", "TRACKNUMBER=4", "TRACKTOTAL=12", "DATE=2004", "MOOD=calm",
      ])
  }

  /// Numbers of FLAC and Ogg files: several, with a total for some, and with the total in the number.
  @Test(arguments: [
    (["1", "2"], [], ["1", "2"], []), (["1", "2"], ["12"], ["1", "2"], ["12"]),
    ([], ["12"], [], ["12"]), (["3/12"], [], ["3"], ["12"]), (["3/12"], ["12"], ["3"], ["12"]),
  ])
  func numbersAndTotals(
    _ numbers: [String], _ totals: [String], _ expected: [String], _ expectedTotals: [String]
  ) throws {
    for key in ["TRACK", "DISC"] {
      var metadata = Metadata()
      for number in numbers { metadata.tags.append("\(key)NUMBER", number) }
      for total in totals { metadata.tags.append("\(key)TOTAL", total) }
      let (path, omissions) = try write(metadata, .mp3, .mpegLayer3)
      #expect(omissions == [])
      let tags = try read(path).tags
      #expect(tags["\(key)NUMBER"] == expected)
      #expect(tags["\(key)TOTAL"] == expectedTotals)
    }
  }

  /// A tag that claims more bytes than it has would swallow the sound.
  @Test func aCutTagIsNotTakenOver() throws {
    var cut = Array("APETAGEX".utf8) + ChunkBytes.number(2_000, 4) + ChunkBytes.number(500_000, 4)
    cut += [UInt8](repeating: 0, count: 16)
    let source = Metadata(interpreting: [.init(.id3, "APEv2", cut)])
    let (path, _) = try write(source, .mp3, .mpegLayer3, "a.mp3")
    let plain = try write(nil, .mp3, .mpegLayer3, "plain.mp3").path
    let isSame = try contents(path) == contents(plain)
    #expect(isSame)
  }

  /// The frames within a chapter are converted to version 2.4, too.
  @Test func chaptersAreTakenOver() throws {
    let name = [UInt8](repeating: 0x61, count: 200)
    var times = Array("one".utf8) + [0, 0, 0, 0, 0]
    times += ChunkBytes.number(500, 4, big: true)
    times += [UInt8](repeating: 0xFF, count: 8)
    let chapter = ID3Bytes.frame(3, "CHAP", times + ID3Bytes.frame(3, "TIT2", [0] + name))
    let length = ID3Bytes.frame(3, "TLEN", [0] + Array("1000".utf8))
    let source = Metadata(
      interpreting: [.init(.id3, "ID3v2", ID3Bytes.tag(3, [length, chapter]))], sampleRate: 48_000)
    let back = try read(write(source, .mp3, .mpegLayer3, "a.mp3").path)
    let tag = try #require(ID3Tag(back.chunks[0].content))
    #expect(tag.frames.map(\.identifier) == ["CHAP"])
    #expect(Array(tag.frames[0].content) == times + ID3Bytes.frame(4, "TIT2", [0] + name))
    let (path, omissions) = try write(source, .flac, .s16, "a.flac")
    #expect(omissions == [])
    #expect(try read(path).markers.map(\.label) == [String(repeating: "a", count: 200)])
  }
}
