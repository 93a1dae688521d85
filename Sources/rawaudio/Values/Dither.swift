/// The noise that is added before samples are rounded to fewer bits.
enum Dither: String, Sendable, CaseIterable {
  case none
  /// Noise of triangular distribution, two steps wide.
  case tpdf
}
