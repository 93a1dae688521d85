/// Noise that is added before samples are rounded to an integer layout.
public enum Dither: Sendable, Hashable {
  /// Plain rounding.
  case none
  /// White noise with a triangular distribution between −1 and +1 step of the output.
  ///
  /// The mean and the variance of the total error then no longer depend on the signal; the variance is
  /// 1/4 step². S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, "Quantization and Dither:
  /// A Theoretical Survey", J. Audio Eng. Soc. 40(5), 1992. The same seed gives the same noise.
  case tpdf(seed: UInt64)
}
