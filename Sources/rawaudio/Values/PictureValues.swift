// SPDX-License-Identifier: Apache-2.0
internal import AudioPictures
internal import AudioCore

/// The output formats of `plot`.
enum PictureKind: String, Sendable, Hashable, CaseIterable {
  case png
  case svg
  case dat
  case json

  /// Chooses by the extension of a file name. Nil if it has no known one.
  init?(path: String) {
    guard let end = path.split(separator: ".").last, path.contains(".") else { return nil }
    self.init(rawValue: end.lowercased())
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
  static let transformSize = ValueSyntax(name: "samples", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let range = SpectrogramOptions.sizes
    guard let size = Int(text), range.contains(size), size & (size - 1) == 0 else {
      throw InvalidValue(
        "a transform has a power of two of samples, from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return size
  }
}

extension ValueSyntax<PeakFormat.Resolution> {
  static let peakBits = ValueSyntax(name: "bits", choices: ["8", "16"]) {
    (text: String) throws(InvalidValue) in
    guard let bits = Int(text).flatMap(PeakFormat.Resolution.init(rawValue:)) else {
      throw InvalidValue("it must be 8 or 16")
    }
    return bits
  }
}

extension ValueSyntax<ClosedRange<Double>> {
  /// `-120,0`.
  static let levels = ValueSyntax(name: "low,high", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double(decimal: String($0))
    }
    guard parts.count == 2, let low = parts[0], let high = parts[1], low >= -300, high <= 100,
      high - low >= 1
    else {
      throw InvalidValue("two levels from -300 to 100, the lower one first, as in -120,0")
    }
    return low...high
  }
}
