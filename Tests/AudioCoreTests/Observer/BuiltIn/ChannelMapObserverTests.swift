// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Chosen channels are bit for bit those of the source; a mix is half of each.
@Suite struct ChannelMapObserverTests {
  private func mapped(
    _ samples: [Double], channels: Int, _ origins: [ChannelMap.Origin],
    as storage: SampleLayout.Storage = .f64, encoding: SampleEncoding = .s24
  ) throws -> [Double] {
    let session = try Session(
      local: GivenSource(samples, channels: channels, encoding: encoding, pieces: [1_000, 7]))
    try session.register(ChannelMapObserver(.record, try ChannelMap(origins)))
    return try ExactSamples.run(session, .publish, as: storage)
  }

  @Test(arguments: [[1], [2], [2, 1], [6, 1, 1, 3], [1, 2, 3, 4, 5, 6]])
  func byNumber(_ numbers: [Int]) throws {
    let samples = Noise.integers(6 * 3_000, seed: 1, bits: 24)
    let outputs = try mapped(samples, channels: 6, numbers.map { .channel($0) })
    let expected = (0..<3_000).flatMap { index in numbers.map { samples[6 * index + $0 - 1] } }
    #expect(firstDifference(outputs, expected) == nil)
  }

  @Test func byName() throws {
    let samples = Noise.integers(6 * 100, seed: 2, bits: 24)
    let speakers: [ChannelMap.Speaker] = [
      .left, .right, .centre, .lowFrequency, .leftSurround, .rightSurround,
    ]
    let outputs = try mapped(samples, channels: 6, speakers.map { .speaker($0) })
    #expect(firstDifference(outputs, samples) == nil)
  }

  /// Mid and side, an inverted channel, silence, and a channel that is named twice.
  @Test func sumsWithFactors() throws {
    let samples = Noise.integers(2 * 1_000, seed: 5, bits: 16)
    let (left, right) = (ChannelMap.Term.Channel.speaker(.left), ChannelMap.Term.Channel.number(2))
    let outputs = try mapped(
      samples, channels: 2,
      [
        .sum([.init(0.5, left), .init(0.5, right)]), .sum([.init(0.5, left), .init(-0.5, right)]),
        .sum([.init(-1, right)]), .sum([]), .sum([.init(0.25, left), .init(0.5, left)]),
      ], encoding: .s16)
    let expected = (0..<1_000).flatMap { index in
      let (l, r) = (samples[2 * index], samples[2 * index + 1])
      return [0.5 * l + 0.5 * r, 0.5 * l - 0.5 * r, -r, 0, 0.75 * l]
    }
    #expect(firstDifference(outputs, expected) == nil)
  }

  /// Only sums and products have more bits than a sample.
  @Test func aCopyNeedsNoMorePrecision() throws {
    for (origin, precision) in [
      (ChannelMap.Origin.sum([.init(-1, .number(1))]), SamplePrecision.single), (.sum([]), .single),
      (.sum([.init(0.5, .number(1))]), .double),
      (.sum([.init(1, .number(1)), .init(1, .number(2))]), .double), (.mix, .double),
    ] {
      #expect(ChannelMapObserver(.record, try ChannelMap([origin])).neededPrecision == precision)
    }
  }

  @Test func factorsAreFinite() {
    #expect(throws: AudioError.self) {
      try ChannelMap([.sum([.init(.infinity, .number(1))])])
    }
    #expect(throws: AudioError.self) { try ChannelMap([.sum([.init(1, .number(0))])]) }
  }

  @Test func aMixIsRoundedOnce() throws {
    let samples = Noise.integers(2 * 5_000, seed: 3, bits: 24)
    let exact = (0..<5_000).map { index in
      var sum = FixedPoint(samples[2 * index], 0.5)
      sum += FixedPoint(samples[2 * index + 1], 0.5)
      return sum
    }
    for storage in [SampleLayout.Storage.s16, .s24] {
      let outputs = try mapped(samples, channels: 2, [.mix], as: storage, encoding: .f32)
      #expect(outputs.count == exact.count)
      #expect(SampleLayout(storage).countOfInexact(outputs, exact) == 0, "\(storage)")
    }
  }

  @Test(arguments: [ChannelMap.Origin.channel(3), .speaker(.lowFrequency)])
  func aMissingChannelIsAnError(_ origin: ChannelMap.Origin) throws {
    let error = #expect(throws: AudioError.self) {
      try mapped([0, 0], channels: 2, [origin])
    }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.reason == "the stream has 2 channels (L, R)")
  }

  @Test func mapsWithoutChannelsAreRefused() {
    #expect(throws: AudioError.self) { try ChannelMap([]) }
    #expect(throws: AudioError.self) { try ChannelMap([.channel(0)]) }
    #expect(throws: AudioError.self) { try ChannelMap(Array(repeating: .mix, count: 65)) }
  }

  /// The session's frame parameters do not change the map.
  @Test func keepsItsShape() throws {
    let session = Session()
    try session.setParameters(FrameParameters(channelCount: 1), at: .record)
    try session.setLocal(GivenSource([0.25, 0.5, 0.125, 0.75], channels: 2))
    try session.register(
      ChannelMapObserver(.record, try ChannelMap([.channel(2), .channel(1)])))
    #expect(try ExactSamples.run(session, .publish, as: .f64) == [0.5, 0.25, 0.75, 0.125])
  }
}
