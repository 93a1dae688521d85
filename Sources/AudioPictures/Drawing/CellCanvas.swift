// SPDX-License-Identifier: Apache-2.0
/// A picture made of the characters of a terminal.
///
/// A cell has 2 × 8 pixels, so that braille dots and eighths of blocks are whole pixels.
struct CellCanvas: DrawingSurface {
  static let cellWidth = 2
  static let cellHeight = 8

  private struct Cell {
    enum Content {
      case ground
      case curve
      case image
    }

    var content = Content.ground
    /// The last colour that filled it.
    var ground: Colour
    /// The pixels of curves: one bit each, row by row.
    var ink: UInt16 = 0
    /// Covers everything else; nil character in the second column of a wide one.
    var text: (character: Character?, colour: Colour)?
    /// Shown if the cell has nothing else.
    var line: (character: Character, colour: Colour)?
  }

  private let columns: Int
  private let rows: Int
  private let style: CellStyle
  private var raster: Raster
  private var cells: [Cell]

  init(columns: Int, rows: Int, _ style: CellStyle, _ colour: Colour) {
    self.columns = columns
    self.rows = rows
    self.style = style
    raster = Raster(width: columns * Self.cellWidth, height: rows * Self.cellHeight, colour)
    cells = Array(repeating: Cell(ground: colour), count: columns * rows)
  }

  // MARK: Drawing

  /// Calls `change` for every cell whose first pixel lies in a rectangle.
  private mutating func change(_ rectangle: PixelRectangle, _ change: (inout Cell) -> Void) {
    func cells(_ from: Int, _ to: Int, _ size: Int, _ count: Int) -> Range<Int> {
      let (first, end) = ((from + size - 1) / size, (to + size - 1) / size)
      return max(0, first)..<max(0, first, min(count, end))
    }
    for row in cells(rectangle.y, rectangle.bottom, Self.cellHeight, rows) {
      for column in cells(rectangle.x, rectangle.right, Self.cellWidth, columns) {
        change(&self.cells[row * columns + column])
      }
    }
  }

  mutating func fill(_ rectangle: PixelRectangle, _ colour: Colour) {
    raster.fill(rectangle, colour)
    change(rectangle) { $0 = Cell(ground: colour) }
  }

  /// Draws a character in every cell on the line, unless the cell has the line's colour.
  mutating func line(_ rectangle: PixelRectangle, _ colour: Colour) {
    let isLevel = rectangle.height == 1
    let isASCII = style.curves == .ascii
    let character: Character =
      isLevel ? (isASCII ? "-" : "─") : (isASCII ? "'" : "╵")
    let (column, row) = (rectangle.x / Self.cellWidth, rectangle.y / Self.cellHeight)
    let end = isLevel ? rectangle.right / Self.cellWidth : column + 1
    guard row < rows else { return }
    for column in column..<max(column, min(columns, end)) {
      let index = row * columns + column
      if cells[index].ground != colour { cells[index].line = (character, colour) }
    }
  }

  mutating func columns(from x: Int, _ stretches: [ClosedRange<Double>?], _ colour: Colour) {
    raster.columns(from: x, stretches, colour)
    for (offset, stretch) in stretches.enumerated() {
      guard let stretch else { continue }
      let x = x + offset
      for (y, coverage) in Raster.covered(stretch) where coverage >= 0.5 {
        guard (0..<raster.width).contains(x), (0..<raster.height).contains(y) else { continue }
        let index = y / Self.cellHeight * columns + x / Self.cellWidth
        cells[index].content = .curve
        cells[index].ink |= 1 << UInt16(y % Self.cellHeight * Self.cellWidth + x % Self.cellWidth)
      }
    }
  }

  mutating func image(_ rectangle: PixelRectangle, _ pixels: [Colour]) {
    raster.image(rectangle, pixels)
    change(rectangle) { $0.content = .image }
  }

  mutating func text(
    _ text: String, x: Int, base: Int, _ anchor: TextAnchor, size: Double, _ colour: Colour
  ) {
    let shown = CellText(text, style.curves == .ascii ? .ascii : .unicode)
    var column = x / Self.cellWidth
    switch anchor {
    case .left: break
    // The middle one of three columns is at `x`.
    case .centre: column -= shown.columns / 2
    case .right: column -= shown.columns
    }
    // The row of the label's middle.
    let row = (base - Self.cellHeight / 2) / Self.cellHeight
    guard (0..<rows).contains(row) else { return }
    for piece in shown.pieces {
      defer { column += piece.columns }
      guard column >= 0, column + piece.columns <= columns else { continue }
      cells[row * columns + column].text = (piece.character, colour)
      if piece.columns == 2 { cells[row * columns + column + 1].text = (nil, colour) }
    }
  }

  // MARK: Characters

