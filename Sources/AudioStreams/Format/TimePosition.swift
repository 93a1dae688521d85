// SPDX-License-Identifier: Apache-2.0
/// A point or a length in a stream, in time or in samples; exact in both.
@nonexhaustive
public enum TimePosition: Sendable, Hashable {
  /// A time; decimal fractions of a second are exact to 10⁻¹⁸ s.
  case time(Duration)
  /// Samples per channel, at the rate of the stream it is applied to.
  case samples(Int64)

  /// The position in samples per channel at `sampleRate` hertz, rounded to the nearest sample (ties away from zero).
  /// Saturates at the limits of `Int64`.
  public func samples(at sampleRate: Int) -> Int64 {
    switch self {
    case .samples(let count): return count
    case .time(let duration):
      let (seconds, attoseconds) = duration.components
      let whole = Int128(seconds) * Int128(sampleRate)
      let fraction = Int128(attoseconds) * Int128(sampleRate)
      let half: Int128 = attoseconds < 0 ? -500_000_000_000_000_000 : 500_000_000_000_000_000
      return Int64(clamping: whole + (fraction + half) / 1_000_000_000_000_000_000)
    }
  }

  /// Returns the position as a length: at least 0 and, counted over 64 channels, still in range of `Int64`.
  ///
  /// - Parameter name: the length's name in the error.
  /// - Throws: `invalidParameter` outside 0…2⁵⁶ samples (some three thousand years at 768 kHz).
  package func length(at sampleRate: Int, as name: String) throws(AudioError) -> Int64 {
    let count = samples(at: sampleRate)
    try AudioError.require(
      (0...(1 << 56)).contains(count), name, "\(self)",
      because: count < 0 ? "it must not be negative" : "it is too long")
    return count
  }
}

extension TimePosition: CustomStringConvertible {
  /// For example `1.5 seconds` or `441 samples`.
  public var description: String {
    switch self {
    case .time(let duration): "\(duration)"
    case .samples(let count): "\(count) samples"
    }
  }
}
