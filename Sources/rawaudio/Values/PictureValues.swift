// SPDX-License-Identifier: Apache-2.0
internal import AudioPictures
internal import AudioFiles
internal import AudioCore

/// The output formats of `plot`.
enum PictureKind: String, Sendable, Hashable, CaseIterable {
  case png
  case svg
  case dat
  case json

  /// Chooses by the extension of a file name. Nil if it has no known one.
  init?(path: String) {
    guard let end = path.fileExtension else { return nil }
    self.init(rawValue: end)
  }
}

/// The picture requested with `--terminal`.
struct TerminalRequest: Sendable, Hashable {
  var style: TerminalPicture.Style
  /// In characters; nil = the terminal's.
  var columns: Int?
  var rows: Int?
}

extension ValueSyntax<Int> {
  /// Every length of a side. The exact range depends on the kind of picture.
  static let pictureSide = integer(
    name: "pixels", in: 1...PlotOptions.sides.upperBound, called: "a side of a picture")

  static let samplesPerPixel = integer(
    name: "samples", in: PeakFormat.lengths, called: "the length of a pair of peaks")

  /// A power of two.
  static let transformSize = ValueSyntax(
    name: "samples", isNumeric: true,
    otherwise: "a transform has a power of two of samples, from"
      + " \(SpectrogramOptions.sizes.lowerBound) to \(SpectrogramOptions.sizes.upperBound)"
  ) { text in
    Int(text)?.within(SpectrogramOptions.sizes).flatMap { $0 & ($0 - 1) == 0 ? $0 : nil }
  }
}

extension ValueSyntax<Double> {
  /// Day-long recordings have less than one.
  static let pixelsPerSecond = ValueSyntax(
    name: "number", isNumeric: true,
    otherwise: "pixels per second are a number from 0.001 to 100000, for example 20"
  ) { Double(decimal: $0)?.within(0.001...100_000) }
}

extension ValueSyntax<PeakFormat.Resolution> {
  static let peakBits = ValueSyntax(
    name: "bits", isNumeric: true, choices: ["8", "16"], otherwise: "it must be 8 or 16"
  ) { Int($0).flatMap(PeakFormat.Resolution.init(rawValue:)) }
}

/// The levels at both ends of the colours and of a waveform's axis.
enum PictureLevels: Sendable, Hashable {
  /// By the sound.
  case fitted
  /// Of the colours; waveforms reach to full scale.
  case range(ClosedRange<Double>)
}

/// The axis of time.
enum TimeAxis: String, Sendable, Hashable, CaseIterable {
  /// From the beginning of the source.
  case time
  /// Times of day.
  case clock
}

extension ValueSyntax<PictureLevels> {
  /// `-120,0` or `auto`.
  static let levels = ValueSyntax(
    name: "low,high", isNumeric: true,
    otherwise: "two levels from -300 to 100, the lower one first, as in -120,0, or auto"
  ) { text in
    if text == "auto" { return .fitted }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double(decimal: String($0))
    }
    guard parts.count == 2, let low = parts[0], let high = parts[1], low >= -300, high <= 100,
      high - low >= 1
    else { return nil }
    return .range(low...high)
  }.offering("auto", "-120,0")
}
