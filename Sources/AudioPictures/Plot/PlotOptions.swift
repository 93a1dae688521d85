// SPDX-License-Identifier: Apache-2.0
/// The content and the appearance of a picture of sound.
public struct PlotOptions: Sendable, Hashable {
  /// The lanes of each channel.
  @nonexhaustive
  public enum Content: String, Sendable, Hashable, CaseIterable {
    case both
    case waveform
    case spectrogram
  }

  @nonexhaustive
  public enum Theme: String, Sendable, Hashable, CaseIterable {
    case dark
    case light
  }

  /// The vertical axis of a waveform.
  @nonexhaustive
  public enum WaveformScale: String, Sendable, Hashable, CaseIterable {
    /// Amplitudes.
    case linear
    /// Levels, from 60 dB below the end of the axis to it: quiet parts are as visible as loud ones.
    case decibels = "db"
  }

  /// The range of a picture's side, in pixels.
  public static let sides = 100...16_384

  /// In pixels, with the margins.
  public var width: Int
  /// The width of the time axis in pixels, which then decides the picture's width instead of ``width``.
  public var axisWidth: Int?
  /// In pixels, with the margins; nil = by the content. A picture whose channels need more is higher.
  public var height: Int?
  public var content: Content
  public var theme: Theme
  /// The title above the picture, in front of the rate and the channels; nil = none.
  public var title: String?
  /// The beginning of the time axis.
  public var start = TimePosition.samples(0)
  /// The time of day at which the source begins, in seconds since midnight: the axis has times of day. Nil = it counts
  /// from the beginning of the source.
  public var timeOfDay: Double?
  public var waveformScale = WaveformScale.linear
  /// Whether the axis of the waveforms ends at the peak of the sound, and the colours of the spectrograms at its highest
  /// level. Otherwise the axis ends at full scale, and ``SpectrogramOptions/levels`` sets the colours.
  public var fitsLevels = false
  public var spectrogram: SpectrogramOptions

  /// Makes options; the other properties have their defaults.
  public init(
    width: Int = 800, height: Int? = nil, content: Content = .both, theme: Theme = .dark,
    title: String? = nil, spectrogram: SpectrogramOptions = SpectrogramOptions()
  ) {
    self.width = width
    self.height = height
    self.content = content
    self.theme = theme
    self.title = title
    self.spectrogram = spectrogram
  }
}

/// The parameters of spectra and their colours.
public struct SpectrogramOptions: Sendable, Hashable {
  /// The range of transform sizes, in samples; powers of two only.
  public static let sizes = SpectrumBatch.sizes

  public var window: SpectrumWindow
  /// Samples per channel in a transform: a power of two in ``sizes``.
  public var size: Int
  public var scale: FrequencyScale
  /// The levels at both ends of the colours, in decibels: a sine of full scale has 0 dB.
  public var levels: ClosedRange<Double>

  public init(
    window: SpectrumWindow = .hann, size: Int = 2048, scale: FrequencyScale = .linear,
    levels: ClosedRange<Double> = -120...0
  ) {
    self.window = window
    self.size = size
    self.scale = scale
    self.levels = levels
  }
}

extension PlotOptions {
  /// Checks everything but the size.
  ///
  /// - Throws: `invalidParameter` if a value cannot be drawn.
  func check() throws(AudioError) {
    func refused(_ value: String, _ reason: String) -> AudioError {
      AudioError(.invalidParameter, cannot: "draw with", value, because: reason)
    }
    let size = spectrogram.size
    guard SpectrogramOptions.sizes.contains(size), size & (size - 1) == 0 else {
      throw refused(
        "\(size)",
        "a transform has a power of two of samples, from \(SpectrogramOptions.sizes.lowerBound)"
          + " to \(SpectrogramOptions.sizes.upperBound)")
    }
    let levels = spectrogram.levels
    guard levels.upperBound - levels.lowerBound >= 1, levels.lowerBound >= -300,
      levels.upperBound <= 100
    else {
      throw refused("\(levels)", "levels lie between −300 and 100 dB, at least 1 dB apart")
    }
  }
}

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
