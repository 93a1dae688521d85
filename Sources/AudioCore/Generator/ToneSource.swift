// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A sine, equal in all channels.
///
/// Its phase is exact after any time. The stated encoding is f32, which keeps a session in single precision; read in
/// double precision it is exact to −300 dB.
public final class ToneSource: Generator {
  /// - Parameters:
  ///   - frequency: in hertz; above 0 and below half the sample rate, or `initialize` throws `invalidParameter`.
  ///   - amplitude: the peak; 1 = full scale.
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz, for any proposal; nil = as proposed.
  ///   - channelCount: 1 to 64, for any proposal; nil = as proposed.
  ///   - duration: the length; nil = endless.
  public init(
    frequency: Double, amplitude: Double = defaultSignalAmplitude,
    sampleRate: Int? = nil, channelCount: Int? = nil, duration: TimePosition? = nil
  ) {
    super.init(
      lasting: duration, as: .f32, sampleRate: sampleRate, channelCount: channelCount
    ) { (format, _) throws(AudioError) in
      try format.checkFrequency(frequency)
      return ToneSignal(frequency: frequency, amplitude: amplitude, sampleRate: format.sampleRate)
    }
  }
}

/// A sine whose phase is exact at every sample.
///
/// Each block starts from its exact phase and turns by precomputed angles: sin(a + b) = sin a cos b + cos a sin b. No
/// error accumulates, and the loop computes no sine.
struct ToneSignal: GeneratedSignal {
  private let frequency: Double
  private let sampleRate: Int
  private let amplitude: Double
  /// The sine and cosine of each sample's phase relative to the first sample of its block.
  private let sines: [Double]
  private let cosines: [Double]

  init(frequency: Double, amplitude: Double, sampleRate: Int) {
    self.frequency = frequency
    self.sampleRate = sampleRate
    self.amplitude = amplitude
    let angles = (0..<signalBlockLength).map {
      2 * Double.pi * Self.cycle(of: frequency, at: Int64($0), sampleRate: sampleRate)
    }
    sines = angles.map { sin($0) }
    cosines = angles.map { cos($0) }
  }

  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    let angle =
      2 * Double.pi * Self.cycle(of: frequency, at: index, sampleRate: sampleRate)
    let sine = amplitude * sin(angle)
    let cosine = amplitude * cos(angle)
    for step in sines.indices {
      let sample = sine * cosines[step] + cosine * sines[step]
      for channel in 0..<channelCount { block[step * channelCount + channel] = sample }
    }
  }

  /// Returns the phase of a sine of `frequency` at sample `index`, as a fraction of a cycle, −1 to 1.
  ///
  /// It is exact to the last bits for any index: the product's rounding error is carried along (T. J. Dekker, "A
  /// floating-point technique for extending the available precision", Numerische Mathematik 18, 1971; here by a fused
  /// multiplication), and the remainder is exact.
  private static func cycle(of frequency: Double, at index: Int64, sampleRate: Int) -> Double {
    let time = Double(index)
    let product = frequency * time
    let error = (-product).addingProduct(frequency, time)
    let rate = Double(sampleRate)
    return (product.truncatingRemainder(dividingBy: rate) + error) / rate
  }
}
