import Glibc

/// A sine whose phase is exact at every sample.
///
/// Each block starts from its exact phase and turns by precomputed angles:
/// sin(a + b) = sin a cos b + cos a sin b. No error accumulates, and the loop has no sine in it.
struct ToneSignal: GeneratedSignal {
  private let frequency: Double
  private let sampleRate: Int
  private let amplitude: Double
  /// Sine and cosine of the phase that every sample of a block adds to that of the first.
  private let sines: [Double]
  private let cosines: [Double]

  init(frequency: Double, amplitude: Double, sampleRate: Int, blockLength: Int) {
    self.frequency = frequency
    self.sampleRate = sampleRate
    self.amplitude = amplitude
    let angles = (0..<blockLength).map {
      2 * Double.pi * Cycles.fraction(of: frequency, at: Int64($0), sampleRate: sampleRate)
    }
    sines = angles.map { sin($0) }
    cosines = angles.map { cos($0) }
  }

  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    let angle =
      2 * Double.pi * Cycles.fraction(of: frequency, at: index, sampleRate: sampleRate)
    let sine = amplitude * sin(angle)
    let cosine = amplitude * cos(angle)
    for step in sines.indices {
      let sample = sine * cosines[step] + cosine * sines[step]
      for channel in 0..<channelCount { block[step * channelCount + channel] = sample }
    }
  }
}
