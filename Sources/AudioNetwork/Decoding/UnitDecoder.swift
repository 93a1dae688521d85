// SPDX-License-Identifier: Apache-2.0
/// The decoder of a stream whose payloads are no sample frames.
enum UnitDecoder {
  case opus(OpusDecoder)
  case aac(AACDecoder)

  /// Makes the decoder of `payload`; nil if it needs none. Any thread; the decoder is for one.
  ///
  /// - Parameter stream: in errors.
  /// - Throws: `unsupported` if the machine has no decoder.
  init?(_ payload: PayloadFormat, for stream: String) throws(AudioError) {
    switch (payload.encoding, payload.units) {
    case (.opus, _):
      self = .opus(
        try OpusDecoder(channelCount: payload.format.channelCount, stream))
    case (_, let units?):
      self = .aac(try AACDecoder(units.configuration(for: payload.format), stream))
    default: return nil
    }
  }
}

extension PayloadFormat {
  /// How much later than its packet a sample may be decoded: only the next unit proves that one was refused.
  var decodingDelay: Duration {
    guard let units else { return .zero }
    return .nanoseconds(units.unitLength * 1_000_000_000 / format.sampleRate)
  }
}
