// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// A text has a name per container and one key here. The names are those of Picard's table of tags.
@Suite struct ForeignNamesTests: WrittenTags {
  let scratch = ScratchDirectory()

  /// The names in Vorbis comments and in ID3.
  static let described: [(String, String)] = [
    ("MUSICBRAINZ_ALBUMID", "MusicBrainz Album Id"),
    ("MUSICBRAINZ_ARTISTID", "MusicBrainz Artist Id"),
    ("MUSICBRAINZ_ALBUMARTISTID", "MusicBrainz Album Artist Id"),
    ("MUSICBRAINZ_RELEASEGROUPID", "MusicBrainz Release Group Id"),
    ("MUSICBRAINZ_RELEASETRACKID", "MusicBrainz Release Track Id"),
    ("MUSICBRAINZ_WORKID", "MusicBrainz Work Id"), ("MUSICBRAINZ_DISCID", "MusicBrainz Disc Id"),
    ("RELEASECOUNTRY", "MusicBrainz Album Release Country"),
    ("RELEASESTATUS", "MusicBrainz Album Status"), ("RELEASETYPE", "MusicBrainz Album Type"),
    ("ACOUSTID_ID", "Acoustid Id"), ("ACOUSTID_FINGERPRINT", "Acoustid Fingerprint"),
    ("REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_GAIN"),
    ("REPLAYGAIN_ALBUM_PEAK", "REPLAYGAIN_ALBUM_PEAK"), ("BARCODE", "BARCODE"),
    ("CATALOGNUMBER", "CATALOGNUMBER"),
  ]
  private static let recording = "8b882575-08a5-4452-a7a7-cbb8a1531f9e"

  private func read(id3 frames: [[UInt8]], _ version: Int = 4) -> Metadata {
    Metadata(interpreting: [.init(.id3, "ID3v2", ID3Bytes.tag(version, frames))])
  }

  private func lines(_ metadata: Metadata) -> [String] {
    metadata.tags.entries.map { "\($0.key)=\($0.value)" }
  }

  private func frames(_ metadata: Metadata) throws -> [ID3Tag.Frame] {
    let path = try write(metadata, .mp3, .mpegLayer3, "a.mp3").path
    return try #require(ID3Tag(read(path).chunks[0].content)).frames
  }

  @Test(arguments: described)
  func describedFrames(_ key: String, _ description: String) throws {
    for spelled in [description, description.lowercased()] {
      let frame = ID3Bytes.frame(4, "TXXX", [3] + Array("\(spelled)\0some text".utf8))
      #expect(lines(read(id3: [frame])) == ["\(key)=some text"])
    }
    var metadata = Metadata()
    metadata.tags.append(key, "one")
    metadata.tags.append(key, "two")
    let expected = ID3Tag.Frame("TXXX", ([3] + Array("\(description)\0one\0two".utf8))[...])
    #expect(try frames(metadata) == [expected])
    // The names in MP4 and in ASF.
    #expect(TagNames.key(ofOther: description) == key)
    let asf = description.replacingOccurrences(of: "MusicBrainz ", with: "MusicBrainz/")
    #expect(TagNames.key(ofOther: asf) == key)
  }

  @Test func theNumberOfARecordingIsAnIdentifier() throws {
    let content = Array("http://musicbrainz.org\0\(Self.recording)".utf8)
    let read = read(id3: [ID3Bytes.frame(3, "UFID", content)], 3)
    #expect(lines(read) == ["MUSICBRAINZ_TRACKID=\(Self.recording)"])
    #expect(read.foreignOmissions(for: .flac) == [])
    #expect(TagNames.key(ofOther: "MusicBrainz Track Id") == "MUSICBRAINZ_TRACKID")
    var metadata = Metadata()
    metadata.tags.append("MUSICBRAINZ_TRACKID", Self.recording)
    #expect(try frames(metadata) == [.init("UFID", content[...])])
    // A tag has at most one such frame per owner.
    metadata.tags.append("MUSICBRAINZ_TRACKID", "other")
    #expect(try frames(metadata).map(\.identifier) == ["TXXX"])
    let back = try self.read(scratch.file("a.mp3"))
    #expect(back.tags["MUSICBRAINZ_TRACKID"] == [Self.recording, "other"])
    // A frame of another owner is kept as it is, and named as lost elsewhere.
    let other = self.read(id3: [ID3Bytes.frame(3, "UFID", Array("http://x.org\0abc".utf8))], 3)
    #expect(other.tags.isEmpty)
    #expect(other.foreignOmissions(for: .flac).map(\.name) == ["'UFID' frame"])
  }

