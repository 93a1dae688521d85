/// A length or a place in a stream, exactly as it was written: a decimal number of seconds or a count
/// of samples.
enum StreamTime: Sendable, Hashable {
  /// `seconds` + `fraction` / 10^`digits`, with at most 18 digits.
  case seconds(Int64, fraction: UInt64 = 0, digits: Int = 0)
  /// Samples per channel.
  case samples(Int64)

  /// Samples per channel at `rate`, rounded to nearest, halves up.
  func samples(at rate: Int) -> Int64 {
    switch self {
    case .samples(let count):
      return count
    case .seconds(let whole, let fraction, let digits):
      let scale = (0..<digits).reduce(into: UInt64(1)) { power, _ in power *= 10 }
      // In full width, for the fraction times the rate may need more than 64 bits.
      let product = fraction.multipliedFullWidth(by: UInt64(rate))
      let (quotient, remainder) = scale.dividingFullWidth(product)
      let roundsUp = remainder >= scale - remainder
      return whole * Int64(rate) + Int64(quotient) + (roundsUp ? 1 : 0)
    }
  }

  /// Whether it is no time at all.
  var isZero: Bool {
    switch self {
    case .samples(let count): count == 0
    case .seconds(let whole, let fraction, _): whole == 0 && fraction == 0
    }
  }
}
