// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams

/// A resampler with a varying ratio, compared with sines known at every time.
@Suite struct AsynchronousResamplerTests {
  static let rates = [(48_000, 48_000), (44_100, 48_000), (48_000, 44_100)]
  static let offsets = [0, 0.37e-6, -200e-6, 1e-3]

  /// Returns a filter made once for many runs.
  static func filter<Sample: AudioSample>(
    _ rates: (Int, Int), _ quality: ResamplerQuality = .high
  ) -> PolyphaseFilter<Sample> {
    PolyphaseFilter(
      ratio: ResamplingRatio(from: rates.0, to: rates.1), quality: quality, largestTable: 0)
  }

  static func resampler<Sample: AudioSample>(
    _ rates: (Int, Int), channels: Int = 1, _ filter: PolyphaseFilter<Sample>
  ) throws -> AsynchronousResampler<Sample> {
    try AsynchronousResampler(
      from: StreamFormat(sampleRate: rates.0, channelCount: channels), sampleRate: rates.1,
      filter: filter)
  }

  /// Passes a tone at `place` of the lower Nyquist through a fixed correction. Returns the gain and the residual of the
  /// least-squares fit, in dB, and the distance from the exact tone.
  static func tone<Sample: AudioSample>(
    _ rates: (Int, Int), _ correction: Double, _ filter: PolyphaseFilter<Sample>, at place: Double
  ) throws -> (gain: Double, residual: Double, error: Double) {
    let cycles = place * Double(min(rates.0, rates.1)) / 2 / Double(rates.0)
    let stage = try resampler(rates, filter)
    stage.correction = correction
    let input = sine(cycles, count: 1_400).map { Sample($0) }
    let output = try run(stage, on: input).map { Double($0) }
    let step = Double(rates.0) / Double(rates.1) / (1 + correction)
    let inner = ResamplerQualityTests.inner(output)
    let exact = ResamplerQualityTests.inner(sine(cycles * step, count: output.count))
    let (gain, residual) = fit(inner, cycles * step)
    return (gain, residual, decibels(zip(inner, exact).map { $0 - $1 }))
  }

  @Test(arguments: rates, ResamplerQualityTests.promises)
  func tonesKeepTimeLevelAndPurity(
    _ rates: (Int, Int), _ promise: ResamplerQualityTests.Promise
  ) throws {
    let filter: PolyphaseFilter<Double> = Self.filter(rates, promise.quality)
    for correction in Self.offsets {
      // The images of the last tones stand between 1 and 1.02 of Nyquist.
      for place in [0.045, 0.5, promise.passBand, 0.98, 0.99, 0.995, 0.9975] {
        let tone = try Self.tone(rates, correction, filter, at: place)
        #expect(tone.residual < promise.floor, "\(correction), \(place) of Nyquist")
        guard place <= promise.passBand else { continue }
        #expect(abs(tone.gain) < promise.ripple)
        #expect(tone.error < max(promise.floor, 20 * log10(promise.ripple / 8.686)))
      }
    }
  }

  /// The rounding of the arithmetic exceeds the rounding of a sine stored as Float, which is −154 dB.
  @Test(arguments: rates) func singlePrecisionIsLimitedByItsRounding(_ rates: (Int, Int)) throws {
    let filter: PolyphaseFilter<Float> = Self.filter(rates)
    for correction in Self.offsets {
      for place in [0.045, 0.5, 0.91] {
        let tone = try Self.tone(rates, correction, filter, at: place)
        #expect(tone.residual < -140, "\(correction), \(place) of Nyquist")
        #expect(abs(tone.gain) < 0.01)
      }
    }
  }

  @Test(arguments: ResamplerQualityTests.promises)
  func whatWouldAliasIsGone(_ promise: ResamplerQualityTests.Promise) throws {
    let filter: PolyphaseFilter<Double> = Self.filter((48_000, 16_000), promise.quality)
    for (place, correction) in [
      (1, 3e-4), (1.0025, 3e-4), (1.005, -1e-3), (1.01, 2e-4), (1.02, -2e-4), (1.03, 1e-4),
      (1.052, 3e-4), (1.1, -1e-3), (1.2345, 1e-4), (1.9, -2e-4),
    ] {
      let stage = try Self.resampler((48_000, 16_000), filter)
      stage.correction = correction
      let output = try run(stage, on: sine(place * 8_000 / 48_000, count: 4_000))
      let inner = ResamplerQualityTests.inner(output)
      #expect(decibels(inner) < promise.floor, "\(place) of Nyquist")
    }
  }

