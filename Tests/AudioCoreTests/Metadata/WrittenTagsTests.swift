import Foundation
import Testing

@testable import AudioCore

/// What FLAC, Ogg and MP3 files get beside their samples, which stay what they are.
@Suite struct WrittenTagsTests {
  let scratch: ScratchDirectory
  init() throws { scratch = try ScratchDirectory() }

  private static let containers: [(Container, SampleEncoding)] = [
    (.flac, .s16), (.ogg, .vorbis), (.opus, .opus), (.mp3, .mpegLayer3),
  ]
  private static let sampleFrames = 30_000

  /// A picture of so many bytes that look like frames and pages.
  private static func picture(_ count: Int) -> Metadata.Picture {
    let deceit = Array("OggSfLaC".utf8) + [0xFF, 0xFB, 0x90, 0x64, 0xFF]
    var picture = Metadata.Picture()
    picture.mimeType = "image/png"
    picture.description = "Übung"
    picture.data = (0..<count).map { index in
      let change = index % 97 == 0 ? UInt8(index & 0xFF) : 0
      return deceit[index % deceit.count] ^ change
    }
    return picture
  }

  private static func metadata(pictureSize: Int = 0) -> Metadata {
    var metadata = Metadata()
    metadata.tags.append("TITLE", "Übung 😀")
    metadata.tags.append("ARTIST", "Ann")
    metadata.tags.append("ARTIST", "Ben")
    metadata.tags.append("TRACKNUMBER", "3")
    metadata.tags.append("TRACKTOTAL", "12")
    metadata.tags.append("DATE", "2004-05-06")
    metadata.tags.append("COMMENT", "a=b\nc")
    metadata.tags.append("MOOD", "calm")
    if pictureSize > 0 { metadata.pictures = [picture(pictureSize)] }
    return metadata
  }

  private func write(
    _ metadata: Metadata?, _ container: Container, _ encoding: SampleEncoding,
    _ name: String = "out", sampleFrames: Int = sampleFrames
  ) throws -> (path: String, omissions: [Metadata.Omission]) {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let path = scratch.file(name)
    let sink = SoundFileSink(
      path: path, format: try FileFormat(container, encoding), overwrite: true)
    sink.metadata = metadata
    try store(material(sampleFrames, channels: 2, bits: 16), sink, format)
    return (path, sink.metadataOmissions)
  }

  private func read(_ path: String) throws -> Metadata {
    try SoundFileInformation(path: path).metadata
  }

  /// From none to a picture that needs dozens of pages.
  @Test(arguments: containers, [0, 1, 200, 65_000, 900_000])
  func tagsAndPicturesAreReadAgain(
    _ format: (container: Container, encoding: SampleEncoding), _ size: Int
  ) throws {
    let plain = try write(nil, format.container, format.encoding, "plain")
    let wanted = Self.metadata(pictureSize: size)
    let (path, omissions) = try write(wanted, format.container, format.encoding)
    #expect(omissions == [])
    let back = try read(path)
    #expect(back.tags.entries == wanted.tags.entries)
    #expect(back.pictures.map(\.description) == wanted.pictures.map(\.description))
    #expect(back.pictures.map(\.mimeType) == wanted.pictures.map(\.mimeType))
    let isSame = back.pictures.map(\.data) == wanted.pictures.map(\.data)
    #expect(isSame)
    let expected = try record(SoundFileSource(path: plain.path))
    let samples = try record(SoundFileSource(path: path))
    #expect(firstDifference(samples.samples, expected.samples) == nil)
    #expect(samples.truncation == nil)
    #expect(samples.description.samplesPerChannel == expected.description.samplesPerChannel)
  }

  /// No page is lost, and none changed but in its number and its checksum.
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

  /// Blocks in their order with their bytes, names as they were spelled, and what says nothing.
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
    // Behind STREAMINFO, in the place of the encoder's block.
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
    // What another encoder said of itself is not said again.
    #expect(comments.comments == [texts[0], texts[1], texts[2], texts[4], texts[5]])
    #expect(comments.vendor == VorbisComments(old.content)?.vendor)

