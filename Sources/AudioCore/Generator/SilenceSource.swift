// SPDX-License-Identifier: Apache-2.0
/// Silence.
///
/// Calls itself s16, so that it never makes an output wider than the other sources do.
public final class SilenceSource: Generator {
  /// - Parameter duration: how long it lasts.
  public init(duration: TimePosition? = nil) {
    super.init(lasting: duration, as: .s16) { _, _ in SilenceSignal() }
  }
}

private struct SilenceSignal: GeneratedSignal {
  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    block.update(repeating: 0)
  }
}
