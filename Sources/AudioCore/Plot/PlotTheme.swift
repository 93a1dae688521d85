/// The colours of everything but spectrograms.
struct PlotTheme: Sendable {
  let background: Colour
  /// Behind a waveform.
  let lane: Colour
  let text: Colour
  /// Ticks and what is less important.
  let faint: Colour
  let grid: Colour
  let peak: Colour
  let rms: Colour

  /// Blues of different lightness, which nobody confuses.
  init(_ theme: PlotOptions.Theme) {
    switch theme {
    case .dark:
      background = Colour(0x16191D)
      lane = Colour(0x0E1013)
      text = Colour(0xE2E5E8)
      faint = Colour(0xA3ABB3)
      grid = Colour(0x2C3238)
      peak = Colour(0x3A86B8)
      rms = Colour(0xA6D8F5)
    case .light:
      background = Colour(0xFFFFFF)
      lane = Colour(0xF3F5F7)
      text = Colour(0x1D2125)
      faint = Colour(0x565E66)
      grid = Colour(0xD3D9DE)
      peak = Colour(0x7FB7DE)
      rms = Colour(0x1B5A8E)
    }
  }
}
