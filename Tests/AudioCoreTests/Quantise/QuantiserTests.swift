import Foundation
import Testing

@testable import AudioCore

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
    return (result, quantiser.clippedSamples)
  }

  static let noise = Dither.tpdf(seed: 42)

  @Test func plainRoundingIsTheKernel() {
    let samples: [Float] = [-2, -1, -0.3, 0, 0.7, 0.99999, 1, .nan]
    for layout in SampleLayout.all {
      let result = Self.quantise(samples, as: layout, dither: .none, cuts: [3])
      #expect(result == encode(samples, as: layout))
    }
  }

  /// Error = output − input. Lipshitz, Wannamaker, Vanderkooy: mean 0 and variance 1/12 + 2/12 step²
  /// whatever the signal, and the dither itself never beyond one step: the error less than 1.5.
  @Test(arguments: [0.0, 0.25, 0.5, 100.37])
  func totalErrorHasTheMomentsOfTriangularDither(_ steps: Double) {
    let count = 40_000
    let layout: SampleLayout = SampleLayout(.s16)
    let samples = [Double](repeating: steps / 32768, count: count)
    let output: [Double] = decode(
      Self.quantise(samples, as: layout, dither: Self.noise).bytes, as: layout)
    let errors = output.map { $0 * 32768 - steps }
    let mean = errors.reduce(0, +) / Double(count)
    let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
    // Five standard errors: 5 × 0.5 / √40000, and as much for the variance, whose own standard error is smaller.
    #expect(abs(mean) < 0.0125)
    #expect(abs(variance - 0.25) < 0.0125)
    #expect(errors.allSatisfy { abs($0) < 1.5 })
  }

  /// The noise alone, before any rounding.
  @Test func noiseIsTriangular() {
    var noise = TriangularNoise(seed: 1, step: 1)
    var values = [Double](repeating: 0, count: 64_000)
    var span = values.mutableSpan
    noise.add(to: &span)
    #expect(values.allSatisfy { abs($0) < 1 })
    var counts = [Int](repeating: 0, count: 16)
    for value in values { counts[Int((value + 1) * 8)] += 1 }
    // Chi-squared over 16 bins: 15 degrees of freedom, 44 is the 1 in 10,000 point.
    var chiSquared = 0.0
    for bin in 0..<16 {
      let distance = abs(Double(bin) - 7.5)
      let expected = 64_000 * (8 - distance) / 64
      chiSquared += pow(Double(counts[bin]) - expected, 2) / expected
    }
    #expect(chiSquared < 44)
  }

  /// Spectrum of the total error by a direct DFT, averaged over blocks: flat within the spread of an
  /// average of 400 periodograms (standard error 5 %).
  @Test func errorIsWhite() {
    let size = 32
    let blocks = 400
    let layout: SampleLayout = SampleLayout(.s16)
    let samples = (0..<size * blocks).map { 0.3 * sin(Double($0) * 0.05) }
    let output: [Double] = decode(
      Self.quantise(samples, as: layout, dither: Self.noise).bytes, as: layout)
    let errors = zip(output, samples).map { ($0 - $1) * 32768 }
    for bin in 0...size / 2 {
      var power = 0.0
      for block in 0..<blocks {
        var real = 0.0
        var imaginary = 0.0
        for index in 0..<size {
          let angle = 2 * Double.pi * Double(bin * index % size) / Double(size)
          real += errors[block * size + index] * cos(angle)
          imaginary += errors[block * size + index] * sin(angle)
        }
        power += (real * real + imaginary * imaginary) / Double(size * blocks)
      }
      // 0.25 step² a bin; the real bins 0 and N/2 spread √2 wider.
      #expect(abs(power / 0.25 - 1) < (bin % (size / 2) == 0 ? 0.4 : 0.28), "bin \(bin)")
    }
  }

  @Test func seedDecidesAndBlocksDoNot() {
    let samples = (0..<5_000).map { 0.5 * Float(sin(Double($0))) }
    for layout in SampleLayout.all {
      let whole = Self.quantise(samples, as: layout, dither: Self.noise)
      #expect(
        Self.quantise(samples, as: layout, dither: Self.noise, cuts: [0, 1, 8, 1_025, 4_999])
          == whole)
      let isDithered = SampleLayout.integers.contains { $0.layout == layout }
      let other = Self.quantise(samples, as: layout, dither: .tpdf(seed: 43))
      #expect((other.bytes != whole.bytes) == isDithered, "\(layout)")
      #expect((whole.bytes != encode(samples, as: layout).bytes) == isDithered, "\(layout)")
    }
  }

  /// Full scale plus dither: each side of the top step clips as often as the triangle says.
  @Test func clippingIsCountedAfterDithering() {
    let layout: SampleLayout = SampleLayout(.s16)
    let top = [Double](repeating: 32767.0 / 32768, count: 20_000)
    // Out of range from +0.5 step of dither on: 1/8 of a triangle.
    let clipped = Self.quantise(top, as: layout, dither: Self.noise).clipped
    #expect(abs(clipped - 2_500) < 250)
    #expect(Self.quantise(top, as: layout, dither: .none).clipped == 0)
    let below = [Double](repeating: 32765.0 / 32768, count: 2_000)
    #expect(Self.quantise(below, as: layout, dither: Self.noise).clipped == 0)
  }
}
