// SPDX-License-Identifier: Apache-2.0
/// The factor of each channel of a stream in each channel of another.
///
/// Without a layout, channels stand in WAV's order: front left, front right, centre, low frequency, back left, back
/// right, side left, side right. Endpoints reorder the channels of a device. The result always has the usual
/// loudspeakers of its channel count.
///
/// - Equal counts: every channel is copied.
/// - One channel to two: to both at unity. Two to one: ½ + ½.
/// - Other counts, to at most 8 channels: by loudspeaker and ITU-R BS.775-3 (``SpeakerPosition``). If the factors of an
///   output channel add up to more than 1, the whole matrix is scaled down, so that a conversion never makes a stream
///   clip (5.1 → stereo: −7.7 dB).
/// - From more than 8 channels without a layout, and to more than 8: channel i goes to channel i modulo the output's
///   count, and each output channel is the mean of its inputs; one channel goes to all.
struct ChannelMatrix {
  /// `factors[output][input]`.
  let factors: [[Double]]

  /// - Parameter layout: the loudspeakers of the stream's channels; nil = the usual ones.
  init(from inputCount: Int, _ layout: Metadata.ChannelLayout? = nil, to outputCount: Int) {
    if inputCount == outputCount {
      factors = (0..<outputCount).map { output in
        (0..<inputCount).map { $0 == output ? 1 : 0 }
      }
    } else if inputCount == 1, outputCount == 2 || outputCount > 8 {
      factors = Array(repeating: [1], count: outputCount)
    } else if let inputs = SpeakerPosition.heard(channelCount: inputCount, layout),
      let outputs = SpeakerPosition.positions(channelCount: outputCount)
    {
      factors = Self.factors(from: inputs, to: outputs)
    } else {
      factors = (0..<outputCount).map { output in
        let sources = stride(from: output, to: inputCount, by: outputCount)
        return (0..<inputCount).map { input in
          sources.contains(input) ? 1 / Double(Array(sources).count) : 0
        }
      }
    }
  }

  /// The matrix of a stream that is not ambisonic, or keeps its channels.
  ///
  /// - Throws: `unsupported` for B-format, whose channels are sums and differences of all directions.
  static func converting(
    from inputCount: Int, _ layout: Metadata.ChannelLayout?, to outputCount: Int
  ) throws(AudioError) -> ChannelMatrix {
    guard layout != .ambisonic || inputCount == outputCount else {
      throw AudioError(
        .unsupported, cannot: "change the channels of", "ambisonic sound (B-format)",
        because: "they are no loudspeakers", advice: AudioError.ambisonicDecoding)
    }
    return ChannelMatrix(from: inputCount, layout, to: outputCount)
  }

  private static func factors(
    from inputs: [SpeakerPosition], to outputs: [SpeakerPosition]
  ) -> [[Double]] {
    let destinations = inputs.map { $0.destinations(among: Set(outputs), beside: Set(inputs)) }
    let sums = outputs.map { output in
      destinations.map { $0.reduce(0) { $1.position == output ? $0 + $1.factor : $0 } }
    }
    let largest = sums.map { $0.reduce(0, +) }.max() ?? 1
    return largest > 1 ? sums.map { $0.map { $0 / largest } } : sums
  }
}

extension AudioError {
  /// Two cardioids to the left and to the right, from W (3 dB below the others), X, Y and Z.
  ///
  /// Source: M. A. Gerzon, "Periphony: With-Height Sound Reproduction", JAES 21 (1), 1973.
  package static let ambisonicDecoding =
    "decode it first: left is 0.707 W + 0.5 Y, right 0.707 W - 0.5 Y"
}
