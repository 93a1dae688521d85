// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// Sample frames by factors, and the counts of a block, compared with one sample at a time.
@Suite struct FactorKernelTests {
  private static let widths = [1, 2, 3, 6]
  private static let counts = [0, 1, 7, 15, 16, 17, 33, 100]

  @Test(arguments: widths, counts)
  func framesAreScaledInDoublePrecision(_ width: Int, _ count: Int) {
    let samples = Noise.integers(count * width, seed: 1, bits: 24)
    let factors = Noise.integers(count + 3, seed: 2, bits: 32).map { $0 / 3 }
    #expect(
      scaled(samples, width, factors) == samples.indices.map { samples[$0] * factors[$0 / width] })
    let singles = samples.map { Float($0) }
    #expect(
      scaled(singles, width, factors)
        == singles.indices.map { Float(Double(singles[$0]) * factors[$0 / width]) })
  }

  private func scaled<Sample: AudioSample>(
    _ samples: [Sample], _ width: Int, _ factors: [Double]
  ) -> [Sample] {
    var samples = samples
    var span = samples.mutableSpan
    Sample.scale(&span, frames: width, by: factors)
    return samples
  }

  @Test(arguments: widths, counts)
  func framesAreBlendedInDoublePrecision(_ width: Int, _ count: Int) {
    let old = Noise.integers(count * width, seed: 3, bits: 24)
    let new = Noise.integers(count * width, seed: 4, bits: 24)
    let (falling, rising) = (
      Noise.integers(count, seed: 5, bits: 32).map { $0 / 3 },
      Noise.integers(count + 1, seed: 6, bits: 32).map { $0 / 3 }
    )
    let sums = old.indices.map { old[$0] * falling[$0 / width] + new[$0] * rising[$0 / width] }
    #expect(
      [Double](capacity: sums.count) {
        Double.blend(old.span, by: falling, new.span, by: rising, frames: width, into: &$0)
      } == sums)
    let (oldSingles, newSingles) = (old.map { Float($0) }, new.map { Float($0) })
    #expect(
      [Float](capacity: sums.count) {
        Float.blend(
          oldSingles.span, by: falling, newSingles.span, by: rising, frames: width, into: &$0)
      } == sums.map { Float($0) })
  }

  private static let odd: [Double] = [
    .nan, -.nan, .signalingNaN, .infinity, -.infinity, 0, -0.0, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1, -1.5,
  ]

  /// Every sample in every lane, among others.
  @Test func countsAndMagnitudesAreThoseOfEachSample() {
    for place in 0..<Self.odd.count {
      for length in 1...40 {
        let doubles = (0..<length).map { Self.odd[($0 + place) % Self.odd.count] }
        check(doubles)
        check(doubles.map { Float($0) })
      }
    }
    check([Double]())
    check([Float]())
  }

  private func check<Sample: AudioSample>(_ samples: [Sample]) {
    #expect(Sample.countOfNaN(in: samples.span) == samples.count { $0.isNaN })
    let finite = samples.filter(\.isFinite)
    let found = Sample.magnitudes(of: samples.span)
    #expect(found.notFinite == samples.count - finite.count)
    #expect(found.largest == Double(finite.map(\.magnitude).max() ?? 0))
  }
}
