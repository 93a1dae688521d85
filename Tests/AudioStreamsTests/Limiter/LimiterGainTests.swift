// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioStreams

/// The gains of a limiter equal those of its definition, computed from whole windows.
@Suite struct LimiterGainTests {
  private static let limit: Float = 0.5

  @Test(arguments: [1, 2, 7, 64, 240], [0.0, 30])
  func gainsAreThoseOfTheDefinition(_ window: Int, _ release: Double) {
    var random = SeededRandom(seed: UInt64(window))
    // Stretches that rise, fall and rest, some longer than a window.
    var peaks: [Float] = []
    while peaks.count < 3_000 {
      let (from, to) = (
        Float.random(in: 0...2, using: &random), Float.random(in: 0...2, using: &random)
      )
      let count = Int.random(in: 1...(2 * window + 20), using: &random)
      for index in 0..<count { peaks.append(from + (to - from) * Float(index) / Float(count)) }
    }
    peaks[100] = .nan
    peaks[200] = .infinity
    let expected = direct(peaks, window, release)
    let gain = LimiterGain(window: window, limit: Self.limit, release: release)
    var found: [Double] = []
    while found.count < peaks.count {
      let count = min(Int.random(in: 1...300, using: &random), peaks.count - found.count)
      found += written(by: gain, Array(peaks[found.count..<found.count + count]))
    }
    #expect(found == expected)
  }

  @Test func theGainIsAtRestOnceItIsBackAtOne() {
    let gain = LimiterGain(window: 10, limit: Self.limit, release: 1)
    #expect(gain.isAtRest)
    // The first of the 5 · 6 weights of two means over 5 and 6 gains, one of which is ½.
    #expect(written(by: gain, [1]).allSatisfy { abs($0 - (1 - 0.5 / 30)) < 1e-12 })
    #expect(!gain.isAtRest)
    #expect(written(by: gain, Array(repeating: 0, count: 10)).contains { $0 < 1 })
    #expect(written(by: gain, Array(repeating: 0, count: 100)).last == 1)
    #expect(gain.isAtRest)
  }

  private func written(by gain: LimiterGain, _ peaks: [Float]) -> [Double] {
    var factors = [Double](repeating: 0, count: peaks.count)
    unsafe peaks.withUnsafeBufferPointer { peaks in
      unsafe factors.withUnsafeMutableBufferPointer { factors in
        guard let from = peaks.baseAddress, let to = factors.baseAddress else { return }
        unsafe gain.write(from, peaks.count, to: to)
      }
    }
    return factors
  }

  /// Least value, release, two means; all in whole numbers.
  private func direct(_ peaks: [Float], _ window: Int, _ release: Double) -> [Double] {
    let one: Int64 = 1 << 30
    let share = Int64((-expm1(-1 / max(1e-3, release)) * 4_294_967_296).rounded())
    let required = peaks.map { peak -> Int64 in
      peak > Self.limit && peak < .infinity
        ? Int64(Double(Self.limit) / Double(peak) * Double(one)) : one
    }
    var last = one
    let released = required.indices.map { index -> Int64 in
      let least = required[max(0, index - window + 1)...index].min() ?? one
      last = min(least, one, last + max(1, ((one - last) * share) >> 32))
      return last
    }
    let half = (window + 1) / 2
    let first = sums(released, half, filledWith: one)
    let second = sums(first, window + 1 - half, filledWith: one * Int64(half))
    return second.map { Double($0) / (Double(one) * Double(half) * Double(window + 1 - half)) }
  }

  private func sums(_ values: [Int64], _ length: Int, filledWith value: Int64) -> [Int64] {
    let padded = Array(repeating: value, count: length - 1) + values
    return values.indices.map { padded[$0..<$0 + length].reduce(0, +) }
  }
}
