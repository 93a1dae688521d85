// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// Sessions share the coefficients of their rate conversions.
@Suite struct ResamplerFilterCacheTests {
  private let ratio = ResamplingRatio(from: 44_100, to: 48_000)

  private func filter<Sample: AudioSample>(
    _ cache: ResamplerFilterCache, _ ratio: ResamplingRatio, as sample: Sample.Type = Double.self
  ) -> ResamplerFilter<Sample> {
    cache.filter(ratio, .high, isLive: false)
  }

  @Test func aPairOfRatesIsComputedOnce() {
    let cache = ResamplerFilterCache()
    let byteCount = filter(cache, ratio).byteCount
    #expect(byteCount > 0)
    _ = filter(cache, ResamplingRatio(from: 88_200, to: 96_000))
    #expect(cache.byteCount == byteCount)
  }

  @Test func whatACoefficientDependsOnIsKeptApart() {
    let cache = ResamplerFilterCache()
    var byteCount = filter(cache, ratio).byteCount
    byteCount += filter(cache, ratio, as: Float.self).byteCount
    byteCount += (cache.filter(ratio, .high, isLive: true) as ResamplerFilter<Double>).byteCount
    byteCount += (cache.filter(ratio, .fast, isLive: false) as ResamplerFilter<Double>).byteCount
    byteCount += filter(cache, ResamplingRatio(from: 48_000, to: 44_100)).byteCount
    #expect(cache.byteCount == byteCount)
  }

  @Test func whatWasUsedLeastRecentlyGoes() {
    let back = ResamplingRatio(from: 48_000, to: 44_100)
    let (ahead, other) = (
      filter(ResamplerFilterCache(), ratio), filter(ResamplerFilterCache(), back)
    )
    let cache = ResamplerFilterCache(largestByteCount: ahead.byteCount + other.byteCount)
    for ratio in [ratio, back, ratio] { _ = filter(cache, ratio) }
    let third = filter(cache, ResamplingRatio(from: 44_100, to: 22_050))
    #expect(third.byteCount <= other.byteCount)
    #expect(cache.byteCount == ahead.byteCount + third.byteCount)
  }

  @Test func whatIsInUseOutlivesTheCache() throws {
    let input = sine(0.01, count: 4_000)
    let cache = ResamplerFilterCache(largestByteCount: 0)
    let kept = filter(cache, ratio)
    _ = filter(cache, ResamplingRatio(from: 48_000, to: 16_000))
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 1)
    let alone = try ResamplerQualityTests.resample(input, from: 44_100, to: 48_000, .high)
    let resampled = try run(Resampler(from: format, sampleRate: 48_000, filter: kept), on: input)
    #expect(firstDifference(resampled, alone) == nil)
  }

  @Test(arguments: [16_000, 48_000, 47_999])
  func sessionsAtTheSameTimeAgree(_ outputRate: Int) async throws {
    let input = sine(0.01, count: 20_000)
    let cache = ResamplerFilterCache()
    let alone = try ResamplerQualityTests.resample(input, from: 44_100, to: outputRate, .high)
    let results = try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let format = try StreamFormat(sampleRate: 44_100, channelCount: 1)
          let filter: ResamplerFilter<Double> = cache.filter(
            ResamplingRatio(from: 44_100, to: outputRate), .high, isLive: false)
          return try run(Resampler(from: format, sampleRate: outputRate, filter: filter), on: input)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for result in results { #expect(firstDifference(result, alone) == nil) }
  }
}
