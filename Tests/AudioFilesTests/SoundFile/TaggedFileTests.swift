// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// Tags before and after a file are no part of its sound and hide none of it.
@Suite struct TaggedFileTests {
  let scratch = ScratchDirectory()

  /// Every format that libsndfile detects from its first bytes.
  static let formats: [WritableFormat] = WritableFormat.all.filter {
    ![.raw, .htk].contains($0.container)
  }

  private func bytes(_ file: WritableFormat, _ sampleFrames: Int = 3_000) throws -> [UInt8] {
    let format = try file.format()
    let path = scratch.file("bare")
    try storeMaterial(
      sampleFrames, in: path, FileFormat(file.container, file.encoding), format,
      rate: Double(file.rate), overwrite: true)
    return try contents(path)
  }

  @Test(arguments: formats)
  func everyContainerKeepsItsEndBehindATag(_ file: WritableFormat) throws {
    let bare = try bytes(file)
    let expected = try record(SoundFileSource(path: scratch.file("bare")))
    let tag = TagBytes.id3v2(3, [UInt8](repeating: 0, count: 1_990))
    let path = try scratch.write(tag + bare, "tagged")
    let back = try record(SoundFileSource(path: path))
    #expect(firstDifference(back.samples, expected.samples) == nil)
    #expect(back.truncation == nil)
    let information = try SoundFileInformation(path: path)
    #expect(information.samplesPerChannel == expected.description.samplesPerChannel)
  }

  private func mp3(
    _ rate: Int, _ channels: Int, _ sampleFrames: Int = 9_999
  ) throws -> (bytes: [UInt8], samples: [Double]) {
    let format = try StreamFormat(sampleRate: rate, channelCount: channels)
    let path = scratch.file("bare.mp3")
    try storeMaterial(
      sampleFrames, in: path, FileFormat(.mp3, .mpegLayer3), format, rate: Double(rate),
      overwrite: true)
    let samples = try record(SoundFileSource(path: path)).samples
    // The encoder states the number of its samples, and a decoder returns that many.
    #expect(samples.count == sampleFrames * channels)
    return (try contents(path), samples)
  }

  private func expect(
    _ file: [UInt8], gives samples: [Double], _ channels: Int, _ name: String
  ) throws {
    let path = try scratch.write(file, "in.mp3")
    let back = try record(SoundFileSource(path: path))
    #expect(firstDifference(back.samples, samples) == nil, "\(name)")
    #expect(back.truncation == nil, "\(name)")
    let claimed = try SoundFileInformation(path: path).samplesPerChannel
    #expect(try #require(claimed) == Int64(samples.count / channels), "\(name)")
  }

  /// Versions 1, 2 and 2.5 of MPEG, with and without the encoder's header.
  @Test(arguments: [(44_100, 2), (48_000, 1), (22_050, 2), (16_000, 1), (11_025, 2)])
  func mpegAudioIsWholeBetweenAllTags(_ rate: Int, _ channels: Int) throws {
    let (bare, samples) = try mp3(rate, channels)
    let header = try #require(MpegFrameHeader(bare))
    let frames = Array(bare[header.byteCount...])
    let path = try scratch.write(frames, "frames.mp3")
    let plain = try record(SoundFileSource(path: path)).samples
    // After LAME's delay of 576 samples and the decoder's of 529 the samples are equal.
    let delay = (576 + 529) * channels
    #expect(plain.count % (header.sampleCount * channels) == 0)
    #expect(
      firstDifference(Array(plain[delay..<(delay + samples.count)]), samples) == nil)

    for (name, tag) in TagBytes.inFront {
      try expect(tag + bare, gives: samples, channels, name)
      try expect(tag + frames + TagBytes.id3v1, gives: plain, channels, name)
    }
    for (name, tag) in TagBytes.behind {
      try expect(bare + tag, gives: samples, channels, name)
      try expect(frames + tag, gives: plain, channels, name)
    }
  }

  @Test func whatStandsInFrontOfTheFirstFrameIsPassedOver() throws {
    let (bare, samples) = try mp3(44_100, 2)
    let junk = (0..<3_000).map { (index: Int) in UInt8((index * 37 + 11) % 251) }
    let zeros = [UInt8](repeating: 0, count: 2_048)
    try expect(junk + bare, gives: samples, 2, "junk")
    try expect(TagBytes.id3v2(3, [1]) + zeros + bare, gives: samples, 2, "zeros behind a tag")
  }

  /// libmpg123 gives up after a kilobyte without a frame.
  @Test func framesBehindOtherBytesAreFound() throws {
    let (bare, _) = try mp3(44_100, 2)
    let header = try #require(MpegFrameHeader(bare))
    let frames = Array(bare[header.byteCount...])
    let junk = [UInt8](repeating: 0x55, count: 9_000)
    let path = try scratch.write(frames + junk + frames, "in.mp3")
    let twice = try record(SoundFileSource(path: path))
    let once = try record(SoundFileSource(path: scratch.write(frames, "once.mp3")))
    #expect(twice.samples.count == 2 * once.samples.count)
    #expect(twice.truncation == nil)
  }

  /// The header of the first file counts only its own frames.
  @Test func aFileThatIsAppendedIsHeard() throws {
    let (bare, samples) = try mp3(44_100, 2)
    let path = try scratch.write(bare + TagBytes.id3v1 + TagBytes.id3v2(3, [9]) + bare, "in.mp3")
    let both = try record(SoundFileSource(path: path))
    #expect(both.samples.count > 2 * samples.count)
    #expect(firstDifference(Array(both.samples.prefix(samples.count)), samples) == nil)
    #expect(both.truncation == nil)
    let claimed = try SoundFileInformation(path: path).samplesPerChannel
    #expect(try #require(claimed) == Int64(both.samples.count / 2))
  }

  @Test func textsOfTagsAreStillTold() throws {
    let (bare, _) = try mp3(44_100, 1)
    let title = Array("TIT2\0\0\0\u{4}\0\0\0abc".utf8)
    let path = try scratch.write(TagBytes.id3v2(3, title) + bare, "in.mp3")
    #expect(try SoundFileInformation(path: path).texts[.title] == "abc")
  }

  @Test func bytesThatOnlyLookLikeFramesEndTheSearch() throws {
    let (bare, samples) = try mp3(44_100, 1)
    let path = try scratch.write(
      bare + [UInt8](repeating: 0, count: 4)
        + (0..<1_500_000).flatMap { _ in [0xFF, 0xFB, 0x90, 0xC0] },
      "in.mp3")
    let back = try record(SoundFileSource(path: path))
    #expect(firstDifference(back.samples, samples) == nil)
  }
}
