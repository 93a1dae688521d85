// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Single channels come later, bit for bit, and no sample is lost.
@Suite struct DelayObserverTests {
  @Test(arguments: [[0, 7], [1_500, 0], [3, 0, 200_000], [0, 0, 0], [5]])
  func eachChannelHasItsDelay(_ delays: [Int]) throws {
    let (channels, length) = (3, 9_000)
    let samples = Noise.integers(channels * length, seed: 4)
    let session = try Session(
      local: GivenSource(samples, channels: channels, encoding: .s16, pieces: [1_000, 3]))
    try session.register(DelayObserver(.record, delays.map { .samples(Int64($0)) }))
    let sink = try session.run(collecting: .publish)
    let longest = delays.max() ?? 0
    let expected = (0..<(length + longest) * channels).map { index in
      let (place, channel) = (index / channels, index % channels)
      let origin = place - (channel < delays.count ? delays[channel] : 0)
      return (0..<length).contains(origin) ? samples[origin * channels + channel] : 0
    }
    #expect(firstDifference(sink.samples, expected) == nil)
  }

  @Test func timesCountAtTheRateOfTheStream() throws {
    let session = try Session(local: GivenSource([0.5, 0.25], rate: 8_000, channels: 2))
    try session.register(DelayObserver(.record, [.time(.zero), .time(.milliseconds(1))]))
    let sink = try session.run(collecting: .publish)
    #expect(sink.samples == [0.5, 0] + Array(repeating: 0, count: 14) + [0, 0.25])
  }

  @Test(arguments: [
    ([0, 0, 1], "cannot delay channel '3': the stream has 2 channels"),
    (
      [0, 33_554_433],
      "cannot delay by '33554433 samples': 2 channels can be delayed by up to 33554432; shift whole files with"
        + " --offset or --pad"
    ),
  ])
  func whatCannotBeDelayed(_ delays: [Int64], _ reason: String) throws {
    let session = try Session(local: GivenSource([0.5, 0.25], channels: 2))
    try session.register(DelayObserver(.record, delays.map { .samples($0) }))
    let error = #expect(throws: AudioError.self) {
      _ = try session.run(collecting: .publish)
    }
    #expect(error?.description == reason)
    #expect(error?.kind == .invalidParameter)
  }
}
