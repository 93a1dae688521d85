// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioStreams

/// A new decoder in the middle of an MPEG stream returns the bits of one that has read everything before.
@Suite struct MpegSkipTests {
  let scratch = ScratchDirectory()

  struct Kind: CustomTestStringConvertible, Sendable {
    var rate: Int
    var channels: Int
    var settings: EncoderSettings

    var testDescription: String { "\(rate) Hz, \(channels) channels, \(settings)" }
  }

  /// Versions 1, 2 and 2.5 of MPEG, of constant and changing bit rates; the reservoir of the smallest is 23 frames long.
  static let kinds = [
    Kind(rate: 44_100, channels: 2, settings: EncoderSettings(bitRate: 128)),
    Kind(rate: 48_000, channels: 1, settings: EncoderSettings(bitRate: 32)),
    Kind(rate: 32_000, channels: 2, settings: EncoderSettings(quality: 4)),
    Kind(rate: 22_050, channels: 2, settings: EncoderSettings(quality: 7)),
    Kind(rate: 24_000, channels: 1, settings: EncoderSettings(bitRate: 8)),
    Kind(rate: 8_000, channels: 1, settings: EncoderSettings(bitRate: 16)),
  ]

  /// Six seconds of noise whose level changes, so that frames differ in their sizes.
  private func file(_ kind: Kind) throws -> [UInt8] {
    let path = scratch.file("made.mp3")
    let noise = Noise.integers(kind.channels * 6 * kind.rate, seed: UInt64(kind.rate))
    let samples = noise.enumerated().map { index, value in
      value * (index / (kind.channels * kind.rate / 3) % 3 == 0 ? 0.02 : 0.5)
    }
    let format = try FileFormat(.mp3, .mpegLayer3).encoded(with: kind.settings)
    try store(
      samples, in: path, format,
      StreamFormat(sampleRate: kind.rate, channelCount: kind.channels), overwrite: true)
    return try contents(path)
  }

  /// Reads a file from several places on, and expects the end of the whole.
  private func expectEnds(of bytes: [UInt8], _ kind: Kind, _ name: String) throws {
    let path = try scratch.write(bytes, "in.mp3")
    let whole = try record(SoundFileSource(path: path)).samples
    let length = Int64(whole.count / kind.channels)
    var random = SeededRandom(seed: UInt64(bytes.count))
    let places = (0..<6).map { _ in Int64.random(in: 0..<length, using: &random) }
    for place in places + [length - 1, length - 1_000, length / 2, length, length + 5] {
      let back = try record(SoundFileSource(path: path), skipping: place).samples
      let expected = Array(whole[Int(min(place, length)) * kind.channels..<whole.count])
      #expect(firstDifference(back, expected) == nil, "\(name) from \(place) of \(length)")
    }
  }

  @Test(arguments: kinds)
  func theSamplesBehindASkipAreThose(ofAWholeReading kind: Kind) throws {
    let bytes = try file(kind)
    let header = try #require(MpegFrameHeader(bytes))
    let frames = Array(bytes[header.byteCount...])
    try expectEnds(of: bytes, kind, "with the encoder's header")
    try expectEnds(of: frames, kind, "without it")

    let junk = (0..<700).map { (index: Int) in UInt8((index * 37 + 11) % 251) }
    let middle = try frameStarts(frames)
    let gap = middle[middle.count / 3]
    var broken = frames
    broken.insert(contentsOf: junk, at: gap)
    try expectEnds(of: broken, kind, "with a gap")
    try expectEnds(of: Array(frames[gap...]), kind, "cut from a stream")
    try expectEnds(of: Array(bytes[..<(bytes.count * 4 / 5)]), kind, "with its end cut off")
    try expectEnds(of: bytes + bytes, kind, "twice")
  }

  private func frameStarts(_ frames: [UInt8]) throws -> [Int] {
    var (starts, place) = ([Int](), 0)
    while place < frames.count {
      starts.append(place)
      place += try #require(MpegFrameHeader(Array(frames[place...].prefix(4)))).byteCount
    }
    return starts
  }

  @Test(arguments: kinds)
  func severalSkipsFollowOneAnother(_ kind: Kind) throws {
    let path = try scratch.write(file(kind), "in.mp3")
    let whole = try record(SoundFileSource(path: path)).samples
    let source = SoundFileSource(path: path)
    defer { source.dispose() }
    _ = try source.initialize(proposing: nil, wakeup: Wakeup())
    let queue = TestQueue(capacity: 300 * kind.channels)
    let step = kind.rate
    for turn in 0..<5 {
      var samples: [Double] = []
      _ = try queue.take(from: source, into: &samples)
      let start = turn * step * kind.channels
      #expect(!samples.isEmpty)
      #expect(samples == Array(whole[start..<start + samples.count]), "turn \(turn)")
      try source.skip(samplesPerChannel: Int64(step - samples.count / kind.channels))
    }
  }

  private func opened(_ path: String) throws -> OpenedSoundFile {
    try OpenedSoundFile(FileDescriptor(reading: path), as: nil, headerless: nil)
  }

  /// Otherwise the tests above would also pass if everything were decoded.
  @Test(arguments: kinds)
  func theReaderSkips(_ kind: Kind) throws {
    let path = try scratch.write(file(kind), "in.mp3")
    let reader = try opened(path).reader
    let isLong = kind.rate >= 32_000 ? Int64(5 * kind.rate) : Int64(59 * kind.rate / 10)
    #expect(try reader.skip(sampleFrames: isLong))
    #expect(try !opened(path).reader.skip(sampleFrames: 1_000))
    #expect(try !opened(path).reader.skip(sampleFrames: .max))
  }

  /// A decoder drops a frame of an impossible length, and its window moves on less far.
  @Test func aFrameThatADecoderDropsEndsTheWalk() throws {
    let kind = Self.kinds[0]
    var bytes = try file(kind)
    let starts = try frameStarts(bytes)
    let broken = starts[starts.count / 4]
    // The side information of two channels: 9 bits, 3 and 8, and then the first length of 12.
    bytes[broken + 6] |= 0x0F
    bytes[broken + 7] = 0xFF
    try expectEnds(of: bytes, kind, "with a broken frame")
    let reader = try opened(scratch.write(bytes, "in.mp3")).reader
    #expect(try !reader.skip(sampleFrames: Int64(4 * kind.rate)))
  }
}
