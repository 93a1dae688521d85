// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct FloatKernelTests {
  /// Each of these must pass bit by bit.
  static let words: [UInt32] = [
    0, 0x8000_0000, 1, 0x807F_FFFF, 0x3F80_0000, 0xBF80_0001, 0x4640_E400, 0x7F7F_FFFF, 0x7F80_0000,
    0xFF80_0000, 0x7FC0_1234,
  ]

  /// The two infinities and the NaN pass unchanged, and are counted.
  static let outside = 3

  @Test func single32PassesBitExactly() {
    for order in [ByteOrder.little, .big] {
      let bytes = Self.words.flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (order == .little ? 8 * $0 : 24 - 8 * $0)) }
      }
      let samples: [Float] = decode(bytes, as: SampleLayout(.f32, order))
      #expect(samples.map(\.bitPattern) == Self.words)
      #expect(encode(samples, as: SampleLayout(.f32, order)) == (bytes, Self.outside))
      let doubles: [Double] = decode(bytes, as: SampleLayout(.f32, order))
      #expect(encode(doubles, as: SampleLayout(.f32, order)) == (bytes, Self.outside))
    }
  }

  @Test func double64PassesBitExactly() {
    let words: [UInt64] =
      Self.words.map { Double(Float(bitPattern: $0)).bitPattern } + [1, ~0 >> 12]
    for order in [ByteOrder.little, .big] {
      let bytes = words.flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (order == .little ? 8 * $0 : 56 - 8 * $0)) }
      }
      let samples: [Double] = decode(bytes, as: SampleLayout(.f64, order))
      #expect(samples.map(\.bitPattern) == words)
      #expect(encode(samples, as: SampleLayout(.f64, order)) == (bytes, Self.outside))
      let floats: [Float] = decode(bytes, as: SampleLayout(.f64, order))
      #expect(floats.map(\.bitPattern) == words.map { Float(Double(bitPattern: $0)).bitPattern })
    }
  }

  @Test func int16FramesAreQuantisedLikeS16() {
    let samples: [Double] = [-1.5, -1, -0.4, 0, 0x1p-16, 0x1.8p-15, 0.5, 0.99999, 1, 7, .nan]
    let expected: [Int16] = [-32768, -32768, -13107, 0, 0, 2, 16384, 32767, 32767, 32767, 0]
    let fromDouble = [Int16](capacity: samples.count) { Int16.append(samples.span, to: &$0) }
    #expect(fromDouble == expected)
    let floats = samples.map { Float($0) }
    let fromFloat = [Int16](capacity: samples.count) { Int16.append(floats.span, to: &$0) }
    #expect(fromFloat == expected)
    let back = [Float](capacity: samples.count) { Int16.append(expected.span, to: &$0) }
    #expect(back == expected.map { Float($0) / 32768 })
    let wide = [Double](capacity: samples.count) { Int16.append(expected.span, to: &$0) }
    #expect(wide == expected.map { Double($0) / 32768 })
  }

  @Test func arithmeticIsElementwise() {
    for count in IntegerKernelTests.counts {
      let samples = (0..<count).map { Double($0) * 0.25 }
      var total = samples.map { $0 + 1 }
      var span = total.mutableSpan
      Double.add(samples.span, to: &span)
      Double.scale(&span, by: 0.5)
      #expect(total == samples.map { ($0 * 2 + 1) * 0.5 })
    }
  }

  @Test func dotProductMatchesTheSumAndIgnoresTheOffset() {
    var generator = SplitMix64(seed: 3)
    for count in [0, 1, 7, 8, 15, 16, 17, 31, 32, 100, 144] {
      let coefficients = (0..<count).map { _ in Float(generator.next() >> 40) * 0x1p-24 - 0.5 }
      let samples = (0..<count).map { _ in Float(generator.next() >> 40) * 0x1p-24 - 0.5 }
      let exact = zip(coefficients, samples).reduce(0) { $0 + Double($1.0) * Double($1.1) }
      let first = dotProduct(coefficients, samples)
      #expect(abs(Double(first) - exact) < 1e-5)
      for offset in 1...5 {
        let moved = [Float](repeating: 9, count: offset) + samples + [9]
        #expect(dotProduct(coefficients, moved, from: offset) == first)
      }
      let wide = dotProduct(coefficients.map { Double($0) }, samples.map { Double($0) })
      #expect(abs(wide - exact) < 1e-13)
    }
  }
}
