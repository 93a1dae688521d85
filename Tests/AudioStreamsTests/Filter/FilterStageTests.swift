// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioStreams

/// Filters, compared with a second implementation of their formulas: as analogue filters, and as the Cookbook's
/// fractions in complex numbers.
@Suite struct FilterStageTests {
  private static let rate = 48_000

  static let filters: [SoundFilter] = {
    let shapes: [(SoundFilter.Shape, Double, Double?)] = [
      (.highpass(order: 1), 80, nil), (.highpass(order: 2), 80, nil),
      (.highpass(order: 5), 1_000, nil),
      (.highpass(order: 8), 9_000, nil), (.lowpass(order: 1), 3_000, nil),
      (.lowpass(order: 4), 3_000, nil), (.lowpass(order: 7), 15_000, nil), (.bandpass, 1_000, 1),
      (.bandpass, 7_000, 10), (.notch, 50, 5), (.peak(gain: -3), 3_000, 1.4),
      (.peak(gain: 12), 150, 0.7), (.lowshelf(gain: -6), 120, nil),
      (.lowshelf(gain: 9), 4_000, nil),
      (.highshelf(gain: 4), 8_000, nil), (.highshelf(gain: -12), 900, nil),
    ]
    return shapes.compactMap { try? SoundFilter($0.0, frequency: $0.1, q: $0.2) }
  }()

  /// So long that the rest of an impulse response is below −120 dB of its beginning.
  private static let length = 1 << 16

  /// The bins of 200 frequencies, equally spaced on a logarithmic scale, up to just below half the rate.
  private static let bins = (0..<200).map {
    Int((5 * pow(23_900 / 5, Double($0) / 199) * Double(length) / Double(rate)).rounded())
  }

  private static let transform = FourierTransform<Complex>(size: length)

  /// |H|² of the analogue prototype at the warped frequency; the bilinear transform maps one to the other exactly.
  private func analogue(_ filter: SoundFilter, _ frequency: Double) -> Double {
    let rate = Double(Self.rate)
    // In units of the filter's own frequency.
    let s = tan(.pi * frequency / rate) / tan(.pi * filter.frequency / rate)
    let q = filter.q
    /// (a − b s² )² + (c s)² for s on the imaginary axis.
    func square(_ a: Double, _ b: Double, _ c: Double) -> Double {
      (a - b * s * s) * (a - b * s * s) + c * s * c * s
    }
    switch filter.shape {
    case .highpass(let order): return 1 / (1 + pow(s, Double(-2 * order)))
    case .lowpass(let order): return 1 / (1 + pow(s, Double(2 * order)))
    case .bandpass: return square(0, 0, 1 / q) / square(1, 1, 1 / q)
    case .notch: return square(1, 1, 0) / square(1, 1, 1 / q)
    case .peak(let gain):
      let a = pow(10, gain / 40)
      return square(1, 1, a / q) / square(1, 1, 1 / (a * q))
    case .lowshelf(let gain):
      let a = pow(10, gain / 40)
      return a * a * square(a, 1, a.squareRoot() / q) / square(1, a, a.squareRoot() / q)
    case .highshelf(let gain):
      let a = pow(10, gain / 40)
      return a * a * square(1, a, a.squareRoot() / q) / square(a, 1, a.squareRoot() / q)
    }
  }

