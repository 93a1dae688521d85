/// How good a rate conversion is, and so how long its filter.
///
/// "Nyquist" is half the lower of the two rates. The stop band of all three begins at 1.05 × Nyquist.
public enum ResamplerQuality: String, Sendable, Hashable, CaseIterable {
  /// Residual and aliases at most −100 dB, pass band within ±0.1 dB to 0.80 × Nyquist.
  case fast
  /// Residual and aliases at most −140 dB, pass band within ±0.01 dB to 0.91 × Nyquist. In single
  /// precision the rounding of the arithmetic itself stands at −142 dB.
  case high
  /// Residual and aliases at most −180 dB in double precision, pass band within ±0.001 dB to
  /// 0.95 × Nyquist.
  case best
}