    var changed = source
    changed.tags["ARTIST"] = ["Cid"]
    changed.tags.append("MOOD", "calm")
    changed.pictures = []
    changed.cueSheet = nil
    let other = try read(write(changed, .flac, .s16, "other.flac").path)
    #expect(other.chunks.map(\.identifier) == ["VORBIS_COMMENT", "APPLICATION", "BLOCK 99"])
    #expect(
      VorbisComments(other.chunks[0].content)?.comments == [
        texts[0], Array("Artist=Cid".utf8), Array("MOOD=calm".utf8), texts[1], texts[5],
      ])
  }

  /// From Ogg to Ogg texts keep their bytes and pictures theirs; in FLAC pictures become blocks.
  @Test func picturesMoveBetweenCommentsAndBlocks() throws {
    let block = XiphBytes.picture(4, [9, 8, 7])
    let text = "metadata_block_picture=\(Data(block).base64EncodedString())"
    let chunk = Metadata.Chunk(
      .ogg, "VORBIS_COMMENT", XiphBytes.comments("title=tune", text, "MOOD=calm") + [1])
    let source = Metadata(interpreting: [chunk])
    let ogg = try read(write(source, .opus, .opus, "a.opus").path)
    let comments = try #require(VorbisComments(ogg.chunks[0].content))
    #expect(comments.comments == ["title=tune", text, "MOOD=calm"].map { Array($0.utf8) })
    let flac = try read(write(ogg, .flac, .s16, "a.flac").path)
    #expect(flac.chunks.map(\.identifier) == ["VORBIS_COMMENT", "PICTURE"])
    let isSame = flac.chunks[1].content == block
    #expect(isSame)
    let again = try read(write(flac, .ogg, .vorbis, "b.ogg").path)
    #expect(again.tags == source.tags)
    #expect(again.pictures == source.pictures)
  }

  /// The length that a recording states is kept true, behind blocks of any size.
  @Test func aRecordingIsReadableWhileItGrows() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let path = scratch.file("live.flac")
    let sink = SoundFileSink(
      path: path, format: try FileFormat(.flac, .s16), replacement: .inPlace)
    sink.metadata = Self.metadata(pictureSize: 70_000)
    let samples = material(40_000, channels: 2, bits: 16)
    _ = try sink.initialize(proposing: format, wakeup: Wakeup())
    try sink.start()
    try feed(samples, sink)
    try sink.updateHeader()
    let copy = try scratch.write(contents(path), "copy.flac")
    let now = try SoundFileInformation(path: copy)
    let length = try #require(now.samplesPerChannel)
    // Whole blocks of 4,096 samples.
    #expect(length == 36_864)
    #expect(now.metadata.tags["TITLE"] == ["Übung 😀"])
    let half = try record(SoundFileSource(path: copy)).samples
    #expect(firstDifference(half, Array(samples.prefix(half.count))) == nil)
    try sink.stop(.finished)
    sink.dispose()
    let whole = try record(SoundFileSource(path: path)).samples
    #expect(firstDifference(whole, samples) == nil)
    #expect(try read(path).pictures.map(\.data.count) == [70_000])
  }

  @Test func aFileWithoutSamplesHasItsTags() throws {
    for (container, encoding) in [(Container.flac, SampleEncoding.s16), (.ogg, .vorbis)] {
      let (path, _) = try write(Self.metadata(), container, encoding, sampleFrames: 0)
      #expect(try read(path).tags["MOOD"] == ["calm"])
      #expect(try record(SoundFileSource(path: path)).samples.isEmpty)
    }
  }

  @Test(arguments: containers)
  func onAPipeItIsTheSame(_ container: Container, _ encoding: SampleEncoding) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let samples = material(20_000, channels: 2, bits: 16)
    let bytes = try Pipe.collecting { end in
      let sink = SoundFileSink(
        descriptor: end, name: "pipe", format: try FileFormat(container, encoding))
      sink.metadata = Self.metadata(pictureSize: 100_000)
      try store(samples, sink, format)
    }
    let plain = try Pipe.collecting { end in
      try store(
        samples,
        SoundFileSink(
          descriptor: end, name: "pipe", format: try FileFormat(container, encoding)), format)
    }
    let path = try scratch.write(bytes, "piped")
    let back = try read(path)
    #expect(back.tags == Self.metadata().tags)
    #expect(back.pictures.map(\.data.count) == [100_000])
    let expected = try record(SoundFileSource(path: scratch.write(plain, "plain"))).samples
    #expect(firstDifference(try record(SoundFileSource(path: path)).samples, expected) == nil)
  }

  /// A tag that says what is wanted, and nothing of how long its file was, stays as it is.
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

    // A length, what made the file, and a text that changes: the others are taken over as they stand.
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
    #expect(tag.frames[0].content == Array(text.dropFirst(10)))
    #expect(tag.frames[1].content == Array(own.dropFirst(10)))
    #expect(
      other.tags.entries.map { "\($0.key)=\($0.value)" } == [
        "TITLE=tune", "TRACKNUMBER=4", "TRACKTOTAL=12", "DATE=2004", "MOOD=calm",
      ])
  }

  /// A part that may have so many bytes has room for its picture, too.
  @Test(arguments: containers)
  func picturesCountAsBytesOfAPart(_ container: Container, _ encoding: SampleEncoding) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let limit: Int64 = 900_000
    let sink = SoundFileSink(
      path: scratch.file("part"), format: try FileFormat(container, encoding), overwrite: true)
    sink.metadata = Self.metadata(pictureSize: 300_000)
    defer { sink.dispose() }
    _ = try sink.initialize(proposing: format, wakeup: Wakeup())
    try sink.start()
    let count = try sink.samplesPerChannelThatFit(in: limit)
    #expect(count > 10_000)
    _ = try sink.write(material(Int(count), channels: 2, bits: 16).span)
    try sink.stop(.finished)
    #expect(try contents(scratch.file("part")).count <= limit)
  }

  /// A tag that states more bytes than it has would swallow the sound.
  @Test func aCutTagIsNotTakenOver() throws {
    var cut = Array("APETAGEX".utf8) + ChunkBytes.number(2_000, 4) + ChunkBytes.number(500_000, 4)
    cut += [UInt8](repeating: 0, count: 16)
    let source = Metadata(interpreting: [.init(.id3, "APEv2", cut)])
    let (path, _) = try write(source, .mp3, .mpegLayer3, "a.mp3")
    let plain = try write(nil, .mp3, .mpegLayer3, "plain.mp3").path
    let isSame = try contents(path) == contents(plain)
    #expect(isSame)
  }

  /// A name may have any character from space to `}` but `=`; a colon parts what a comment describes.
  @Test(arguments: containers, [":", "::", "COMMENT:", ":A", "A:", "COMMENT:A:B", "}", "  "])
  func unusualNames(
    _ format: (container: Container, encoding: SampleEncoding), _ name: String
  ) throws {
    var metadata = Metadata()
    metadata.tags.append(name, "text")
    let (path, omissions) = try write(metadata, format.container, format.encoding)
    #expect(omissions == [])
    #expect(try read(path).tags.entries.map(\.value) == ["text"])
  }

  /// What one container calls its texts is no name for another text elsewhere.
  @Test(arguments: containers + [(.wav, .s16), (.rf64, .s16), (.aiff, .s16)])
  func namesOfContainersAreNames(_ container: Container, _ encoding: SampleEncoding) throws {
    let names = TagNames.Vocabulary.allCases.flatMap { vocabulary in
      TagNames.all.compactMap { TagNames.name($0.key, in: vocabulary) }
    }
    var metadata = Metadata()
    for name in Set(names.compactMap(Metadata.Tags.key)).sorted() where name != "YEAR" {
      metadata.tags.append(name, "text of \(name)")
    }
    for name in TagNames.all where metadata.tags[name.key].isEmpty && name.key != "DATE" {
      metadata.tags.append(name.key, "text of \(name.key)")
    }
    let (path, omissions) = try write(metadata, container, encoding)
    #expect(omissions == [])
    let back = try read(path).tags
    for tag in metadata.tags.entries where !["ENCODER", "TSSE", "ISFT"].contains(tag.key) {
      #expect(back[tag.key] == [tag.value], "\(tag.key)")
    }
    for tag in back.entries { #expect(tag.value == "text of \(tag.key)") }
  }

  /// Where a recording comes from goes into texts, and what has no place is named.
  @Test(arguments: containers)
  func whatHasNoPlaceIsNamed(_ container: Container, _ encoding: SampleEncoding) throws {
    var metadata = Metadata(interpreting: [.init(.riff, "iXML", [1, 2])])
    metadata.sampleRate = 48_000
    metadata.markers = [.init(identifier: 1, position: 5)]
    metadata.instrument = .init()
    metadata.broadcast = .init()
    metadata.broadcast?.originationDate = "2004-05-06"
    metadata.broadcast?.timeReference = 48_000
    metadata.cueSheet = Metadata.CueSheet(block: XiphBytes.cueSheet)
    let (path, omissions) = try write(metadata, container, encoding)
    let names = omissions.map(\.name)
    #expect(names.contains("'iXML' chunk"))
    #expect(names.contains { $0.contains("mark") })
    #expect(names.contains("cue sheet") == (container != .flac))
    #expect(names.count == (container == .flac ? 3 : 4))
    let tags = try read(path).tags
    #expect(tags["DATE"] == ["2004-05-06"])
    #expect(tags["TIME_REFERENCE"] == ["48000"])
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

  /// The frames in a chapter, too, are those of version 2.4 afterwards.
  @Test func chaptersAreTakenOver() throws {
    let name = [UInt8](repeating: 0x61, count: 200)
    var times = Array("one".utf8) + [0, 0, 0, 0, 0]
    times += ChunkBytes.number(500, 4, big: true)
    times += [UInt8](repeating: 0xFF, count: 8)
    let chapter = ID3Bytes.frame(3, "CHAP", times + ID3Bytes.frame(3, "TIT2", [0] + name))
    let length = ID3Bytes.frame(3, "TLEN", [0] + Array("1000".utf8))
    let source = Metadata(interpreting: [.init(.id3, "ID3v2", ID3Bytes.tag(3, [length, chapter]))])
    let back = try read(write(source, .mp3, .mpegLayer3, "a.mp3").path)
    let tag = try #require(ID3Tag(back.chunks[0].content))
    #expect(tag.frames.map(\.identifier) == ["CHAP"])
    #expect(tag.frames[0].content == times + ID3Bytes.frame(4, "TIT2", [0] + name))
    let (_, omissions) = try write(source, .flac, .s16, "a.flac")
    #expect(omissions.map(\.name) == ["'CHAP' frame"])
  }
}
