// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// The metadata of FLAC and Ogg files, compared with files written byte by byte.
@Suite struct XiphMetadataTests {
  private func read(flac blocks: [[UInt8]]) throws -> Metadata {
    Metadata(
      interpreting: try FlacBlocks.collect(HeldBytes(XiphBytes.flac(blocks)), from: 0).chunks)
  }

  private func read(ogg bytes: [UInt8]) throws -> Metadata {
    Metadata(interpreting: try OggComments.collect(HeldBytes(bytes), from: 0).chunks)
  }

  private func lines(_ metadata: Metadata) -> [String] {
    metadata.tags.entries.map { "\($0.key)=\($0.value)" }
  }

  @Test func everyBlockIsKeptAsItStands() throws {
    let blocks: [(UInt8, [UInt8])] = [
      (4, XiphBytes.comments("title=tune", "ARTIST=Ann", "Artist=Ben")),
      (6, XiphBytes.picture(3, [1, 2, 3])), (2, Array("riffRIFF".utf8)), (5, XiphBytes.cueSheet),
      (6, XiphBytes.picture(4, [4, 5])), (99, [9]), (2, []),
    ]
    var pieces = blocks.map { XiphBytes.block($0.0, $0.1) }
    pieces.insert(XiphBytes.block(3, [UInt8](repeating: 1, count: 18)), at: 1)
    pieces.append(XiphBytes.block(1, [0, 0, 0], isLast: true))
    let metadata = try read(flac: pieces)
    #expect(
      metadata.chunks.map(\.identifier) == [
        "VORBIS_COMMENT", "PICTURE", "APPLICATION", "CUESHEET", "PICTURE", "BLOCK 99",
        "APPLICATION",
      ])
    for (chunk, block) in zip(metadata.chunks, blocks) {
      let isSame = chunk.content == block.1 && chunk.family == .flac
      #expect(isSame)
    }
    #expect(lines(metadata) == ["TITLE=tune", "ARTIST=Ann", "ARTIST=Ben"])
    #expect(metadata.pictures.map(\.kind) == [.frontCover, .backCover])
    #expect(metadata.pictures.map(\.data) == [[1, 2, 3], [4, 5]])
    #expect(metadata.pictures.map(\.width) == [640, 640])
    #expect(metadata.pictures.map(\.mediaType) == ["image/png", "image/png"])
    #expect(metadata.omissions == [])
  }

  @Test func theTracksOfADiscAreRead() throws {
    let metadata = try read(flac: [XiphBytes.block(5, XiphBytes.cueSheet, isLast: true)])
    let sheet = try #require(metadata.cueSheet)
    #expect(sheet.catalog == "1234567890123")
    #expect(sheet.leadIn == 88_200)
    #expect(sheet.isCompactDisc)
    #expect(sheet.tracks.map(\.number) == [1, 2, 170])
    #expect(sheet.tracks.map(\.position) == [0, 58_800, 132_300])
    #expect(sheet.tracks.map(\.isrc) == ["DEABC0012345", "", ""])
    #expect(sheet.tracks.map(\.isAudio) == [true, false, true])
    #expect(sheet.tracks.map(\.hasPreEmphasis) == [false, true, false])
    #expect(sheet.tracks[1].indices.map(\.offset) == [0, 588])
    #expect(sheet.tracks[1].indices.map(\.number) == [0, 1])
    let isSame = sheet.block == XiphBytes.cueSheet
    #expect(isSame)
  }

  /// No name, an illegal name, an empty text, bytes that are no UTF-8, the encoder's name, and loudspeakers.
  @Test func commentsThatSayNothingAreNoTags() throws {
    let texts: [[UInt8]] = [
      Array("nothing".utf8), Array("na~me=x".utf8), Array("TITLE=".utf8), Array("=x".utf8),
      Array("ARTIST=".utf8) + [0xDC], Array("ENCODER=libsndfile".utf8), Array("COMMENT=a=b".utf8),
      Array("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x60F".utf8),
    ]
    let metadata = try read(
      flac: [XiphBytes.block(4, XiphBytes.comments(texts), isLast: true)])
    #expect(lines(metadata) == ["ARTIST=Ü", "COMMENT=a=b"])
    #expect(metadata.channelLayout == .speakers(0x60F))
    let again = VorbisComments(metadata.chunks[0].content)?.bytes
    #expect(again == XiphBytes.comments(texts))
  }

  @Test func cutAndLyingBlocksSayNothing() throws {
    let comments = XiphBytes.comments("TITLE=tune", "ARTIST=Ann")
    for count in 0..<comments.count {
      let metadata = try read(
        flac: [XiphBytes.block(4, Array(comments.prefix(count)), isLast: true)])
      #expect(metadata.tags.isEmpty)
      #expect(metadata.chunks.count == 1)
    }
    let picture = XiphBytes.picture(3, [1, 2, 3])
    for count in 0..<picture.count {
      let metadata = try read(
        flac: [XiphBytes.block(6, Array(picture.prefix(count)), isLast: true)])
      #expect(metadata.pictures.isEmpty)
    }
    for count in 0..<XiphBytes.cueSheet.count {
      let sheet = Metadata.CueSheet(block: Array(XiphBytes.cueSheet.prefix(count)))
      #expect(sheet == nil)
    }
    let lying = Array(XiphBytes.flac([XiphBytes.block(4, comments)]).dropLast(5))
    let (chunks, omissions) = try FlacBlocks.collect(HeldBytes(lying), from: 0)
    #expect(chunks.isEmpty)
    #expect(omissions == [.init("VORBIS_COMMENT block", because: "it is cut short")])
    // A count of over four thousand million texts.
    let many = XiphBytes.comments(vendor: "x").dropLast(4) + [0xFF, 0xFF, 0xFF, 0xFF]
    #expect(VorbisComments(Array(many)) == nil)
  }

  private static let vorbis: [UInt8] = [1] + Array("vorbis".utf8) + [UInt8](repeating: 0, count: 23)
  private static let opus = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]

  /// The comments span as many pages as they need.
  @Test func commentsInOggAreRead() throws {
    let picture = XiphBytes.picture(3, (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
    let text = "metadata_block_picture=\(Data(picture).base64EncodedString())"
    let comments = XiphBytes.comments("TITLE=tune", text, "Artist=Ann")
    let vorbis = Array("vorbis".utf8)
    let flac: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 2]
    let files: [[[UInt8]]] = [
      [Self.vorbis, [3] + vorbis + comments + [1], [5] + vorbis],
      [Self.opus, Array("OpusTags".utf8) + comments],
      [Array("Speex   1.2".utf8), comments],
      [
        flac + XiphBytes.flac([]),
        XiphBytes.block(4, XiphBytes.comments("TITLE=tune", "Artist=Ann")),
        XiphBytes.block(6, picture, isLast: true),
      ],
    ]
    for packets in files {
      let metadata = try read(ogg: XiphBytes.pages(packets))
      #expect(lines(metadata) == ["TITLE=tune", "ARTIST=Ann"])
      #expect(metadata.pictures.count == 1)
      let data = try #require(metadata.pictures.first?.data)
      #expect(
        firstDifference(data.map(Double.init), Array(picture.suffix(150_000)).map(Double.init))
          == nil)
    }
  }

  /// Another stream first, a damaged page, and a stream that is no sound.
  @Test func commentsAreThoseOfTheFirstSoundAndWhole() throws {
    let comments = Array("OpusTags".utf8) + XiphBytes.comments("TITLE=tune")
    let sound = XiphBytes.pages([Self.opus, comments])
    let video = XiphBytes.pages([[0x80] + Array("theora".utf8)], stream: 3)
    #expect(lines(try read(ogg: video + sound)) == ["TITLE=tune"])
    #expect(try read(ogg: video).chunks.isEmpty)
    for index in sound.indices {
      var damaged = sound
      damaged[index] ^= 0x10
      #expect(try read(ogg: damaged).chunks.isEmpty)
      #expect(try read(ogg: Array(sound.prefix(index))).chunks.isEmpty)
    }
  }

  @Test func bytesAsTextAndBack() throws {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 91 + count) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.encoded(bytes) == Array(text.utf8))
      #expect(try #require(Base64.decoded(text.utf8)) == bytes)
      let bare = text.utf8.filter { $0 != UInt8(ascii: "=") }
      #expect(try #require(Base64.decoded(bare)) == bytes)
    }
    #expect(Base64.decoded("AB=C".utf8) == nil)
    #expect(Base64.decoded("A".utf8) == nil)
    #expect(Base64.decoded("AB C".utf8) == nil)
  }

  /// Files written by libsndfile are readable, including their checksums.
  @Test(arguments: [(Container.ogg, SampleEncoding.vorbis), (.opus, .opus), (.flac, .s16)])
  func filesOfOurOwnAreUnderstood(_ container: Container, _ encoding: SampleEncoding) throws {
    let scratch = ScratchDirectory()
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let path = scratch.file("x")
    try storeMaterial(20_000, in: path, FileFormat(container, encoding), format)
    let metadata = try SoundFileInformation(path: path).metadata
    #expect(metadata.chunks.map(\.identifier) == ["VORBIS_COMMENT"])
    #expect(metadata.tags.isEmpty)
    #expect(metadata.sampleRate == 48_000)
  }
}
