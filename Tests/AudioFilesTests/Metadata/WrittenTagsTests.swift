// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// The metadata written to FLAC, Ogg and MP3 files leaves their samples unchanged.
@Suite struct WrittenTagsTests: WrittenTags {
  let scratch = ScratchDirectory()

  /// From no picture to one that needs dozens of pages.
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
    #expect(back.pictures.map(\.mediaType) == wanted.pictures.map(\.mediaType))
    let isSame = back.pictures.map(\.data) == wanted.pictures.map(\.data)
    #expect(isSame)
    let expected = try record(SoundFileSource(path: plain.path))
    let samples = try record(SoundFileSource(path: path))
    #expect(firstDifference(samples.samples, expected.samples) == nil)
    #expect(samples.truncation == nil)
    #expect(samples.description.samplesPerChannel == expected.description.samplesPerChannel)
  }

  /// The stated length of a growing recording stays true, after blocks of any size.
  @Test func aRecordingIsReadableWhileItGrows() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let path = scratch.file("live.flac")
    let sink = SoundFileSink(
      path: path, format: try FileFormat(.flac, .s16), replacement: .inPlace)
    sink.metadata = Self.metadata(pictureSize: 70_000)
    let samples = material(40_000, channels: 2, bits: 16)
    try sink.begin(format)
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
    try sink.complete()
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

  /// A part with a size limit has room for its picture, too.
  @Test(arguments: containers)
  func picturesCountAsBytesOfAPart(_ container: Container, _ encoding: SampleEncoding) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let limit: Int64 = 900_000
    let sink = SoundFileSink(
      path: scratch.file("part"), format: try FileFormat(container, encoding), overwrite: true)
    sink.metadata = Self.metadata(pictureSize: 300_000)
    defer { sink.dispose() }
    try sink.begin(format)
    let count = try sink.samplesPerChannelThatFit(in: limit)
    #expect(count > 10_000)
    _ = try sink.write(material(Int(count), channels: 2, bits: 16).span)
    try sink.stop(.finished)
    #expect(try contents(scratch.file("part")).count <= limit)
  }
}
