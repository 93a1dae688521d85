// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioCore
@testable import AudioFiles

/// The cost of silence in a track before a late source.
@Suite struct TrackSilenceTests {
  /// A track of a lane that the test empties turn by turn, like the writer's thread.
  private struct Track {
    let lane: BackgroundLane
    let gaps = TrackGaps()

    init(_ sink: any AudioSink, _ format: StreamFormat) throws {
      let padded = PaddedSink(sink, gaps)
      try padded.begin(format)
      let unitSize = 4 * format.channelCount
      lane = BackgroundLane(
        SinkTarget<Float>(padded, nil, unitSize: unitSize), capacity: 1 << 16, unitSize: unitSize)
    }

    func push(_ samples: [Float]) {
      let count = unsafe samples.withUnsafeBytes { unsafe lane.push($0) }
      #expect(count == 4 * samples.count)
    }

    func gap(_ length: Int64, at index: Int64) {
      let isTold = gaps.queue.append(TrackGap(index: index, length: length))
      #expect(isTold)
    }
  }

  private func format(_ rate: Int, _ channels: Int) throws -> StreamFormat {
    try StreamFormat(sampleRate: rate, channelCount: channels)
  }

  private func samples(_ count: Int, seed: UInt64 = 1) -> [Float] {
    Noise.integers(count, seed: seed).map { Float($0) }
  }

  /// Written silence takes a piece per turn: other lanes get their pieces between.
  @Test(arguments: [1, 3, 64]) func silenceIsWrittenInPieces(_ channels: Int) throws {
    let sink = CollectingSink()
    let track = try Track(sink, try format(8_000, channels))
    let (first, second) = (samples(10 * channels), samples(7 * channels, seed: 2))
    let length = 200_000 / channels
    track.push(first)
    track.gap(Int64(length), at: 10)
    track.gap(5, at: 10)
    track.push(second)
    var pieces: [Int] = []
    var before = 0
    while track.lane.empty() {
      pieces.append(sink.samples.count - before)
      before = sink.samples.count
    }
    let piece = 65_536 / channels * channels
    #expect(
      pieces == [10 * channels, piece, piece, piece]
        + [length * channels - 3 * piece, 5 * channels, 7 * channels])
    #expect(track.lane.turnCount == pieces.count)
    let silence = Array(repeating: Float(0), count: (length + 5) * channels)
    #expect(sink.samples == (first + silence + second).map(Double.init))
  }

  /// A file of plain samples has a hole: 13 GB of silence take one turn and no room on the disk.
  @Test(arguments: [Container.wav, .raw]) func silenceIsAHole(_ container: Container) throws {
    let directory = ScratchDirectory()
    let path = directory.file("track")
    let format = try format(192_000, 16)
    let sink = SoundFileSink(
      path: path, format: try FileFormat(container, .f64), replacement: .inPlace)
    let track = try Track(sink, format)
    let (first, second) = (samples(16 * 100), samples(16 * 50, seed: 2))
    let length: Int64 = 100_000_000
    track.push(first)
    track.gap(length, at: 100)
    track.push(second)
    #expect(track.lane.empty())
    #expect(track.lane.empty())
    #expect(!track.lane.empty())
    track.lane.requestClose(.finished)
    #expect(track.lane.empty())
    #expect(track.lane.isClosed)

    var status = stat()
    try #require(unsafe stat(path, &status) == 0)
    let bytes = (length + 150) * 16 * 8
    #expect(status.st_size > bytes - 1 && status.st_size < bytes + 200)
    // Blocks are counted in units of 512 bytes.
    #expect(status.st_blocks * 512 < 1 << 20)
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    func read(_ place: Int64, _ count: Int) throws -> [Double] {
      try file.seek(toOffset: UInt64(Int64(status.st_size) - bytes + place * 16 * 8))
      let data = try #require(try file.read(upToCount: count * 16 * 8))
      return unsafe data.withUnsafeBytes { bytes in
        (0..<count * 16).map { unsafe bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
    }
    #expect(try read(0, 100) == first.map(Double.init))
    #expect(try read(100, 1_000).allSatisfy { $0 == 0 })
    #expect(try read(100 + length - 1_000, 1_000).allSatisfy { $0 == 0 })
    #expect(try read(100 + length, 50) == second.map(Double.init))
    if container == .wav {
      #expect(
        try SoundFileInformation(path: path).samplesPerChannel == length + 150)
    }
  }

  /// Encodings with a non-zero silence, codecs and dithered files have every sample.
  @Test(arguments: [
    (Container.wav, SampleEncoding.s16, Dither.none), (.wav, .u8, .none), (.wav, .ulaw, .none),
    (.wav, .alaw, .none), (.flac, .s16, .none), (.aiff, .s16, .none), (.raw, .s8, .none),
    (.wav, .s16, .tpdf(seed: 1)),
  ])
  func everySampleIsThere(
    _ container: Container, _ encoding: SampleEncoding, _ dither: Dither
  ) throws {
    let directory = ScratchDirectory()
    let format = try format(8_000, 2)
    // µ-law has an exact step for these values, unlike most.
    let (first, second) = (
      [Float](repeating: 0.25, count: 200), [Float](repeating: -0.5, count: 90)
    )
    let (hole, plain) = (directory.file("hole"), directory.file("plain"))
    func sink(_ path: String) throws -> SoundFileSink {
      SoundFileSink(
        path: path, format: try FileFormat(container, encoding), dither: dither,
        replacement: .inPlace)
    }
    let track = try Track(try sink(hole), format)
    track.push(first)
    track.gap(70_000, at: 100)
    track.push(second)
    track.lane.requestClose(.finished)
    while track.lane.empty() {}
    #expect(track.lane.isClosed)

    let other = try sink(plain)
    try other.begin(format)
    let whole = first + [Float](repeating: 0, count: 140_000) + second
    _ = try other.write(whole.span)
    try other.complete()
    #expect(try contents(hole) == contents(plain))
  }

  /// A recording that goes on after a hole is valid at every moment: its header covers the hole.
  @Test func aHoleGrowsWithItsHeader() throws {
    let directory = ScratchDirectory()
    let path = directory.file("a.wav")
    let sink = SoundFileSink(
      path: path, format: try FileFormat(.wav, .s24), replacement: .inPlace)
    try sink.begin(try format(8_000, 1))
    #expect(try sink.appendSilence(1_001))
    try sink.updateHeader()
    #expect(try SoundFileInformation(path: path).samplesPerChannel == 1_001)
    _ = try sink.write([Float(0.5)].span)
    #expect(try sink.appendSilence(3))
    try sink.complete()
    #expect(
      try record(SoundFileSource(path: path)).samples
        == Array(repeating: 0, count: 1_001) + [0.5, 0, 0, 0])
  }
}
