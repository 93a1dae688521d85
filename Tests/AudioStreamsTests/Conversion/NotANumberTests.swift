// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// A NaN sample reaches the length of the filter, not for ever.
@Suite struct NotANumberTests {
  static let rates = [
    (44_100, 48_000), (48_000, 44_100), (48_000, 8_000), (44_100, 44_101), (16_000, 11_025),
  ]

  /// Returns the distances of the NaN outputs from the NaN input, in input samples.
  private func reach<Sample: AudioSample>(
    _ rates: (Int, Int), at place: Int, of count: Int, within most: Double,
    tolerance: Sample = 0, _ make: () throws -> any StreamStage<Sample>
  ) throws -> ClosedRange<Double>? {
    let clean: [Sample] = Noise.samples(count)
    var broken = clean
    broken[place] = .nan
    let expected = try output(make(), clean, cuts: [])
    let whole = try output(make(), broken, cuts: [])
    let cut = try output(make(), broken, cuts: [place / 2, place, place + 1, place + 77])
    #expect(whole.count == expected.count && cut.count == expected.count)
    let step = Double(rates.0) / Double(rates.1)
    // All other outputs are unchanged, at every block size. In blocks of the frequency domain the sample is 0, not the
    // clean one, to the roundings and the stop band of all outputs of its block.
    for index in expected.indices {
      let isBeyond = abs(Double(index) * step - Double(place)) > most
      let isSame = whole[index] == cut[index] || whole[index].isNaN && cut[index].isNaN
      let isUnchanged = abs(whole[index] - expected[index]) <= tolerance
      if !isSame || isBeyond && !isUnchanged {
        Issue.record("sample \(index) is \(whole[index]), \(cut[index]), not \(expected[index])")
        break
      }
    }
    let touched = whole.indices.filter { whole[$0].isNaN }
    guard let low = touched.first, let high = touched.last else { return nil }
    return (Double(low) * step - Double(place))...(Double(high) * step - Double(place))
  }

  private func output<Sample: AudioSample>(
    _ stage: any StreamStage<Sample>, _ input: [Sample], cuts: [Int]
  ) throws -> [Sample] {
    try run(stage, on: input, cuts: cuts)
  }

  private func expectWithin(_ reach: ClosedRange<Double>?, _ most: Double, _ taps: Int) throws {
    let reach = try #require(reach)
    #expect(reach.lowerBound >= -most && reach.upperBound <= most, "\(reach), \(most)")
    #expect(reach.upperBound - reach.lowerBound >= Double(taps) / 2)
  }

  @Test(arguments: rates, [ResamplerQuality.fast, .high])
  func itSpreadsAsFarAsTheFilter(_ rates: (Int, Int), _ quality: ResamplerQuality) throws {
    for isInBlocks in [false, true] {
      try spreads(rates, quality, isInBlocks, as: Float.self)
      try spreads(rates, quality, isInBlocks, as: Double.self)
    }
  }

  @Test(arguments: [(48_000, 16_000), (44_100, 47_999)])
  func itSpreadsAsFarAsTheFilterAtBest(_ rates: (Int, Int)) throws {
    try spreads(rates, .best, nil, as: Double.self)
  }

  private func spreads<Sample: AudioSample>(
    _ rates: (Int, Int), _ quality: ResamplerQuality, _ isInBlocks: Bool?, as _: Sample.Type
  ) throws {
    let filter = ResamplerFilter<Sample>(
      ratio: ResamplingRatio(from: rates.0, to: rates.1), quality: quality,
      isInBlocks: isInBlocks)
    let taps = filter.taps
    let most = Double(taps) / 2 + 1
    let format = try StreamFormat(sampleRate: rates.0, channelCount: 1)
    let reach: ClosedRange<Double>? = try reach(
      rates, at: 3 * taps / 2 + 250, of: 3 * taps + 600, within: most,
      tolerance: isInBlocks == false ? 0 : quality == .fast ? 1e-5 : quality == .high ? 2e-7 : 1e-9
    ) {
      try Resampler<Sample>(from: format, sampleRate: rates.1, filter: filter)
    }
    try expectWithin(reach, most, taps)
  }

  @Test(arguments: AsynchronousResamplerTests.rates)
  func aFollowedClockForgetsItToo(_ rates: (Int, Int)) throws {
    let quality = ResamplerQuality.high
    let taps = quality.tapCount(for: ResamplingRatio(from: rates.0, to: rates.1))
    let filter: PolyphaseFilter<Double> = AsynchronousResamplerTests.filter(rates, quality)
    let most = Double(taps) / 2 + 2
    let reach: ClosedRange<Double>? = try reach(rates, at: 900, of: 3_000, within: most) {
      let stage = try AsynchronousResamplerTests.resampler(rates, filter)
      stage.correction = 200e-6
      return stage
    }
    try expectWithin(reach, most, taps)
  }

  /// In a sum a NaN stays in its place and in its channel.
  @Test func aSumHoldsItInOnePlace() throws {
    var samples = [Double](repeating: 0.25, count: 2_000)
    samples[777] = .nan
    let session = Session()
    try session.addRemote(try GivenSource(samples))
    try session.addRemote(try GivenSource([Double](repeating: 0.5, count: 2_000)))
    let sink = try session.run(collecting: .playback)
    let sum = sink.samples
    #expect(sum.count == 2_000)
    #expect(sum.enumerated().filter { $1.isNaN }.map(\.offset) == [777])
    #expect(sum.enumerated().allSatisfy { $0 == 777 || $1 == 0.75 })
  }
}
