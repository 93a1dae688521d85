// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Silence around a stream keeps its samples and gives the exact length.
@Suite struct PadObserverTests {
  @Test(arguments: [(0, 0), (5, 0), (0, 7), (100_000, 50_001), (3, 400_000)])
  func theLengthIsExact(_ before: Int, _ behind: Int) throws {
    let samples = Noise.integers(2 * 9_000, seed: 1)
    let session = try Session(
      local: GivenSource(samples, channels: 2, encoding: .s16, pieces: [1_000, 3]))
    try session.register(
      PadObserver(
        .record, before: .samples(Int64(before)), behind: .samples(Int64(behind))))
    let sink = try session.run(collecting: .publish)
    let expected =
      Array(repeating: 0, count: 2 * before) + samples + Array(repeating: 0, count: 2 * behind)
    #expect(firstDifference(sink.samples, expected) == nil)
  }

  /// An hour of silence goes through block by block.
  @Test func aLongOneIsNotHeldInMemory() throws {
    let session = try Session(local: GivenSource([0.5], rate: 8_000))
    try session.register(
      PadObserver(
        .record, before: .time(.seconds(3_600)), behind: .time(.seconds(3_600))))
    let sink = BlockSizeSink()
    try session.setSink(sink, at: .publish)
    _ = try session.run()
    #expect(sink.total == 2 * 3_600 * 8_000 + 1)
    #expect(sink.largest <= 2 * BlockSize.samples)
  }

  @Test func aSumIsAsLongAsItsLongestSource() throws {
    let session = Session()
    try session.addRemote(GivenSource([0.25, 0.25]))
    try session.addRemote(GivenSource([0.5]))
    try session.register(
      PadObserver(.beforeMixing, before: .samples(1), behind: .samples(3)),
      from: SourceKey(ordinal: 2))
    let sink = try session.run(collecting: .playback)
    #expect(sink.samples == [0.25, 0.75, 0, 0, 0])
  }

  /// The silence is part of the stream for later observers and for a later fade.
  @Test func observersBehindItSeeIt() throws {
    let session = try Session(local: GivenSource(Array(repeating: 1, count: 4)))
    try session.register(PadObserver(.record, before: .samples(2)))
    try session.register(FadeObserver(.record, in: .samples(4)))
    let sink = try session.run(collecting: .publish, precision: .double)
    #expect(sink.samples == [0, 0, 0.5, 0.75, 1, 1])
  }
}

/// Counts samples and keeps the largest count of one call.
private final class BlockSizeSink: PlainSink {
  private(set) var total = 0
  private(set) var largest = 0
  var precision: SamplePrecision { .single }
  var room: Int { .max }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) -> SinkStatus {
    total += samples.count
    largest = max(largest, samples.count)
    return .accepted
  }
}
