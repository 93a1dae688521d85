// SPDX-License-Identifier: Apache-2.0
/// What a terminal shows of a picture: how large it is, and of which characters it is made.
public struct TerminalPicture: Sendable, Hashable {
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// Waveforms of dots and spectrograms of blocks with colours; shades without.
    case automatic = "auto"
    /// Blocks of an eighth of a character and more; two colours in each.
    case blocks
    /// Patterns of two by four dots.
    case braille
    /// Pixels, for terminals that know sixel graphics; at most 256 colours.
    case sixel
  }

  /// Columns and rows that there may be.
  public static let sides = 1...1_000

  public var style = Style.automatic
  public var columns = 80
  /// In all.
  public var rows = 24
  /// Whether there may be more rows where the channels need them.
  public var grows = false
  /// Whether colours are written, of 24 bits; else it is plain text, and `PlotOptions.theme` is of no effect. Sixels
  /// have colours at any rate.
  public var isColoured = true
  /// Whether there is more than ASCII; where there is not, it is plain text.
  public var isUnicode = true
  /// The size of a character in pixels, for sixels.
  public var cellWidth = 8
  public var cellHeight = 16

  public init() {}
}

extension TerminalPicture {
  var repertoire: CellText.Repertoire { isUnicode ? .unicode : .ascii }

  var cellStyle: CellStyle {
    guard isUnicode else { return CellStyle(curves: .ascii, images: .ascii, isColoured: false) }
    switch style {
    case .braille: return CellStyle(curves: .braille, images: .braille, isColoured: isColoured)
    case .blocks: return CellStyle(curves: .blocks, images: .blocks, isColoured: isColoured)
    case .automatic, .sixel:
      return CellStyle(curves: .braille, images: .blocks, isColoured: isColoured)
    }
  }

  var metrics: PlotMetrics {
    guard style == .sixel else { return PlotMetrics(self) }
    var metrics = PlotMetrics(width: columns * cellWidth, height: rows * cellHeight)
    metrics.grows = grows
    return metrics
  }
}
