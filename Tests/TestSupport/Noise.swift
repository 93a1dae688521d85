// SPDX-License-Identifier: Apache-2.0
/// Deterministic test signals.
package enum Noise {
  /// Returns 16-bit values scaled to ±1, so that sums and products stay exact.
  package static func integers(_ count: Int, seed: UInt64 = 1, bits: Int = 16) -> [Double] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let scale = Double(1 << (bits - 1))
    return (0..<count).map { _ in
      // xorshift64*, Vigna 2016
      state ^= state >> 12
      state ^= state << 25
      state ^= state >> 27
      let word = state &* 0x2545_F491_4F6C_DD1D
      return Double(Int64(bitPattern: word) >> (64 - bits)) / scale
    }
  }

  /// Returns samples of ±1 on a grid of 24 bits, of either type.
  package static func samples<Sample: AudioSample>(_ count: Int, seed: UInt64 = 9) -> [Sample] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Sample(Float(generator.next() >> 40) * 0x1p-23 - 1) }
  }
}
