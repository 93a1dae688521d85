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
