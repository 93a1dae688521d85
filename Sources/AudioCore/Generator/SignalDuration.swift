/// How long a generated signal lasts.
public enum SignalDuration: Sendable, Hashable {
  /// Until whoever reads it stops.
  case unlimited
  case samplesPerChannel(Int64)
  /// `numerator` / `denominator` seconds, rounded to the nearest sample; both positive.
  case seconds(_ numerator: Int64, over: Int64 = 1)

  /// The duration at a sample rate; nil where it is unlimited or too long to count.
  public func samplesPerChannel(at sampleRate: Int) -> Int64? {
    switch self {
    case .unlimited: return nil
    case .samplesPerChannel(let count): return max(0, count)
    case .seconds(let numerator, let denominator):
      guard numerator > 0, denominator > 0 else { return 0 }
      let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
      let rate = Int64(sampleRate)
      let (samples, overflow) = whole.multipliedReportingOverflow(by: rate)
      let product = rest.multipliedFullWidth(by: rate)
      let (part, remainder) = denominator.dividingFullWidth(product)
      return overflow ? nil : samples + part + (remainder >= denominator - remainder ? 1 : 0)
    }
  }
}
