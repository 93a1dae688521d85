// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioStreams

/// The magnitudes between samples equal sums of products with the coefficients of the definition.
@Suite struct TruePeakFilterTests {
  @Test(arguments: [44_100, 96_000])
  func magnitudesAreThoseOfTheDefinition(_ rate: Int) {
    let factor = rate < 96_000 ? 4 : 2
    let (taps, count) = (48 / factor, 64)
    let samples: [Float] = Noise.samples(TruePeakWindow.margin + count + TruePeakWindow.group)
    let expected = (0..<count).map { index -> Double in
      (1..<factor).map { phase -> Double in
        (0..<taps).reduce(0) { sum, tap in
          let place = Double(tap) + Double(phase) / Double(factor) - Double(taps) / 2
          let sinc = place == 0 ? 1 : sin(.pi * place) / (.pi * place)
          let window = 0.5 * (1 + cos(2 * .pi * place * Double(factor) / 48))
          return sum + sinc * window * Double(samples[TruePeakWindow.margin + index - tap])
        }
      }.map(abs).max() ?? 0
    }
    let groups = [Int32](repeating: Int32(bitPattern: Float(1).bitPattern), count: 4)
    var found = [Float](repeating: 0, count: count)
    let filter = TruePeakFilter(sampleRate: rate)
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe found.withUnsafeMutableBufferPointer { found in
        guard let from = samples.baseAddress, let to = found.baseAddress else { return }
        unsafe filter.add(
          from + TruePeakWindow.margin, count, groups, groups[0], 0, to: to)
      }
    }
    for index in 0..<count {
      #expect(abs(Double(found[index]) - expected[index]) < 1e-6, "at \(index)")
    }
  }
}
