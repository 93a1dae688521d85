internal import AudioCore

/// The noise that is added before samples are rounded, as a command line names it.
enum DitherKind: String, Sendable, CaseIterable {
  case none
  case tpdf

  /// Always from the same seed, so that the same command gives the same file.
  var dither: Dither {
    switch self {
    case .none: .none
    case .tpdf: .tpdf(seed: 0)
    }
  }
}