  /// From MP3 into FLAC, and from there into MP3 and WAV.
  @Test func theyGoRound() throws {
    let keys = Self.described.map(\.0) + ["MUSICBRAINZ_TRACKID", "COMPILATION", "DISCSUBTITLE"]
    var metadata = Metadata()
    for key in keys { metadata.tags.append(key, "text of \(key)") }
    for (index, (container, encoding)) in [
      (Container.mp3, SampleEncoding.mpegLayer3), (.flac, .s16), (.mp3, .mpegLayer3), (.wav, .s16),
    ].enumerated() {
      let (path, omissions) = try write(metadata, container, encoding, "round-\(index)")
      #expect(omissions == [])
      metadata.tags = try read(path).tags
      #expect(Set(lines(metadata)) == Set(keys.map { "\($0)=text of \($0)" }), "\(container)")
    }
  }

  @Test func namesOfApeTags() {
    let tag = ID3Bytes.ape(
      [
        ("Album Artist", "a"), ("MUSICBRAINZ_ALBUMTYPE", "b"), ("MixArtist", "c"),
        ("Replaygain_Track_Gain", "+1 dB"), ("Disc", "1/2"), ("Year", "2004"),
      ].map { ($0.0, Array($0.1.utf8), false) })
    let read = Metadata(interpreting: [.init(.id3, "APEv2", tag)])
    #expect(
      lines(read) == [
        "ALBUMARTIST=a", "RELEASETYPE=b", "REMIXER=c", "REPLAYGAIN_TRACK_GAIN=+1 dB",
        "DISCNUMBER=1", "DISCTOTAL=2", "DATE=2004",
      ])
  }

  /// An empty frame has no text, and does not hide the frames after it.
  @Test(arguments: [
    (2, "TT2", "TP1", "TAL"), (3, "TIT2", "TPE1", "TALB"), (4, "TIT2", "TPE1", "TALB"),
  ])
  func anEmptyFrameHidesNoOther(
    _ version: Int, _ title: String, _ artist: String, _ album: String
  ) {
    let read = read(
      id3: [
        ID3Bytes.frame(version, title, []),
        ID3Bytes.frame(version, artist, [0] + Array("Ann".utf8)),
        ID3Bytes.frame(version, title, []), ID3Bytes.frame(version, title, []),
        ID3Bytes.frame(version, album, [0] + Array("Rain".utf8)),
        [UInt8](repeating: 0, count: 30),
      ], version)
    #expect(lines(read) == ["ARTIST=Ann", "ALBUM=Rain"])
  }

  /// `IPRT` is ffmpeg's and Exif's name for `ITRK`.
  @Test(arguments: ["IPRT", "ITRK"])
  func tracksInLists(_ name: String) throws {
    let bytes = ChunkBytes.wave(front: [ChunkBytes.info([(name, Array("2/3".utf8))])])
    let metadata = try read(scratch.write(bytes, "in.wav"))
    #expect(lines(metadata) == ["TRACKNUMBER=2", "TRACKTOTAL=3"])
    // A file of this kind keeps the list unchanged and needs no other chunk.
    let (path, omissions) = try write(metadata, .wav, .s16, "same.wav")
    #expect(omissions == [])
    #expect(try read(path).chunks.map(\.content) == metadata.chunks.map(\.content))
    // With another number it has the total still.
    var changed = metadata
    changed.tags["TRACKNUMBER"] = ["7"]
    let other = try read(write(changed, .wav, .s16, "other.wav").path)
    #expect(lines(other).sorted() == ["TRACKNUMBER=7", "TRACKTOTAL=3"])
    let plain = ChunkBytes.wave(front: [ChunkBytes.info([(name, Array("5".utf8))])])
    #expect(lines(try read(scratch.write(plain, "plain.wav"))) == ["TRACKNUMBER=5"])
  }

  /// Only iTunes' own notes about the samples are dropped.
  @Test func commentsWithADescription() throws {
    func comment(_ description: String, _ text: String) -> [UInt8] {
      ID3Bytes.frame(2, "COM", [0] + Array("eng\(description)\0\(text)".utf8))
    }
    let metadata = read(
      id3: [
        comment("", "plain"), comment("iTunNORM", " 0000044E"), comment("iTunSMPB", " 00000000"),
        comment("iTunPGAP", "0"), comment("iTunes_CDDB_1", "9D09130B+174405"),
      ], 2)
    #expect(lines(metadata) == ["COMMENT=plain", "COMMENT:ITUNES_CDDB_1=9D09130B+174405"])
    for (container, encoding) in Self.containers + [(.wav, .s16)] {
      let (path, omissions) = try write(metadata, container, encoding)
      #expect(omissions == [])
      #expect(try lines(read(path)) == lines(metadata), "\(container)")
    }
  }

  private static let dates: [([(String, String)], [String])] = [
    ([("TYER", "2004"), ("TDAT", "0605"), ("TIME", "0708")], ["DATE=2004-05-06T07:08"]),
    ([("TYER", "2004"), ("TDAT", "0605")], ["DATE=2004-05-06"]),
    ([("TDAT", "0605")], ["TDAT=0605"]),
    ([("TDAT", "0605"), ("TIME", "0708")], ["TDAT=0605", "TIME=0708"]),
    ([("TYER", "2004"), ("TDAT", "June")], ["DATE=2004", "TDAT=June"]),
    ([("TYER", "2004"), ("TIME", "0708")], ["DATE=2004", "TIME=0708"]),
    ([("TYER", "2004"), ("TDAT", "0605"), ("TIME", "7 am")], ["DATE=2004-05-06", "TIME=7 am"]),
    ([("TYER", "2004-05-06"), ("TDAT", "0605")], ["DATE=2004-05-06"]),
    ([("TDRC", "2004"), ("TDAT", "0605")], ["DATE=2004", "TDAT=0605"]),
    ([("TDRC", "2004-05-06"), ("TDAT", "0605"), ("TYER", "2004")], ["DATE=2004-05-06"]),
  ]

  /// A date stored in parts keeps all of them.
  @Test(arguments: dates)
  func partsOfADate(_ parts: [(String, String)], _ expected: [String]) throws {
    let metadata = read(
      id3: parts.map { ID3Bytes.frame(3, $0.0, [0] + Array($0.1.utf8)) }, 3)
    #expect(lines(metadata) == expected)
    for (container, encoding) in [
      (Container.flac, SampleEncoding.s16), (.mp3, .mpegLayer3), (.wav, .s16), (.aiff, .s16),
    ] {
      var changed = metadata
      changed.tags.append("MOOD", "calm")
      let (path, omissions) = try write(changed, container, encoding)
      #expect(omissions == [])
      #expect(
        try lines(read(path)).sorted() == (expected + ["MOOD=calm"]).sorted(), "\(container)")
    }
  }

  private static let otherDates: [(String?, [String])] = [
    ("1999", ["DATE=1999", "ORIGINATION_DATE=2004-05-06"]),
    ("2004-05-06T07:08:09", ["DATE=2004-05-06T07:08:09"]), (nil, ["DATE=2004-05-06"]),
  ]

  /// The date of a work and the date of this recording are separate.
  @Test(arguments: otherDates)
  func aDateBesideThatOfTheRecording(_ date: String?, _ expected: [String]) throws {
    var metadata = Metadata()
    metadata.sampleRate = 48_000
    metadata.broadcast = .init()
    metadata.broadcast?.originationDate = "2004-05-06"
    if let date { metadata.tags.append("DATE", date) }
    let (path, omissions) = try write(metadata, .flac, .s16)
    #expect(omissions == [])
    #expect(try lines(read(path)) == expected)
  }
}
