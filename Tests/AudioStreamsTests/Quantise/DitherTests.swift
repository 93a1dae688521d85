// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

/// The effect of dither on the quantisation error: output − input, in steps.
@Suite struct DitherTests {
  static let noise = Dither.tpdf(seed: 42)

  private func quantised(
    _ steps: [Double], as storage: SampleLayout.Storage = .s16, bits: Int = 16, dither: Dither
  ) -> [Double] {
    let fullScale = Double(1 << (bits - 1))
    let layout = SampleLayout(storage)
    let bytes = QuantiserTests.quantise(
      steps.map { $0 / fullScale }, as: layout, dither: dither
    ).bytes
    let samples: [Double] = decode(bytes, as: layout)
    return samples.map { $0 * fullScale }
  }

  /// Lipshitz, Wannamaker, Vanderkooy: mean 0 and variance 1/12 + 2/12 step² for every signal. The dither is at most
  /// one step, so the error is at most 1.5.
  ///
  /// Five standard errors: 0.5 / √40000 of the mean, and √((E e⁴ − 1/16) / 40000) of the variance, with E e⁴ at most
  /// 1.5² · 1/4.
  @Test(arguments: [
    (SampleLayout.Storage.s8, 8), (.u8, 8), (.s16, 16), (.s24, 24), (.s24In32, 24), (.s32, 32),
  ])
  func meanAndVarianceOfTheErrorAreConstant(_ storage: SampleLayout.Storage, _ bits: Int) {
    for steps in [0.0, 0.25, 0.5, 0.75, -0.5, 100.37] {
      let count = 40_000
      let outputs = quantised(
        Array(repeating: steps, count: count), as: storage, bits: bits, dither: Self.noise)
      let errors = outputs.map { $0 - steps }
      let mean = errors.reduce(0, +) / Double(count)
      let variance = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
      #expect(abs(mean) < 0.0125, "\(steps) steps")
      #expect(abs(variance - 0.25) < 0.0177, "\(steps) steps")
      #expect(errors.allSatisfy { abs($0) <= 1.5 }, "\(steps) steps")
    }
  }

  @Test func plainRoundingHasAnErrorThatDependsOnTheSignal() {
    for (steps, error) in [(0.0, 0.0), (0.25, -0.25), (0.5, -0.5), (0.75, 0.25)] {
      let outputs = quantised([steps, steps], dither: .none)
      #expect(outputs.allSatisfy { $0 - steps == error })
    }
  }

  /// The periodogram of the error, averaged over 800 blocks, is 1/4 step² in every bin: each is the mean of 800
  /// exponential variables (of 800 χ² at the ends), with a standard error of 3.5 % (5 %). Five of these.
  @Test func errorIsWhite() {
    let size = 64
    let blocks = 800
    let steps = (0..<size * blocks).map { 9_830 * sin(Double($0) * 0.05) }
    let errors = zip(quantised(steps, dither: Self.noise), steps).map { $0 - $1 }
    for bin in 0...size / 2 {
      let power = (0..<blocks).reduce(0) { sum, block in
        sum + Self.power(errors[block * size..<(block + 1) * size], period: size, harmonic: bin)
      }
      let mean = power / Double(blocks)
      let isReal = bin % (size / 2) == 0
      #expect(abs(mean / 0.25 - 1) < (isReal ? 0.25 : 0.177), "bin \(bin)")
    }
  }

  /// A tone of 0.6 steps: rounded, it is a square-like wave with odd harmonics; dithered, it is a tone in noise.
  ///
  /// The power of white noise at a frequency is exponential with mean 1/4 step²: it exceeds 3 once in 160,000.
  @Test func aLowToneHasHarmonicsOnlyWithoutDither() {
    let period = 100
    let count = 60_000
    let steps = (0..<count).map { 0.6 * sin(2 * .pi * (Double($0) + 0.5) / Double(period)) }
    let plain = quantised(steps, dither: .none)
    let dithered = quantised(steps, dither: Self.noise)
    func power(_ samples: [Double], _ harmonic: Int) -> Double {
      Self.power(samples[...], period: period, harmonic: harmonic)
    }
    for harmonic in 2...20 {
      #expect(power(dithered, harmonic) < 3, "harmonic \(harmonic)")
    }
    for harmonic in [3, 7, 9] {
      #expect(power(plain, harmonic) > 100, "harmonic \(harmonic)")
    }
    // The tone itself: amplitude a has power a² N / 4. The noise changes the amplitude by 2/√N · 0.5.
    let amplitude = (power(dithered, 1) * 4 / Double(count)).squareRoot()
    #expect(abs(amplitude - 0.6) < 5 / Double(count).squareRoot())
    #expect(abs((power(plain, 1) * 4 / Double(count)).squareRoot() - 0.6) > 0.05)
  }

  /// |Σ x e^(−2πi h k / period)|² / N by the formula; `period` divides N.
  private static func power(
    _ samples: ArraySlice<Double>, period: Int, harmonic: Int
  ) -> Double {
    let angles = (0..<period).map { 2 * .pi * Double(harmonic * $0 % period) / Double(period) }
    let cosines = angles.map { cos($0) }
    let sines = angles.map { sin($0) }
    var real = 0.0
    var imaginary = 0.0
    for (index, sample) in samples.enumerated() {
      real += sample * cosines[index % period]
      imaginary += sample * sines[index % period]
    }
    return (real * real + imaginary * imaginary) / Double(samples.count)
  }
}
