// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Noise, different in each channel.
///
/// Equal seeds give equal noise. The stated encoding is f32, which keeps a session in single precision.
public final class NoiseSource: Generator {
  /// The shape of the spectrum.
  @nonexhaustive
  public enum Colour: String, Sendable, CaseIterable {
    /// Equal power in equal bands.
    case white
    /// Equal power in every octave.
    case pink
  }

  /// - Parameters:
  ///   - colour: the shape of the spectrum.
  ///   - seed: picks one of 2^64 noises; nil = a seed that no other source without a seed has in this process. The
  ///     sequence of these seeds is equal in every process.
  ///   - amplitude: 1 = full scale. White noise is spread evenly between −`amplitude` and +`amplitude`. Pink noise has
  ///     a root mean square of `amplitude` / 5, so a sample beyond `amplitude` is rarer than one in a million.
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz, for any proposal; nil = as proposed.
  ///   - channelCount: 1 to 64, for any proposal; nil = as proposed.
  ///   - duration: the length; nil = endless.
  public init(
    _ colour: Colour, seed: UInt64? = nil, amplitude: Double = defaultSignalAmplitude,
    sampleRate: Int? = nil, channelCount: Int? = nil, duration: TimePosition? = nil
  ) {
    let seed = seed ?? Self.nextSeed()
    super.init(
      lasting: duration, as: .f32, sampleRate: sampleRate, channelCount: channelCount
    ) { format, _ in
      NoiseSignal(
        generator: SplitMix64(seed: seed), amplitude: amplitude,
        pink: colour == .pink ? PinkFilter(channelCount: format.channelCount) : nil)
    }
  }
}

extension NoiseSource {
  private static let sourcesWithoutSeed = Atomic<UInt64>(0)

  /// Returns the next seed for a source without one: 0, then down from the largest value, since programs rarely choose
  /// such seeds.
  package static func nextSeed() -> UInt64 {
    0 &- sourcesWithoutSeed.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

/// White noise, evenly distributed and different in each channel, or the pink noise that a filter makes from it.
private struct NoiseSignal: GeneratedSignal {
  var generator: SplitMix64
  let amplitude: Double
  var pink: PinkFilter?

  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    let scale = amplitude * 0x1p-63
    for index in block.indices {
      block[index] = Double(Int64(bitPattern: generator.next())) * scale
    }
    pink?.apply(to: &block)
  }
}

/// A filter that makes pink noise from white noise by falling 3 dB an octave.
///
/// Six first-order low-passes side by side and a direct path with one delay: Paul Kellet's filter, as published at
/// musicdsp.org ("Pink noise filter"), within ±0.05 dB above 9.2 Hz at 44.1 kHz. At other rates the whole curve moves
/// in proportion.
struct PinkFilter {
  // The last two lanes: the direct path's delayed and immediate part, poles at 0.
  private static let poles: SIMD8<Double> = [
    0.99886, 0.99332, 0.96900, 0.86650, 0.55000, -0.7616, 0, 0,
  ]
  private static let gains: SIMD8<Double> = [
    0.0555179, 0.0750759, 0.1538520, 0.3104856, 0.5329522, -0.0168980, 0.115926, 0.5362,
  ]

  /// The scale for a root mean square of 1 / 5 from white noise between −1 and 1.
  private let scale = 0.2 / rootMeanSquare
  /// The output of the six low-passes and the last input, for each channel.
  private var states: [SIMD8<Double>]

  init(channelCount: Int) {
    states = Array(repeating: SIMD8(repeating: 0), count: channelCount)
  }

  /// Filters interleaved samples in place.
  mutating func apply(to block: inout MutableSpan<Double>) {
    let (poles, gains) = (Self.poles, Self.gains)
    let channelCount = states.count
    for channel in 0..<channelCount {
      var state = states[channel]
      for index in stride(from: channel, to: block.count, by: channelCount) {
        let delayed = state[6]
        state = poles * state + gains * block[index]
        var lanes = state
        lanes[6] = delayed
        block[index] = scale * lanes.sum()
      }
      states[channel] = state
    }
  }

  /// The root mean square of the filter's output for white noise between −1 and 1, whose variance is 1/3.
  ///
  /// Two low-passes with poles p and q have the covariance 1 / (1 − p q). The delayed lane gets each input one sample
  /// later, so its covariance with a low-pass is multiplied by that low-pass's pole.
  private static var rootMeanSquare: Double {
    var variance = gains[6] * gains[6]
    for first in [0, 1, 2, 3, 4, 5, 7] {
      for second in [0, 1, 2, 3, 4, 5, 7] {
        variance += gains[first] * gains[second] / (1 - poles[first] * poles[second])
      }
      variance += 2 * gains[first] * gains[6] * poles[first]
    }
    return (variance / 3).squareRoot()
  }
}
