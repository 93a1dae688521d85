// SPDX-License-Identifier: Apache-2.0
/// Silence.
///
/// Calls itself s16, so that it never makes an output wider than the other sources do.
public final class SilenceSource: Generator {
  /// - Parameters:
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz, whatever is proposed; nil = as proposed.
  ///   - channelCount: 1 to 64, whatever is proposed; nil = as proposed.
  ///   - duration: how long it lasts.
  public init(
    sampleRate: Int? = nil, channelCount: Int? = nil, duration: TimePosition? = nil
  ) {
    super.init(
      lasting: duration, as: .s16, sampleRate: sampleRate, channelCount: channelCount
    ) { _, _ in SilenceSignal() }
  }
}

private struct SilenceSignal: GeneratedSignal {
  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    block.update(repeating: 0)
  }
}
