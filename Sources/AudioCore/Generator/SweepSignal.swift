import Glibc

/// An exponential sine sweep: the frequency grows by the same factor in equal times.
///
/// Phase in cycles at time t of T: f₀ T / ln(f₁/f₀) × ((f₁/f₀)^(t/T) − 1). A. Farina, "Simultaneous
/// Measurement of Impulse Response and Distortion with a Swept-Sine Technique", AES 108th Convention,
/// 2000.
struct SweepSignal: GeneratedSignal {
  private let amplitude: Double
  /// f₀ in cycles a sample.
  private let first: Double
  /// The natural logarithm of the growth per sample.
  private let growth: Double
  /// The phase that every sample of the first block adds to that of its first, in cycles.
  private let offsets: [Double]

  init(
    from first: Double, to last: Double, amplitude: Double, sampleRate: Int,
    samplesPerChannel: Int64, blockLength: Int
  ) {
    self.amplitude = amplitude
    self.first = first / Double(sampleRate)
    growth = log(last / first) / Double(max(1, samplesPerChannel))
    let (first, growth) = (self.first, self.growth)
    offsets = (0..<blockLength).map { Self.phase(first, growth, at: Double($0)) }
  }

  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    let start = Self.phase(first, growth, at: Double(index))
    let fraction = start - start.rounded(.down)
    let power = exp(growth * Double(index))
    for step in offsets.indices {
      let sample = amplitude * sin(2 * Double.pi * (fraction + power * offsets[step]))
      for channel in 0..<channelCount { block[step * channelCount + channel] = sample }
    }
  }

  /// In cycles; by `expm1`, so that it stays exact where hardly anything grows, and with the limit for
  /// no growth.
  private static func phase(_ first: Double, _ growth: Double, at time: Double) -> Double {
    growth == 0 ? first * time : first * expm1(growth * time) / growth
  }
}
