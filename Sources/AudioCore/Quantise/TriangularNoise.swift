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
