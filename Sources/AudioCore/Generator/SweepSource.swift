// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An exponential sine sweep over its whole duration, equal in all channels.
///
/// The stated encoding is f32, which keeps a session in single precision.
public final class SweepSource: Generator {
  /// - Parameters:
  ///   - first: the frequency at the start in hertz; above 0 and below half the sample rate, or `initialize` throws
  ///     `invalidParameter`.
  ///   - last: the frequency at the end, in that range; it may be the lower one.
  ///   - amplitude: the peak; 1 = full scale.
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz, for any proposal; nil = as proposed.
  ///   - channelCount: 1 to 64, for any proposal; nil = as proposed.
  ///   - duration: the length of the sweep; if it is nil, `initialize` throws `invalidParameter`.
  public init(
    from first: Double, to last: Double, amplitude: Double = defaultSignalAmplitude,
    sampleRate: Int? = nil, channelCount: Int? = nil, duration: TimePosition?
  ) {
    super.init(
      lasting: duration, as: .f32, sampleRate: sampleRate, channelCount: channelCount
    ) { (format, length) throws(AudioError) in
      try format.checkFrequency(first)
      try format.checkFrequency(last)
      guard let length else {
        throw AudioError(
          .invalidParameter, cannot: "generate", "a sweep", because: "it needs a duration")
      }
      return SweepSignal(
        from: first, to: last, amplitude: amplitude, sampleRate: format.sampleRate,
        samplesPerChannel: length)
    }
  }
}

/// An exponential sine sweep: the frequency grows by one factor in equal times.
///
/// Phase in cycles at time t of T: f₀ T / ln(f₁/f₀) × ((f₁/f₀)^(t/T) − 1). A. Farina, "Simultaneous
/// Measurement of Impulse Response and Distortion with a Swept-Sine Technique", AES 108th Convention,
/// 2000.
private struct SweepSignal: GeneratedSignal {
  private let amplitude: Double
  /// f₀ in cycles a sample.
  private let first: Double
  /// The natural logarithm of the growth per sample.
  private let growth: Double
  /// The phase of every sample in the first block relative to its first sample, in cycles.
  private let offsets: [Double]

  init(
    from first: Double, to last: Double, amplitude: Double, sampleRate: Int,
    samplesPerChannel: Int64
  ) {
    self.amplitude = amplitude
    self.first = first / Double(sampleRate)
    growth = log(last / first) / Double(max(1, samplesPerChannel))
    let (first, growth) = (self.first, self.growth)
    offsets = (0..<signalBlockLength).map { Self.phase(first, growth, at: Double($0)) }
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

  /// Returns the phase in cycles. `expm1` keeps it exact for a tiny growth; without growth it is the limit.
  private static func phase(_ first: Double, _ growth: Double, at time: Double) -> Double {
    growth == 0 ? first * time : first * expm1(growth * time) / growth
  }
}
