/// A point or length in a stream, told in time or in samples; exact in both.
public enum TimePosition: Sendable, Hashable {
  /// A time; decimal fractions of a second are exact to 10⁻¹⁸ s.
  case time(Duration)
  /// Samples per channel, at the rate of the stream it is applied to.
  case samples(Int64)

  /// The position in samples per channel at `sampleRate` hertz, rounded to the nearest sample (ties
  /// away from zero).
  public func samples(at sampleRate: Int) -> Int64 {
    switch self {
    case .samples(let count): return count
    case .time(let duration):
      let (seconds, attoseconds) = duration.components
      let whole = seconds * Int64(sampleRate)
      let fraction = Int128(attoseconds) * Int128(sampleRate)
      let half: Int128 = attoseconds < 0 ? -500_000_000_000_000_000 : 500_000_000_000_000_000
      return whole + Int64((fraction + half) / 1_000_000_000_000_000_000)
    }
  }
}
