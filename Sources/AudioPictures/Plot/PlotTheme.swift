// SPDX-License-Identifier: Apache-2.0
/// The colours of a picture.
struct PlotTheme: Sendable {
  let background: Colour
  /// The colour behind a waveform.
  let lane: Colour
  let text: Colour
  /// The colour of ticks and secondary text.
  let faint: Colour
  let grid: Colour
  let peak: Colour
  let rms: Colour
  /// Whether spectrograms are grey, with lighter shades for higher levels.
  let isGrey: Bool

  /// Shades for a terminal without colours: lighter ones have more ink.
  static let grey = PlotTheme(
    background: Colour(0), lane: Colour(0), text: Colour(0xFFFFFF), faint: Colour(0xFFFFFF),
    grid: Colour(0), peak: Colour(0x7F7F7F), rms: Colour(0xFFFFFF), isGrey: true)

  /// The colour of a level in a spectrogram.
  ///
  /// - Parameter value: from 0 to 1.
  func colour(of value: Float) -> Colour {
    guard isGrey else { return ColourMap[value] }
    let bounded = value > 0 ? min(value, 1) : 0
    return Colour(0x01_01_01 * UInt32((bounded * 255).rounded()))
  }
}

extension PlotTheme {
  /// Blues of clearly different lightness.
  init(_ theme: PlotOptions.Theme) {
    switch theme {
    case .dark:
      self.init(
        background: Colour(0x16191D), lane: Colour(0x0E1013), text: Colour(0xE2E5E8),
        faint: Colour(0xA3ABB3), grid: Colour(0x2C3238), peak: Colour(0x3A86B8),
        rms: Colour(0xA6D8F5), isGrey: false)
    case .light:
      self.init(
        background: Colour(0xFFFFFF), lane: Colour(0xF3F5F7), text: Colour(0x1D2125),
        faint: Colour(0x565E66), grid: Colour(0xD3D9DE), peak: Colour(0x7FB7DE),
        rms: Colour(0x1B5A8E), isGrey: false)
    }
  }
}
