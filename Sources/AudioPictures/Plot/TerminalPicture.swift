// SPDX-License-Identifier: Apache-2.0
/// The size of a picture in a terminal, and its characters.
public struct TerminalPicture: Sendable, Hashable {
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// With colours, waveforms of dots and spectrograms of blocks; without colours, shades.
    case automatic = "auto"
    /// Blocks of an eighth of a character and more; two colours in each.
    case blocks
    /// Patterns of two by four dots.
    case braille
    /// Pixels, for terminals with sixel graphics; at most 256 colours.
    case sixel
  }

  /// The range of columns and rows.
  public static let sides = 1...1_000

  public var style = Style.automatic
  public var columns = 80
  /// All rows of the picture.
  public var rows = 24
  /// Whether the rows may increase if the channels need it.
  public var grows = false
  /// Whether 24-bit colours are written. Otherwise the picture is plain text, and `PlotOptions.theme` has no effect.
  /// Sixels always have colours.
  public var isColoured = true
  /// Whether characters outside ASCII are available. Otherwise the picture is plain text.
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