  @Test func everyFilterIsThere() { #expect(Self.filters.count == 16) }

  @Test(arguments: filters)
  func theResponseIsThatOfTheFormula(_ filter: SoundFilter) throws {
    var impulse = [Double](repeating: 0, count: Self.length)
    impulse[0] = 1
    let stage = try FilterStage<Double>(
      format: StreamFormat(sampleRate: Self.rate, channelCount: 1), [filter])
    let answer = try run(stage, on: impulse)
    var values = [Complex](repeating: Complex(), count: Self.length)
    for (place, sample) in zip(Self.transform.places, answer) { values[place].parts.x = sample }
    Self.transform.apply(to: &values)
    for bin in Self.bins {
      let frequency = Double(bin) * Double(Self.rate) / Double(Self.length)
      let expected = 10 * log10(analogue(filter, frequency))
      // Below this level a double has no digits.
      guard expected > -100 else { continue }
      let told = try filter.response(at: frequency, sampleRate: Self.rate)
      #expect(abs(told - expected) < 0.001, "\(filter) at \(frequency)")
      let parts = values[bin].parts
      let measured = 10 * log10(parts.x * parts.x + parts.y * parts.y)
      #expect(abs(measured - expected) < 0.001, "\(filter) at \(frequency)")
    }
  }

  @Test(arguments: [1, 2, 3, 5, 8])
  func channelsDoNotMixAndCutsDoNotMatter(_ width: Int) throws {
    let format = try StreamFormat(sampleRate: Self.rate, channelCount: width)
    let filters = [1, 5, 10].map { Self.filters[$0] }
    let samples: [Double] = Noise.samples(width * 3_000)
    let whole = try run(FilterStage<Double>(format: format, filters), on: samples)
    var random = SeededRandom(seed: UInt64(width))
    let stage = try FilterStage<Double>(format: format, filters)
    let output = SampleQueue<Double>()
    var start = 0
    while start < 3_000 {
      let count = min(3_000 - start, Int(random.next() % 700))
      let piece = Array(samples[start * width..<(start + count) * width])
      stage.process(piece.span, into: output)
      start += count
    }
    #expect((0..<output.count).map { output.readable[$0] } == whole)
    for channel in 0..<width {
      let one = stride(from: channel, to: samples.count, by: width).map { samples[$0] }
      let alone = try run(
        FilterStage<Double>(
          format: StreamFormat(sampleRate: Self.rate, channelCount: 1), filters), on: one)
      #expect(stride(from: channel, to: whole.count, by: width).map { whole[$0] } == alone)
    }
  }

  /// y[n] = b0 x[n] + … − a2 y[n − 2], sample by sample.
  @Test func theSamplesAreThoseOfTheDifferenceEquation() throws {
    let filter = try SoundFilter(.peak(gain: 6), frequency: 1_000, q: 2)
    let a: Double = pow(10.0, 6.0 / 40)
    let angle = 2 * Double.pi * 1_000 / 48_000
    let alpha = sin(angle) / 4
    let (b0, b1, b2) = (1 + alpha * a, -2 * cos(angle), 1 - alpha * a)
    let (a0, a1, a2) = (1 + alpha / a, -2 * cos(angle), 1 - alpha / a)
    let x: [Double] = Noise.samples(2_000)
    let y = try run(
      FilterStage<Double>(format: StreamFormat(sampleRate: 48_000, channelCount: 1), [filter]),
      on: x)
    var expected: [Double] = []
    for n in 0..<x.count {
      func at(_ samples: [Double], _ n: Int) -> Double { n < 0 ? 0 : samples[n] }
      expected.append(
        (b0 * x[n] + b1 * at(x, n - 1) + b2 * at(x, n - 2) - a1 * at(expected, n - 1)
          - a2 * at(expected, n - 2)) / a0)
    }
    #expect(zip(y, expected).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  /// The spoilt samples after a NaN end at a multiple of 256.
  @Test func aSampleThatIsNotANumberIsForgotten() throws {
    var samples = [Double](repeating: 0.25, count: 2_048)
    samples[300] = .nan
    let filter = try SoundFilter(.lowpass(order: 4), frequency: 1_000)
    let output = try run(
      FilterStage<Double>(format: StreamFormat(sampleRate: 48_000, channelCount: 1), [filter]),
      on: samples)
    #expect(output[..<300].allSatisfy { $0.isFinite })
    #expect(output[300..<512].allSatisfy { $0.isNaN })
    #expect(output[512...].allSatisfy { $0.isFinite })
    #expect(abs(output[2_000] - 0.25) < 1e-6)
  }

  @Test func whatIsOutOfRangeIsRefused() throws {
    #expect(throws: AudioError.self) { try SoundFilter(.highpass(order: 9), frequency: 80) }
    #expect(throws: AudioError.self) { try SoundFilter(.notch, frequency: 0) }
    #expect(throws: AudioError.self) { try SoundFilter(.notch, frequency: 50, q: 0) }
    #expect(throws: AudioError.self) { try SoundFilter(.peak(gain: 121), frequency: 50) }
    let filter = try SoundFilter(.notch, frequency: 24_000)
    #expect(throws: AudioError.self) {
      try FilterStage<Float>(
        format: StreamFormat(sampleRate: 48_000, channelCount: 1), [filter])
    }
  }
}
