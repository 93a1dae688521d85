// SPDX-License-Identifier: Apache-2.0
/// Silence. The stated encoding is s16, so it never widens an output.
public final class SilenceSource: Generator {
  /// - Parameters:
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz, for any proposal; nil = as proposed.
  ///   - channelCount: 1 to 64, for any proposal; nil = as proposed.
  ///   - duration: the length; nil = endless.
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
