// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// Rules only for the comments, blocks and pages of written FLAC and Ogg files.
@Suite struct WrittenXiphTests: WrittenTags {
  let scratch = ScratchDirectory()

  /// No page is lost, and a page changes only in its number and its checksum.
  @Test(arguments: [(Container.ogg, SampleEncoding.vorbis), (.opus, .opus)])
  func pagesOfSoundStayWhatTheyAre(_ container: Container, _ encoding: SampleEncoding) throws {
    func pages(_ path: String) throws -> [OggPage] {
      let bytes = try contents(path)
      var pages: [OggPage] = []
      var start = 0
      while let (_, size) = OggPage.sizes(Array(bytes[start...].prefix(282))) {
        pages.append(try #require(OggPage(Array(bytes[start..<start + size]))))
        start += size
      }
      #expect(start == bytes.count)
      return pages
    }
    let plain = try pages(write(nil, container, encoding, "plain").path)
    let tagged = try pages(
      write(Self.metadata(pictureSize: 200_000), container, encoding).path)
    #expect(tagged.map(\.sequence) == tagged.indices.map { UInt32($0) })
    #expect(Set(tagged.map(\.stream)).count == 1)
    let sound = plain.drop { $0.granule == 0 || $0.granule == .max }
    let taggedSound = tagged.suffix(sound.count)
    #expect(taggedSound.map(\.granule) == sound.map(\.granule))
    #expect(taggedSound.map(\.flags) == sound.map(\.flags))
    for (page, other) in zip(sound, taggedSound) {
      let isSame = page.body == other.body && page.segments == other.segments
      #expect(isSame)
    }
    #expect(tagged.dropLast(sound.count).allSatisfy { $0.granule == 0 || $0.granule == .max })
  }

  /// Blocks in order with their bytes, names in their spelling, and comments without meaning.
  @Test func flacKeepsItsBlocks() throws {
    let (path, _) = try write(nil, .flac, .s16, "plain.flac")
    let plain = try contents(path)
    let old = try #require(try read(path).chunks.first)
    let texts: [[UInt8]] = [
      Array("title=tune".utf8), Array("nothing".utf8), Array("Artist=Ann".utf8),
      Array("encoder=someone 1".utf8), Array("artist=".utf8) + [0xDC], Array("ALBUM=".utf8),
    ]
    let blocks: [(UInt8, [UInt8])] = [
      (6, XiphBytes.picture(3, [1, 2, 3])), (4, XiphBytes.comments(texts)),
      (2, Array("riffRIFF".utf8)), (5, XiphBytes.cueSheet), (99, [9]),
    ]
    // After STREAMINFO, in place of the encoder's block.
    var file = Array(plain[..<42])
    for block in blocks { file += XiphBytes.block(block.0, block.1) }
    file += XiphBytes.block(1, [0, 0, 0], isLast: true)
    file += plain[(42 + 4 + old.content.count)...]
    let source = try read(scratch.write(file, "in.flac"))
    #expect(source.chunks.count == 5)
    let (copied, omissions) = try write(source, .flac, .s16, "copy.flac")
    let copy = try read(copied)
    #expect(omissions == [])
    #expect(copy.chunks.map(\.identifier) == source.chunks.map(\.identifier))
    for (chunk, block) in zip(copy.chunks, blocks) where block.0 != 4 {
      let isSame = chunk.content == block.1
      #expect(isSame)
    }
    let comments = try #require(VorbisComments(copy.chunks[1].content))
    // Another encoder's own comments are dropped.
    #expect(
      comments.comments.map { Array($0) } == [texts[0], texts[1], texts[2], texts[4], texts[5]])
    #expect(comments.vendor == VorbisComments(old.content)?.vendor)

    var changed = source
    changed.tags["ARTIST"] = ["Cid"]
    changed.tags.append("MOOD", "calm")
    changed.pictures = []
    changed.cueSheet = nil
    let other = try read(write(changed, .flac, .s16, "other.flac").path)
    #expect(other.chunks.map(\.identifier) == ["VORBIS_COMMENT", "APPLICATION", "BLOCK 99"])
    #expect(
      VorbisComments(other.chunks[0].content)?.comments.map { Array($0) } == [
        texts[0], Array("Artist=Cid".utf8), Array("MOOD=calm".utf8), texts[1], texts[5],
      ])
  }

  /// From Ogg to Ogg texts and pictures keep their bytes; in FLAC pictures become blocks.
  @Test func picturesMoveBetweenCommentsAndBlocks() throws {
    let block = XiphBytes.picture(4, [9, 8, 7])
    let text = "metadata_block_picture=\(Data(block).base64EncodedString())"
    let chunk = Metadata.Chunk(
      .ogg, "VORBIS_COMMENT", XiphBytes.comments("title=tune", text, "MOOD=calm") + [1])
    let source = Metadata(interpreting: [chunk])
    let ogg = try read(write(source, .opus, .opus, "a.opus").path)
    let comments = try #require(VorbisComments(ogg.chunks[0].content))
    #expect(
      comments.comments.map { Array($0) }
        == ["title=tune", text, "MOOD=calm"].map { Array($0.utf8) })
    let flac = try read(write(ogg, .flac, .s16, "a.flac").path)
    #expect(flac.chunks.map(\.identifier) == ["VORBIS_COMMENT", "PICTURE"])
    let isSame = flac.chunks[1].content == block
    #expect(isSame)
    let again = try read(write(flac, .ogg, .vorbis, "b.ogg").path)
    #expect(again.tags == source.tags)
    #expect(again.pictures == source.pictures)
  }

  @Test func unusualLoudspeakersAreSaidInFLAC() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 6)
    let layouts: [(Metadata.ChannelLayout, Metadata.ChannelLayout?)] = [
      (.speakers(0x60F), .speakers(0x60F)), (.speakers(0x3F), nil), (.discrete, .discrete),
      (.ambisonic, nil),
    ]
    for (layout, wanted) in layouts {
      let path = scratch.file("six.flac")
      let sink = SoundFileSink(
        path: path, format: try FileFormat(.flac, .s16), overwrite: true)
      sink.metadata = Metadata()
      sink.metadata?.channelLayout = layout
      try store(material(3_000, channels: 6, bits: 16), sink, format)
      #expect(try read(path).channelLayout == wanted)
      #expect(
        sink.metadataOmissions.map(\.name) == (layout == .ambisonic ? ["channel layout"] : []))
    }
  }
}
