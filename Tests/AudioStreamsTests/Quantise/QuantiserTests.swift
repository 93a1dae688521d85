// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@Suite struct QuantiserTests {
  static func quantise<Sample: AudioSample>(
    _ samples: [Sample], as layout: SampleLayout, dither: Dither, cuts: [Int] = []
  ) -> (bytes: [UInt8], clipped: Int) {
    var quantiser = Quantiser(layout: layout, dither: dither)
    var result: [UInt8] = []
    var start = 0
    for end in cuts + [samples.count] {
      var bytes = [UInt8](repeating: 0, count: (end - start) * layout.bytesPerSample)
      var span = bytes.mutableSpan
      var raw = unsafe span.mutableBytes
      quantiser.encode(samples.span.extracting(start..<end), into: &raw)
      result += bytes
      start = end
    }
    return (result, quantiser.clippedSamples + quantiser.notANumberSamples)
  }

  @Test func plainRoundingIsTheKernel() {
    let samples: [Float] = [-2, -1, -0.3, 0, 0.7, 0.99999, 1, .nan]
    for layout in SampleLayout.all {
      let result = Self.quantise(samples, as: layout, dither: .none, cuts: [3])
      #expect(result == encode(samples, as: layout))
    }
  }

  /// NaN is not loud: it has its own count, with dither too.
  @Test(arguments: [Dither.none, DitherTests.noise])
  func whatIsNotANumberIsCountedApart(_ dither: Dither) {
    let samples: [Double] = [.nan, 2, .signalingNaN, -.infinity, 0.5, .nan, .infinity]
    for layout in SampleLayout.all {
      var quantiser = Quantiser(layout: layout, dither: dither)
      var bytes = [UInt8](repeating: 0xAA, count: samples.count * layout.bytesPerSample)
      var span = bytes.mutableSpan
      var raw = unsafe span.mutableBytes
      quantiser.encode(samples.span, into: &raw)
      #expect(quantiser.notANumberSamples == 3, "\(layout)")
      // 2 and the infinities exceed full scale in integers; floating point keeps them.
      let isFloat = layout.encoding == .f32 || layout.encoding == .f64
      #expect(quantiser.clippedSamples == (isFloat ? 0 : 3), "\(layout)")
    }
  }

  @Test func seedDecidesAndBlocksDoNot() {
    let samples = (0..<5_000).map { 0.5 * Float(sin(Double($0))) }
    for layout in SampleLayout.all {
      let whole = Self.quantise(samples, as: layout, dither: DitherTests.noise)
      #expect(
        Self.quantise(
          samples, as: layout, dither: DitherTests.noise, cuts: [0, 1, 8, 1_025, 4_999])
          == whole)
      let isDithered = SampleLayout.integers.contains { $0.layout == layout }
      let other = Self.quantise(samples, as: layout, dither: .tpdf(seed: 43))
      #expect((other.bytes != whole.bytes) == isDithered, "\(layout)")
      #expect((whole.bytes != encode(samples, as: layout).bytes) == isDithered, "\(layout)")
    }
  }

  /// Full scale plus dither: the top step clips as often as the triangle predicts.
  @Test func clippingIsCountedAfterDithering() {
    let layout: SampleLayout = SampleLayout(.s16)
    let top = [Double](repeating: 32767.0 / 32768, count: 20_000)
    // Out of range from +0.5 step of dither on: 1/8 of a triangle.
    let clipped = Self.quantise(top, as: layout, dither: DitherTests.noise).clipped
    #expect(abs(clipped - 2_500) < 250)
    #expect(Self.quantise(top, as: layout, dither: .none).clipped == 0)
    let below = [Double](repeating: 32765.0 / 32768, count: 2_000)
    #expect(Self.quantise(below, as: layout, dither: DitherTests.noise).clipped == 0)
  }
}
