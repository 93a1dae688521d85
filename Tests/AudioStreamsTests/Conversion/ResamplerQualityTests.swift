// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams

/// The promises of ``ResamplerQuality``, compared with sines known at every time.
@Suite struct ResamplerQualityTests {
  struct Promise: Sendable {
    let quality: ResamplerQuality
    let floor: Double
    let passBand: Double
    let ripple: Double
  }

  static let promises = [
    Promise(quality: .fast, floor: -100, passBand: 0.80, ripple: 0.1),
    Promise(quality: .high, floor: -140, passBand: 0.91, ripple: 0.01),
    Promise(quality: .best, floor: -180, passBand: 0.93, ripple: 0.001),
  ]

  static func resample<Sample: AudioSample>(
    _ input: [Sample], from inputRate: Int, to outputRate: Int, _ quality: ResamplerQuality,
    largestTable: Int = 1 << 20, isInBlocks: Bool? = nil
  ) throws -> [Sample] {
    let filter = ResamplerFilter<Sample>(
      ratio: ResamplingRatio(from: inputRate, to: outputRate), quality: quality,
      largestTable: largestTable, isInBlocks: isInBlocks)
    let format = try StreamFormat(sampleRate: inputRate, channelCount: 1)
    return try run(Resampler(from: format, sampleRate: outputRate, filter: filter), on: input)
  }

  /// Returns the samples that no edge of the stream reaches.
  static func inner(_ samples: [Double], without edge: Int = 400) -> [Double] {
    Array(samples.dropFirst(edge).dropLast(edge))
  }

  @Test(arguments: promises, [(44_100, 48_000), (48_000, 44_100), (8_000, 48_000)])
  func tonesKeepTimeLevelAndPurity(_ promise: Promise, _ rates: (Int, Int)) throws {
    try tonesKeepTimeLevelAndPurity(promise, rates, isInBlocks: nil)
  }

  /// Also for conversions in blocks, useful or not.
  @Test(
    arguments: promises,
    [
      (44_100, 48_000), (48_000, 44_100), (8_000, 48_000), (48_000, 16_000), (96_000, 44_100),
      (44_100, 22_050), (44_100, 47_999), (48_000, 31_999), (48_001, 16_000),
    ])
  func tonesPassBlocks(_ promise: Promise, _ rates: (Int, Int)) throws {
    try tonesKeepTimeLevelAndPurity(promise, rates, isInBlocks: true)
  }

  /// A live conversion takes one step, an offline one works in blocks if that costs less. docs/using.md states their
  /// difference.
  @Test(
    arguments: [(ResamplerQuality.fast, -100.0), (.high, -140), (.best, -180)],
    [
      (48_000, 16_000), (96_000, 48_000), (44_100, 16_000), (16_000, 48_000), (44_100, 48_000),
      (44_100, 47_999),
    ])
  func liveAndOfflineAgree(_ floor: (quality: ResamplerQuality, level: Double), _ rates: (Int, Int))
    throws
  {
    var random = SeededRandom(seed: 8)
    let noise = (0..<20_000).map { _ in Double.random(in: -1...1, using: &random) }
    let outputs = try [false, true].map {
      try Self.resample(noise, from: rates.0, to: rates.1, floor.quality, isInBlocks: $0)
    }
    #expect(outputs[0].count == outputs[1].count)
    let difference = zip(outputs[0], outputs[1]).map { $0 - $1 }
    #expect(decibels(difference) - decibels(outputs[0]) < floor.level)
  }

