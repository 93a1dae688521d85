// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioStreams

/// The dither's noise alone, before any rounding, in steps.
///
/// A true triangular distribution exceeds the bounds at most once in 10,000 seeds; the seeds are fixed, so the result
/// is constant.
@Suite struct TriangularNoiseTests {
  static let seeds: [UInt64] = [0, 1, 42, .max]
  private static let count = 100_000

  private func noise(_ seed: UInt64, _ count: Int = count) -> [Double] {
    var noise = TriangularNoise(seed: seed, step: 1)
    var values = [Double](repeating: 0, count: count)
    var span = values.mutableSpan
    noise.add(to: &span)
    return values
  }

  /// Kolmogorov–Smirnov: the largest distance of the two distribution functions, times √n, exceeds 2.23 once in 10,000
  /// (2 exp(−2 · 2.23²)).
  @Test(arguments: seeds)
  func isTriangular(_ seed: UInt64) {
    let values = noise(seed).sorted()
    #expect(values.allSatisfy { abs($0) < 1 })
    let count = Double(values.count)
    let distance = values.enumerated().reduce(0) { most, entry in
      let below = entry.element < 0 ? 1 + entry.element : 1 - entry.element
      let probability = entry.element < 0 ? below * below / 2 : 1 - below * below / 2
      return max(
        most, probability - Double(entry.offset) / count,
        Double(entry.offset + 1) / count - probability)
    }
    #expect(distance * count.squareRoot() < 2.23)
  }

  /// For a triangle on ±1: E x^2k = 2 / ((2k + 1)(2k + 2)), and 0 for odd powers. A mean of n powers x^k has a standard
  /// deviation of √((E x^2k − (E x^k)²) / n): within four of these.
  @Test(arguments: seeds, 1...4)
  func hasTheMomentsOfATriangle(_ seed: UInt64, _ power: Int) {
    func moment(_ power: Int) -> Double {
      power % 2 == 1 ? 0 : 2 / Double((power + 1) * (power + 2))
    }
    let values = noise(seed)
    let mean = values.reduce(0) { $0 + pow($1, Double(power)) } / Double(values.count)
    let variance = moment(2 * power) - moment(power) * moment(power)
    let spread = (variance / Double(values.count)).squareRoot()
    #expect(abs(mean - moment(power)) < 4 * spread)
  }

  /// Correlations of white noise have a standard deviation of 1/√n: the largest of 64 lags and four seeds stays below
  /// five of these.
  @Test(arguments: seeds)
  func samplesDoNotKnowEachOther(_ seed: UInt64) {
    let values = noise(seed)
    for lag in 1...64 {
      #expect(abs(Self.correlation(values, values.dropFirst(lag))) < 5, "lag \(lag)")
    }
  }

  /// The channels of a stereo stream are the even and the odd values.
  @Test(arguments: seeds)
  func channelsDoNotKnowEachOther(_ seed: UInt64) {
    let values = noise(seed)
    let left = stride(from: 0, to: values.count, by: 2).map { values[$0] }
    let right = stride(from: 1, to: values.count, by: 2).map { values[$0] }
    for lag in 0...64 {
      #expect(abs(Self.correlation(left, right.dropFirst(lag))) < 5, "right \(lag) later")
      #expect(abs(Self.correlation(right, left.dropFirst(lag))) < 5, "left \(lag) later")
    }
  }

  /// Their squares, of variance 1/15 − 1/36, are uncorrelated, too; a merely uncorrelated generator fails this.
  @Test(arguments: seeds)
  func neitherDoTheirPowers(_ seed: UInt64) {
    let powers = noise(seed).map { ($0 * $0 - 1 / 6) / (6 * (1 / 15 - 1 / 36)).squareRoot() }
    for lag in 1...64 {
      #expect(abs(Self.correlation(powers, powers.dropFirst(lag))) < 5, "lag \(lag)")
    }
  }

  @Test func seedsDoNotKnowEachOther() {
    for seed in Self.seeds.dropFirst() {
      #expect(abs(Self.correlation(noise(0), noise(seed)[...])) < 5)
    }
  }

  /// In standard errors, for values of variance 1/6.
  private static func correlation(_ first: [Double], _ second: ArraySlice<Double>) -> Double {
    let count = min(first.count, second.count)
    let sum = Double.dotProduct(first.span.extracting(first: count), second.span, from: 0)
    return 6 * sum / Double(count).squareRoot()
  }
}
