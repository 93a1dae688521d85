// SPDX-License-Identifier: Apache-2.0
/// The content and the appearance of a picture of sound.
public struct PlotOptions: Sendable, Hashable {
  /// The lanes of each channel.
  public enum Content: String, Sendable, Hashable, CaseIterable {
    case both
    case waveform
    case spectrogram
  }

  public enum Theme: String, Sendable, Hashable, CaseIterable {
    case dark
    case light
  }

  /// The range of a picture's side, in pixels.
  public static let sides = 100...16_384

  /// In pixels, with the margins.
  public var width = 800
  /// In pixels, with the margins; nil = by the content.
  public var height: Int?
  public var content = Content.both
  public var theme = Theme.dark
  /// The title above the picture, in front of the rate and the channels; nil = none.
  public var title: String?
  /// The beginning of the time axis.
  public var start = TimePosition.samples(0)
  public var spectrogram = SpectrogramOptions()

  public init() {}
}

/// The parameters of spectra and their colours.
public struct SpectrogramOptions: Sendable, Hashable {
  /// The range of transform sizes, in samples; powers of two only.
  public static let sizes = SpectrumBatch.sizes

  public var window = SpectrumWindow.hann
  /// Samples per channel in a transform: a power of two in ``sizes``.
  public var size = 2048
  public var scale = FrequencyScale.linear
  /// The levels at both ends of the colours, in decibels: a sine of full scale has 0 dB.
  public var levels: ClosedRange<Double> = -120...0

  public init() {}
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