  private func tonesKeepTimeLevelAndPurity(
    _ promise: Promise, _ rates: (Int, Int), isInBlocks: Bool?
  ) throws {
    let (inputRate, outputRate) = rates
    let nyquist = Double(min(inputRate, outputRate)) / 2
    // The images of the last tones stand between 1 and 1.03 of Nyquist.
    for place in [0.045, 0.5, promise.passBand, 0.95, 0.97, 0.98, 0.99, 0.995, 0.9975, 0.9999] {
      let frequency = place * nyquist
      let input = sine(frequency / Double(inputRate), count: 1_200 * inputRate / Int(2 * nyquist))
      let output = try Self.resample(
        input, from: inputRate, to: outputRate, promise.quality, isInBlocks: isInBlocks)
      let edge = 180 * outputRate / Int(2 * nyquist)
      let result = fit(Self.inner(output, without: edge), frequency / Double(outputRate))
      #expect(result.residual < promise.floor, "\(frequency) Hz")
      guard place <= promise.passBand else { continue }
      #expect(abs(result.gain) < promise.ripple, "\(frequency) Hz")
      // The sine equals the exact one: there is not even a fractional delay.
      let exact = sine(frequency / Double(outputRate), count: output.count)
      let error = Self.inner(zip(output, exact).map { $0 - $1 }, without: edge)
      #expect(decibels(error) < max(promise.floor, 20 * log10(promise.ripple / 8.686)))
    }
  }

  /// Places from Nyquist on, as fractions of it.
  static let stopBand = [
    1.0, 1.0005, 1.001, 1.0025, 1.005, 1.01, 1.015, 1.02, 1.03, 1.04, 1.05, 1.06, 1.1, 1.2345, 1.5,
    1.9, 2.5, 2.9,
    2.96, 2.99,
  ]

