// SPDX-License-Identifier: Apache-2.0
/// White noise with a triangular distribution: the sum of two independent even ones.
struct TriangularNoise: Sendable {
  private var generator: SplitMix64
  private let scale: Double

  /// Noise between −`step` and +`step`.
  init(seed: UInt64, step: Double) {
    generator = SplitMix64(seed: seed)
    scale = step * 0x1p-32
  }

  /// Adds the next values to `samples`: one word of the generator each, whose halves are the two even
  /// distributions.
  mutating func add(to samples: inout MutableSpan<Double>) {
    for index in samples.indices {
      let word = generator.next()
      let sum = Int64(word >> 32) &+ Int64(word & 0xFFFF_FFFF)
      samples[index] += Double(sum &- 0xFFFF_FFFF) * scale
    }
  }
}

/// A small generator of evenly distributed 64-bit words that can compute the output at any index directly.
///
/// G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014; the
/// constants of the mixing function are David Stafford's "Mix13".
package struct SplitMix64: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  @inline(__always)
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
