// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Testing

/// An array at another rate: the session's result and the formula of a sine.
@Suite struct ResampledArrayTests {
  private func inSession<Sample: AudioSample>(
    _ samples: [Sample], from inputRate: Int, to outputRate: Int, channelCount: Int,
    _ quality: ResamplerQuality
  ) throws -> [Sample] {
    let session = Session()
    session.resamplerQuality = quality
    let format = try StreamFormat(sampleRate: inputRate, channelCount: channelCount)
    let sink = ArraySink<Sample>(
      format: try StreamFormat(sampleRate: outputRate, channelCount: channelCount))
    try session.setLocal(ArraySource(samples, format: format))
    try session.setSink(sink, at: .publish)
    _ = try session.run()
    return sink.samples
  }

  @Test(
    arguments: ResamplerQuality.allCases, [(44_100, 48_000), (48_000, 16_000), (8_000, 44_101)])
  func everyBitIsThatOfASession(quality: ResamplerQuality, rates: (Int, Int)) throws {
    func compare<Sample: AudioSample>(_ samples: [Sample], channelCount: Int) throws {
      let result = try Resampler.resample(
        samples, from: rates.0, to: rates.1, channelCount: channelCount, quality: quality)
      let count = (samples.count / channelCount * rates.1 + rates.0 - 1) / rates.0
      #expect(result.count == count * channelCount)
      #expect(
        try result
          == inSession(
            samples, from: rates.0, to: rates.1, channelCount: channelCount, quality))
    }
    try compare(Noise.samples(20_001) as [Float], channelCount: 1)
    try compare(Noise.samples(3 * 7_003) as [Float], channelCount: 3)
    try compare(Noise.integers(2 * 9_000, bits: 53), channelCount: 2)
  }

  /// The signal-to-noise ratio amid a sine, in dB: between the quality's floor and the rounding of `Double`.
  @Test(
    arguments: [(ResamplerQuality.fast, 95.0), (.high, 135.0), (.best, 170.0)],
    [(44_100, 48_000), (48_000, 44_100), (16_000, 48_000)])
  func aSineStaysASine(floor: (ResamplerQuality, Double), rates: (Int, Int)) throws {
    func sine(_ index: Int, _ rate: Int) -> Double {
      0.5 * sin(2 * .pi * 1_000 * Double(index) / Double(rate))
    }
    let samples = (0..<rates.0 / 4).map { sine($0, rates.0) }
    let result = try Resampler.resample(samples, from: rates.0, to: rates.1, quality: floor.0)
    var (signal, rest) = (0.0, 0.0)
    for index in rates.1 / 16..<rates.1 * 3 / 16 {
      let expected = sine(index, rates.1)
      signal += expected * expected
      rest += (result[index] - expected) * (result[index] - expected)
    }
    #expect(10 * log10(signal / rest) > floor.1)
  }

  @Test func lengthsAreRoundedUp() throws {
    for (count, from, to) in [
      (0, 8_000, 48_000), (1, 48_000, 8_000), (441, 44_100, 48_000), (7, 3_000, 2_000),
    ] {
      let result = try Resampler.resample(
        [Float](repeating: 0.5, count: count), from: from, to: to, quality: .fast)
      #expect(result.count == (count * to + from - 1) / from)
    }
  }

  @Test func theOwnRateChangesNothing() throws {
    let samples: [Float] = Noise.samples(100)
    #expect(try Resampler.resample(samples, from: 8_000, to: 8_000) == samples)
  }

  @Test func oneCacheForManyCalls() throws {
    let cache = ResamplerFilterCache()
    let samples = Noise.integers(1_000)
    let results = try (0..<2).map { _ in
      try Resampler.resample(samples, from: 44_100, to: 48_000, filterCache: cache)
    }
    #expect(results[0] == results[1])
  }

  @Test func whatItRefuses() throws {
    for (from, to, channels) in [
      (500, 8_000, 1), (8_000, 0, 1), (8_000, 16_000, 0), (8_000, 16_000, 2),
    ] {
      #expect(
        errorKind {
          try Resampler.resample([1, 2, 3] as [Float], from: from, to: to, channelCount: channels)
        } == .invalidParameter)
    }
  }
}
