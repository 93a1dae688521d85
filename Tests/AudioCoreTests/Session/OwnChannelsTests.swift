// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Sources whose channels become channels of the sum for themselves.
@Suite struct OwnChannelsTests {
  private func own(gain: Double = 1, offset: Int64 = 0) -> MixEntry {
    var entry = MixEntry(gain: gain, offset: .samples(offset))
    entry.hasOwnChannels = true
    return entry
  }

  /// Sources of different lengths, in reads of different sizes.
  @Test(arguments: [[1, 1], [2, 1, 3], Array(repeating: 1, count: 64), [4]])
  func theChannelsStandSideBySide(_ widths: [Int]) throws {
    let session = Session()
    var sources: [[Double]] = []
    for (index, width) in widths.enumerated() {
      let samples = Noise.integers(width * (3_000 - 7 * index), seed: UInt64(index + 1))
      sources.append(samples)
      try session.addRemote(
        GivenSource(samples, channels: width, encoding: .s16, pieces: [100 + index, 1]),
        entry: own())
    }
    let sink = try session.run(collecting: .playback)
    let expected = (0..<3_000).flatMap { place in
      zip(sources, widths).flatMap { samples, width in
        (0..<width).map { channel in
          let index = place * width + channel
          return index < samples.count ? samples[index] : 0
        }
      }
    }
    #expect(sink.format?.channelCount == widths.reduce(0, +))
    #expect(firstDifference(sink.samples, expected) == nil)
  }

  /// A sum would turn −0.0 into 0.0.
  @Test func theBitsStay() throws {
    let session = Session()
    try session.addRemote(GivenSource([-0.0, 0.5, -0.0]), entry: own())
    try session.addRemote(GivenSource([0.25, -0.0, .nan]), entry: own())
    let sink = try session.run(collecting: .playback)
    #expect(sink.samples.map(\.sign) == [.minus, .plus, .plus, .minus, .minus, .plus])
    #expect(sink.samples[5].isNaN)
  }

  @Test func gainsAndOffsetsApply() throws {
    let session = Session()
    try session.addRemote(GivenSource([0.5, 0.25]), entry: own(gain: 0.5))
    try session.addRemote(GivenSource([0.125, 0.5]), entry: own(offset: 1))
    let sink = try session.run(collecting: .playback, precision: .double)
    #expect(sink.samples == [0.25, 0, 0.125, 0.125, 0, 0.5])
  }

  /// Other sources are added to all channels.
  @Test func aSumMayStandBeside() throws {
    let session = Session()
    session.mixChannelCount = 3
    try session.addRemote(GivenSource([0.5, 0.25]), entry: own())
    try session.addRemote(GivenSource([0.125]), entry: own())
    let sink = try session.run(collecting: .playback)
    #expect(sink.samples == [0.5, 0.125, 0, 0.25, 0, 0])
  }

  /// The channels behind an observer count.
  @Test func aChannelMapCounts() throws {
    let session = Session()
    for _ in 0..<2 {
      try session.addRemote(GivenSource([0.5, 0.25], channels: 2), entry: own())
    }
    try session.register(
      ChannelMapObserver(.beforeMixing, try ChannelMap([.channel(2)])), from: SourceKey(ordinal: 1))
    let sink = try session.run(collecting: .playback)
    #expect(sink.samples == [0.25, 0.5, 0.25])
  }

  @Test func ratesAreConverted() throws {
    let session = Session()
    try session.addRemote(GivenSource(Noise.integers(480), rate: 48_000), entry: own())
    try session.addRemote(GivenSource(Noise.integers(80), rate: 8_000), entry: own())
    let sink = try session.run(collecting: .playback)
    #expect(sink.format?.sampleRate == 48_000)
    #expect(sink.samples.count == 960)
  }

  @Test func moreThanTheSumHasIsAnError() throws {
    let session = Session()
    session.mixChannelCount = 2
    try session.addRemote(GivenSource([0.5, 0.25], channels: 2), entry: own())
    try session.addRemote(GivenSource([0.5]), entry: own())
    let error = #expect(throws: AudioError.self) {
      _ = try session.run(collecting: .playback)
    }
    #expect(error?.description == "cannot mix to '2 channels': the sources have 3 of their own")
  }
}