  /// The ratio rises, falls and jumps: every output is the sine at its input time by the direct formula, t = Σ step. So
  /// there is no click and no drift of phase.
  @Test(arguments: rates) func changesOfTheRatioAreContinuous(_ rates: (Int, Int)) throws {
    let cycles = 0.0821
    let block = 100
    let input = sine(cycles, count: 60 * block)
    let stage: AsynchronousResampler<Double> = try Self.resampler(rates, Self.filter(rates))
    let queue = SampleQueue<Double>()
    var times: [Double] = []
    var time = 0.0
    for number in 0..<60 {
      let correction =
        switch number {
        case 0..<20: 200e-6 * sin(Double(number) / 3)
        case 20..<40: number % 2 == 0 ? 1e-3 : -1e-3
        default: -50e-6
        }
      stage.correction = correction
      let step = Double(rates.0) / Double(rates.1) / (1 + correction)
      let before = queue.count
      stage.process(input.span.extracting(number * block..<(number + 1) * block), into: queue)
      for output in before..<queue.count { times.append(time + Double(output - before) * step) }
      time += Double(queue.count - before) * step
      #expect(abs(stage.inputPosition - time) < 1e-9)
    }
    let output = (0..<queue.count).map { queue.readable[$0] }
    let exact = times.map { sin(2 * Double.pi * cycles * $0) }
    let error = ResamplerQualityTests.inner(zip(output, exact).map { $0 - $1 })
    #expect(decibels(error) < -120)
    // The level within the design's ripple, the rest within the promise.
    let scale =
      zip(output, exact).dropFirst(400).reduce(0) { $0 + $1.0 * $1.1 }
      / exact.dropFirst(400).reduce(0) { $0 + $1 * $1 }
    let rest = ResamplerQualityTests.inner(zip(output, exact).map { $0 - scale * $1 })
    #expect(decibels(rest) < -140)
  }

  /// Without a correction it is the fixed resampler with interpolated rows.
  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (8_000, 11_025)])
  func withoutCorrectionItIsTheFixedResampler(_ rates: (Int, Int)) throws {
    let input: [Double] = Noise.samples(1_500)
    let fixed = try run(
      ResamplerStreamTests.resampler(rates.0, rates.1, .high) as Resampler<Double>, on: input)
    let varying = try run(
      Self.resampler(rates, Self.filter(rates)) as AsynchronousResampler<Double>, on: input)
    #expect(varying.count == fixed.count)
    #expect(decibels(zip(varying, fixed).map { $0 - $1 }) < -145)
  }

  /// A ratio set at one input sample gives equal output bit for bit, at every block size.
  @Test(arguments: [(48_000, 48_000), (44_100, 48_000), (48_000, 16_000)])
  func cutsDoNotMatter(_ rates: (Int, Int)) throws {
    var generator = SplitMix64(seed: 78)
    let length = 3_000
    let changes = [0: 150e-6, 700: -1e-3, 701: 3e-9, 2_555: 80e-6]
    let filter: PolyphaseFilter<Float> = Self.filter(rates, .fast)
    for channels in 1...3 {
      let input: [Float] = Noise.samples(length * channels)
      func result(_ longestBlock: Int) throws -> [Float] {
        let stage = try Self.resampler(rates, channels: channels, filter)
        let queue = SampleQueue<Float>()
        var place = 0
        while place < length {
          if let correction = changes[place] { stage.correction = correction }
          let next = changes.keys.filter { $0 > place }.min() ?? length
          let end = min(place + Int(generator.next() % UInt64(longestBlock)), next)
          stage.process(input.span.extracting(place * channels..<end * channels), into: queue)
          place = end
        }
        stage.finish(into: queue)
        return (0..<queue.count).map { queue.readable[$0] }
      }
      let whole = try result(60_000)
      for longest in [8, 1_000] {
        #expect(try result(longest) == whole, "\(channels) channels")
      }
    }
  }

  @Test func channelsAreConvertedEachByItself() throws {
    let channels: [[Double]] = (0..<3).map { Noise.samples(700, seed: UInt64($0)) }
    let interleaved = (0..<700).flatMap { index in channels.map { $0[index] } }
    let filter: PolyphaseFilter<Double> = Self.filter((48_000, 48_000), .fast)
    func result(_ input: [Double], _ count: Int) throws -> [Double] {
      let stage = try Self.resampler((48_000, 48_000), channels: count, filter)
      stage.correction = 321e-6
      return try run(stage, on: input)
    }
    let together = try result(interleaved, 3)
    for channel in 0..<3 {
      #expect(
        stride(from: channel, to: together.count, by: 3).map { together[$0] }
          == (try result(channels[channel], 1)))
    }
  }

  /// Exactly the outputs within the input come out.
  @Test func lengthIsThatOfTheRatio() throws {
    let filter: PolyphaseFilter<Float> = Self.filter((48_000, 48_000), .fast)
    for correction in [0, 0.9e-3, -0.9e-3] {
      for count in [0, 1, 7, 999, 1_000, 1_001, 4_000] {
        let stage = try Self.resampler((48_000, 48_000), filter)
        stage.correction = correction
        let output = try run(stage, on: [Float](repeating: 0.5, count: count))
        let exact = Int((Double(count) * (1 + correction)).rounded(.up))
        #expect(output.count == exact, "\(count) samples, \(correction)")
      }
    }
  }
}
