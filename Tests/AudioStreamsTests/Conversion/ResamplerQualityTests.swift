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
    Promise(quality: .best, floor: -180, passBand: 0.95, ripple: 0.001),
  ]

  static func resample<Sample: AudioSample>(
    _ input: [Sample], from inputRate: Int, to outputRate: Int, _ quality: ResamplerQuality,
    largestTable: Int = 1 << 20, isInTwoSteps: Bool? = nil
  ) throws -> [Sample] {
    let filter = ResamplerFilter<Sample>(
      ratio: ResamplingRatio(from: inputRate, to: outputRate), quality: quality,
      largestTable: largestTable, isInTwoSteps: isInTwoSteps)
    let format = try StreamFormat(sampleRate: inputRate, channelCount: 1)
    return try run(Resampler(from: format, sampleRate: outputRate, filter: filter), on: input)
  }

  /// Returns the samples that no edge of the stream reaches.
  static func inner(_ samples: [Double], without edge: Int = 400) -> [Double] {
    Array(samples.dropFirst(edge).dropLast(edge))
  }

  @Test(arguments: promises, [(44_100, 48_000), (48_000, 44_100), (8_000, 48_000)])
  func tonesKeepTimeLevelAndPurity(_ promise: Promise, _ rates: (Int, Int)) throws {
    try tonesKeepTimeLevelAndPurity(promise, rates, isInTwoSteps: nil)
  }

  /// Also for conversions in two steps, useful or not.
  @Test(
    arguments: promises,
    [
      (44_100, 48_000), (48_000, 44_100), (8_000, 48_000), (48_000, 16_000), (96_000, 44_100),
      (44_100, 22_050), (44_100, 47_999), (48_000, 31_999), (48_001, 16_000),
    ])
  func tonesPassTwoSteps(_ promise: Promise, _ rates: (Int, Int)) throws {
    try tonesKeepTimeLevelAndPurity(promise, rates, isInTwoSteps: true)
  }

  /// A live conversion takes one step, an offline one two if that costs less. docs/using.md states their difference.
  @Test(arguments: [(48_000, 16_000), (96_000, 48_000), (44_100, 16_000), (16_000, 48_000)])
  func oneStepAndTwoAgreeInThePassBand(_ rates: (Int, Int)) throws {
    let (inputRate, outputRate) = rates
    func difference(_ input: [Double], _ quality: ResamplerQuality) throws -> Double {
      let one = try Self.resample(
        input, from: inputRate, to: outputRate, quality, isInTwoSteps: false)
      let two = try Self.resample(input, from: inputRate, to: outputRate, quality)
      #expect(one.count == two.count)
      return decibels(Self.inner(zip(one, two).map { $0 - $1 })) - decibels(Self.inner(one))
    }
    let nyquist = Double(min(inputRate, outputRate)) / 2
    for place in [0.01, 0.3, 0.6, 0.8, 0.9] {
      let wave = sine(place * nyquist / Double(inputRate), count: 20_000)
      #expect(try difference(wave, .high) < -136, "\(place) of Nyquist")
    }
    let beyond = sine(0.98 * nyquist / Double(inputRate), count: 20_000)
    #expect(try difference(beyond, .high) > -15)
    var random = SeededRandom(seed: 8)
    let noise = (0..<40_000).map { _ in Double.random(in: -1...1, using: &random) }
    #expect(try (-23...(-19)).contains(difference(noise, .high)))
    #expect(try difference(noise, .best) < -80)
  }

  private func tonesKeepTimeLevelAndPurity(
    _ promise: Promise, _ rates: (Int, Int), isInTwoSteps: Bool?
  ) throws {
    let (inputRate, outputRate) = rates
    let nyquist = Double(min(inputRate, outputRate)) / 2
    for place in [0.045, 0.5, promise.passBand, 0.95] {
      let frequency = place * nyquist
      let input = sine(frequency / Double(inputRate), count: 1_200 * inputRate / Int(2 * nyquist))
      let output = try Self.resample(
        input, from: inputRate, to: outputRate, promise.quality, isInTwoSteps: isInTwoSteps)
      let edge = 128 * outputRate / Int(2 * nyquist)
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

  @Test(arguments: promises, [16_000, 15_999, 24_000])
  func whatWouldAliasIsGone(_ promise: Promise, _ outputRate: Int) throws {
    for place in [1.05, 1.06, 1.1, 1.2345, 1.5, 1.9, 2.5, 2.9, 2.96, 2.99] {
      let frequency = place * Double(outputRate) / 2
      if frequency >= 24_000 { continue }
      let input = sine(frequency / 48_000, count: 4_800)
      for isInTwoSteps in [false, true] {
        let output = try Self.resample(
          input, from: 48_000, to: outputRate, promise.quality, isInTwoSteps: isInTwoSteps)
        #expect(
          decibels(Self.inner(output)) < promise.floor,
          "\(place) of Nyquist, two steps: \(isInTwoSteps)")
      }
    }
  }

  /// At `best`, the usual ratios and odd ones cost less in two steps.
  @Test func twoStepsAreTakenWhereTheyPay() {
    for (rates, isInTwoSteps) in [
      ((48_000, 16_000), true), ((96_000, 48_000), true), ((44_100, 22_050), true),
      ((48_000, 8_000), true), ((8_000, 48_000), true), ((44_100, 47_999), true),
      ((44_100, 48_000), false), ((48_000, 44_100), false),
    ] {
      let two = TwoSteps(ResamplingRatio(from: rates.0, to: rates.1))
      #expect(two.pay(.best, in: .double) == isInTwoSteps, "\(rates)")
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
      #expect(offline.taps > ResamplerQuality.best.tapCount(for: ratio))
      #expect(offline.taps == ResamplerQuality.best.reach(for: ratio))
    }
  }

  /// In single precision rounding alone is −142 dB.
  @Test(arguments: [(44_100, 48_000), (44_100, 48_001), (48_000, 16_000), (8_000, 48_000)])
  func highKeepsItsPromiseInSinglePrecision(_ rates: (Int, Int)) throws {
    let nyquist = Double(min(rates.0, rates.1)) / 2
    for place in [0.045, 0.5, 0.91] {
      let frequency = place * nyquist
      let count = 1_000 * rates.0 / Int(nyquist)
      let input = sine(frequency / Double(rates.0), count: count).map { Float($0) }
      let output = try Self.resample(input, from: rates.0, to: rates.1, .high).map { Double($0) }
      let edge = 200 * rates.1 / Int(nyquist)
      let result = fit(Self.inner(output, without: edge), frequency / Double(rates.1))
      #expect(result.residual < -140)
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
      for isInTwoSteps in [false, true] {
        let (table, grid) = try (
          Self.resample(
            input, from: inputRate, to: outputRate, promise.quality, isInTwoSteps: isInTwoSteps),
          Self.resample(
            input, from: inputRate, to: outputRate, promise.quality, largestTable: 0,
            isInTwoSteps: isInTwoSteps)
        )
        #expect(decibels(zip(table, grid).map { $0 - $1 }) < promise.floor - 5)
      }
    }
  }

  /// The two ways to compute a sum differ only in rounding.
  @Test(
    arguments: [(44_100, 48_000), (48_000, 44_100), (48_000, 16_000), (8_000, 24_000)],
    [false, true])
  func tilesAgreeWithRows(_ rates: (Int, Int), _ isInTwoSteps: Bool) throws {
    var generator = SplitMix64(seed: 6)
    for channels in [1, 2, 3, 6, 9] {
      let input = (0..<3_000 * channels).map { _ in
        Double(Int64(bitPattern: generator.next())) * 0x1p-63
      }
      let format = try StreamFormat(sampleRate: rates.0, channelCount: channels)
      let outputs = try [false, true].map { isTiled in
        let filter = ResamplerFilter<Double>(
          ratio: ResamplingRatio(from: rates.0, to: rates.1), quality: .best, isTiled: isTiled,
          isInTwoSteps: isInTwoSteps)
        return try run(Resampler(from: format, sampleRate: rates.1, filter: filter), on: input)
      }
      #expect(decibels(zip(outputs[0], outputs[1]).map { $0 - $1 }) < -290)
      #expect(outputs[0].count == outputs[1].count)
    }
  }
}