  @Test(
    arguments: promises,
    [
      (48_000, 16_000), (48_000, 15_999), (48_000, 24_000), (48_000, 44_100), (44_100, 16_000),
      (96_000, 44_100), (192_000, 48_000), (48_000, 47_999), (48_000, 31_999), (192_000, 16_000),
    ])
  func nothingBeyondNyquistComesBack(_ promise: Promise, _ rates: (Int, Int)) throws {
    for place in Self.stopBand {
      let frequency = place * Double(rates.1) / 2
      if 2 * frequency >= Double(rates.0) { continue }
      let input = sine(frequency / Double(rates.0), count: 1_600 * rates.0 / rates.1)
      for isInBlocks in [false, true] {
        let output = try Self.resample(
          input, from: rates.0, to: rates.1, promise.quality, isInBlocks: isInBlocks)
        #expect(
          decibels(Self.inner(output)) < promise.floor,
          "\(place) of Nyquist, in blocks: \(isInBlocks)")
      }
    }
  }

  /// Usual ratios cost less in blocks, and odd ones except with a short filter in single precision.
  @Test func blocksAreTakenWhereTheyPay() {
    for (rates, quality, precision, isInBlocks) in [
      ((48_000, 16_000), ResamplerQuality.best, SamplePrecision.double, true),
      ((44_100, 48_000), .best, .double, true), ((48_000, 44_100), .best, .double, true),
      ((44_100, 47_999), .best, .double, true), ((8_000, 48_000), .best, .double, true),
      ((44_100, 48_000), .high, .single, true), ((48_000, 16_000), .high, .single, true),
      ((44_100, 16_000), .high, .single, true), ((44_100, 48_000), .fast, .single, true),
      ((44_100, 47_999), .high, .single, true), ((44_100, 47_999), .fast, .single, false),
      ((768_000, 8_000), .best, .double, true),
    ] {
      let ways = ResamplingWays(ResamplingRatio(from: rates.0, to: rates.1), quality)
      #expect(ways.blocksPay(in: precision) == isInBlocks, "\(rates), \(quality)")
    }
  }

  /// For a live conversion the delay counts more: half a filter in one step.
  @Test func aLiveConversionHoldsBackNoMore() {
    for rates in [(48_000, 16_000), (44_100, 47_999), (8_000, 48_000)] {
      let ratio = ResamplingRatio(from: rates.0, to: rates.1)
      let live = ResamplerFilters<Double>(quality: .best, isLive: true)
      #expect(
        live.filter(from: rates.0, to: rates.1).taps == ResamplerQuality.best.tapCount(for: ratio))
      let offline = ResamplerFilters<Double>(quality: .best).filter(from: rates.0, to: rates.1)
      #expect(offline.taps < ResamplerQuality.best.reach(for: ratio))
    }
  }

  /// In single precision rounding alone is −142 dB; in one step, the long sums of a conversion down round at −136 dB.
  @Test(
    arguments: [(44_100, 48_000), (44_100, 48_001), (48_000, 16_000), (8_000, 48_000)],
    [false, true])
  func highKeepsItsPromiseInSinglePrecision(_ rates: (Int, Int), _ isInBlocks: Bool) throws {
    let nyquist = Double(min(rates.0, rates.1)) / 2
    for place in [0.045, 0.5, 0.91] {
      let frequency = place * nyquist
      let count = 1_000 * rates.0 / Int(nyquist)
      let input = sine(frequency / Double(rates.0), count: count).map { Float($0) }
      let output = try Self.resample(
        input, from: rates.0, to: rates.1, .high, isInBlocks: isInBlocks
      ).map { Double($0) }
      let edge = 200 * rates.1 / Int(nyquist)
      let result = fit(Self.inner(output, without: edge), frequency / Double(rates.1))
      #expect(result.residual < (isInBlocks || rates.0 < rates.1 ? -140 : -135))
      #expect(abs(result.gain) < 0.01)
    }
  }

  @Test(arguments: promises) func aConstantStaysTheSame(_ promise: Promise) throws {
    let input = [Double](repeating: 1, count: 2_000)
    let output = try Self.resample(input, from: 44_100, to: 48_000, promise.quality)
    #expect(decibels(Self.inner(output).map { $0 - 1 }) < promise.floor)
  }

  /// Interpolated rows equal a table of all rows.
  @Test(arguments: promises) func gridAgreesWithTable(_ promise: Promise) throws {
    var generator = SplitMix64(seed: 5)
    let input = (0..<1_500).map { _ in Double(Int64(bitPattern: generator.next())) * 0x1p-63 }
    for (inputRate, outputRate) in [(44_100, 48_000), (48_000, 44_100), (8_000, 11_025)] {
      for isInBlocks in [false, true] {
        let (table, grid) = try (
          Self.resample(
            input, from: inputRate, to: outputRate, promise.quality, isInBlocks: isInBlocks),
          Self.resample(
            input, from: inputRate, to: outputRate, promise.quality, largestTable: 0,
            isInBlocks: isInBlocks)
        )
        #expect(decibels(zip(table, grid).map { $0 - $1 }) < promise.floor - 5)
      }
    }
  }

  /// The two ways to compute a sum differ only in rounding.
  @Test(
    arguments: [(44_100, 48_000), (48_000, 44_100), (48_000, 16_000), (8_000, 24_000)],
    [false, true])
  func tilesAgreeWithRows(_ rates: (Int, Int), _ isInBlocks: Bool) throws {
    var generator = SplitMix64(seed: 6)
    for channels in [1, 2, 3, 6, 9] {
      let input = (0..<3_000 * channels).map { _ in
        Double(Int64(bitPattern: generator.next())) * 0x1p-63
      }
      let format = try StreamFormat(sampleRate: rates.0, channelCount: channels)
      let outputs = try [false, true].map { isTiled in
        let filter = ResamplerFilter<Double>(
          ratio: ResamplingRatio(from: rates.0, to: rates.1), quality: .best, isTiled: isTiled,
          isInBlocks: isInBlocks)
        return try run(Resampler(from: format, sampleRate: rates.1, filter: filter), on: input)
      }
      #expect(decibels(zip(outputs[0], outputs[1]).map { $0 - $1 }) < -290)
      #expect(outputs[0].count == outputs[1].count)
    }
  }
}