  /// The character of a cell; nil for the second column of a wide one.
  func glyph(column: Int, row: Int) -> CellGlyph? {
    let cell = cells[row * columns + column]
    if let text = cell.text {
      return text.character.map { CellGlyph($0, text.colour, on: cell.ground) }
    }
    switch cell.content {
    case .ground:
      if let line = cell.line { return CellGlyph(line.character, line.colour, on: cell.ground) }
      return ground(cell)
    case .curve:
      return curve(cell, column, row)
    case .image:
      return image(column, row)
    }
  }

  private func ground(_ cell: Cell) -> CellGlyph {
    if style.isColoured { return CellGlyph(" ", on: cell.ground) }
    let ink = Array(repeating: cell.ground.lightness, count: Self.cellHeight)
    return switch style.curves {
    case .blocks: .shade(ink)
    case .braille: .dithered(ink)
    case .ascii: .ascii(ink)
    }
  }

  /// The pixels of each braille dot, row by row.
  private static let dots = (0..<8).map { dot in
    let first = dot / 2 * 4 + dot % 2
    return [first, first + 2]
  }

  private func curve(_ cell: Cell, _ column: Int, _ row: Int) -> CellGlyph {
    let pixels = pixels(column, row)
    let isInked = pixels.indices.map { cell.ink & 1 << UInt16($0) != 0 }
    func ink() -> Colour { ColourSum(zip(pixels, isInked).filter(\.1).map(\.0)).mean }
    if style.curves == .braille {
      let dots = Self.dots.map { dot in dot.filter { isInked[$0] } }
      if !style.isColoured {
        return .dithered(dots.map { dot in dot.map { pixels[$0].lightness }.max() ?? 0 })
      }
      return CellGlyph(CellGlyph.braille(dots.map { !$0.isEmpty }), ink(), on: cell.ground)
    }
    // A thin curve within the cell is a line, not a block.
    let inkedRows = (0..<Self.cellHeight).filter { isInked[2 * $0] || isInked[2 * $0 + 1] }
    let isWithin = inkedRows.first != 0 && inkedRows.last != Self.cellHeight - 1
    if inkedRows.count <= 3, isWithin {
      let character: Character =
        style.curves == .ascii ? "-" : inkedRows.count == 1 ? "─" : "━"
      return CellGlyph(character, ink(), on: cell.ground)
    }
    return rows(of: pixels, isASCII: style.curves == .ascii)
  }

  private func image(_ column: Int, _ row: Int) -> CellGlyph {
    let pixels = pixels(column, row)
    if style.images == .braille {
      let dots = Self.dots.map { dot in ColourSum(dot.map { pixels[$0] }) }
      return style.isColoured ? .braille(dots) : .dithered(dots.map(\.mean.lightness))
    }
    return rows(of: pixels, isASCII: style.images == .ascii)
  }

  /// The character for pixels without dots of their own.
  private func rows(of pixels: [Colour], isASCII: Bool) -> CellGlyph {
    let rows = (0..<Self.cellHeight).map { ColourSum([pixels[2 * $0], pixels[2 * $0 + 1]]) }
    if style.isColoured { return .block(rows) }
    let ink = rows.map(\.mean.lightness)
    return isASCII ? .ascii(ink) : .shade(ink)
  }

  /// Row by row.
  private func pixels(_ column: Int, _ row: Int) -> [Colour] {
    (0..<Self.cellHeight).flatMap { y in
      (0..<Self.cellWidth).map { x in
        raster[column * Self.cellWidth + x, row * Self.cellHeight + y]
      }
    }
  }

  // MARK: Text

  /// The lines for the terminal. Each ends without colours.
  var text: String {
    (0..<rows).map { row in style.isColoured ? colouredLine(row) : plainLine(row) }.joined()
  }

  private func plainLine(_ row: Int) -> String {
    var line = String((0..<columns).compactMap { glyph(column: $0, row: row)?.character })
    while line.hasSuffix(" ") { line.removeLast() }
    return line + "\n"
  }

  /// A line with 24-bit colours (ISO/IEC 8613-6, in the terminals' form `38;2;R;G;B`).
  private func colouredLine(_ row: Int) -> String {
    func code(_ kind: Int, _ colour: Colour) -> String {
      "\(kind);2;\(colour.red);\(colour.green);\(colour.blue)"
    }
    var line = ""
    var (colour, ground): (Colour?, Colour?) = (nil, nil)
    for column in 0..<columns {
      guard let glyph = glyph(column: column, row: row) else { continue }
      var codes: [String] = []
      if let wanted = glyph.colour, wanted != colour {
        codes.append(code(38, wanted))
        colour = wanted
      }
      if let wanted = glyph.ground, wanted != ground {
        codes.append(code(48, wanted))
        ground = wanted
      }
      if !codes.isEmpty { line += "\u{1B}[" + codes.joined(separator: ";") + "m" }
      line.append(glyph.character)
    }
    return line + "\u{1B}[0m\n"
  }
}
