// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The vertical axis of a waveform: amplitudes, or levels of both signs around a middle.
struct WaveformAxis: Sendable {
  /// The amplitude at both ends.
  let limit: Double
  private let scale: PlotOptions.WaveformScale

  /// The levels on an axis of decibels.
  private static let span = 60.0

  /// - Parameters:
  ///   - options: the scale, and whether the axis fits the sound.
  ///   - peak: the largest magnitude in the sound; 0 if there is none.
  init(_ options: PlotOptions, peak: Double) {
    scale = options.waveformScale
    guard options.fitsLevels, peak > 0, peak.isFinite else {
      limit = max(1, peak)
      return
    }
    limit = Decibels.factor(max(-120, Decibels.level(peak).rounded(.up)))
  }

  /// The level in the middle, in decibels; nil = silence.
  var lowest: Double? { scale == .linear ? nil : Decibels.level(limit) - Self.span }

  /// The place of an amplitude: 0 at the lower end, 1 at the upper one.
  func place(of amplitude: Double) -> Double {
    guard scale == .decibels else { return (1 + amplitude / limit) / 2 }
    guard amplitude != 0 else { return 0.5 }
    let share = max(0, 1 + 20 * log10(abs(amplitude) / limit) / Self.span)
    return (1 + (amplitude < 0 ? -share : share)) / 2
  }
}
