// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioPictures

/// The characters nearest to the drawing, worked out by hand.
@Suite struct CellCanvasTests {
  private static let (black, white) = (Colour(0), Colour(0xFFFFFF))
  private static let blue = Colour(0x3A86B8)

  private func canvas(
    _ glyphs: CellStyle.Glyphs, isColoured: Bool, columns: Int = 4, rows: Int = 2
  ) -> CellCanvas {
    CellCanvas(
      columns: columns, rows: rows,
      CellStyle(curves: glyphs, images: glyphs, isColoured: isColoured), Self.black)
  }

  // MARK: Curves

  /// A curve of `eighths` eighths from the bottom of the first cell.
  @Test(arguments: 1...7)
  func aBarIsAsHighAsItsBlock(eighths: Int) {
    var coloured = canvas(.blocks, isColoured: true)
    let stretch = Double(8 - eighths)...8.0
    coloured.columns(from: 0, [stretch, stretch], Self.blue)
    let block = Array(" ▁▂▃▄▅▆▇█")[eighths]
    #expect(coloured.glyph(column: 0, row: 0) == CellGlyph(block, Self.blue, on: Self.black))
    #expect(coloured.glyph(column: 1, row: 0) == CellGlyph(" ", on: Self.black))
    // A bar from above shows as a block of the ground on the bar's colour.
    var hanging = canvas(.blocks, isColoured: true)
    hanging.columns(
      from: 0, [0...Double(8 - eighths), 0...Double(8 - eighths)], Self.blue)
    #expect(hanging.glyph(column: 0, row: 0) == CellGlyph(block, Self.black, on: Self.blue))
    var plain = canvas(.blocks, isColoured: false)
    plain.columns(from: 0, [stretch, stretch], Self.white)
    #expect(plain.glyph(column: 0, row: 0) == CellGlyph(block))
  }

  @Test func everyDotHasItsPlace() {
    // Unicode Standard, chapter 21: dots 1, 4, 2, 5, 3, 6, 7, 8 row by row.
    let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
    for (dot, bit) in bits.enumerated() {
      var canvas = canvas(.braille, isColoured: true)
      let top = Double(dot / 2 * 2)
      canvas.columns(from: 2 + dot % 2, [top...top + 2], Self.blue)
      let expected = Unicode.Scalar(0x2800 + bit).map { Character($0) } ?? "?"
      #expect(
        canvas.glyph(column: 1, row: 0) == CellGlyph(expected, Self.blue, on: Self.black))
      #expect(canvas.glyph(column: 0, row: 0) == CellGlyph(" ", on: Self.black))
    }
  }

  @Test func whatIsThinIsALine() {
    for (isColoured, glyphs) in [
      (true, CellStyle.Glyphs.blocks), (false, .blocks), (false, .ascii),
    ] {
      var canvas = canvas(glyphs, isColoured: isColoured)
      canvas.columns(from: 0, [3.5...3.5, 3.5...3.5], Self.white)
      let glyph = canvas.glyph(column: 0, row: 0)
      #expect(glyph?.character == (glyphs == .ascii ? "-" : "─"))
    }
  }

  // MARK: Images

  @Test func twoPixelsAreHalfBlocks() {
    var canvas = canvas(.blocks, isColoured: true)
    let pixels = (0..<8).flatMap { row in
      Array(repeating: row < 4 ? Self.white : Self.blue, count: 2)
    }
    canvas.image(PixelRectangle(x: 2, y: 8, width: 2, height: 8), pixels)
    #expect(canvas.glyph(column: 1, row: 1) == CellGlyph("▄", Self.blue, on: Self.white))
    canvas.image(
      PixelRectangle(x: 2, y: 8, width: 2, height: 8), Array(repeating: Self.blue, count: 16))
    #expect(canvas.glyph(column: 1, row: 1) == CellGlyph(" ", on: Self.blue))
  }

  @Test func inkIsInProportion() {
    func glyph(_ glyphs: CellStyle.Glyphs, _ ink: UInt32) -> Character? {
      var canvas = canvas(glyphs, isColoured: false)
      canvas.image(
        PixelRectangle(x: 0, y: 0, width: 2, height: 8),
        Array(repeating: Colour(ink * 0x01_01_01), count: 16))
      return canvas.glyph(column: 0, row: 0)?.character
    }
    #expect([0, 64, 128, 191, 255].map { glyph(.blocks, $0) } == [" ", "░", "▒", "▓", "█"])
    #expect([0, 85, 255].map { glyph(.ascii, $0) } == [" ", "-", "@"])
    // The number of set dots equals the eighths of ink, and each level adds to the one before.
    var last: UInt32 = 0
    for eighths in 0...8 {
      let character = glyph(.braille, UInt32(eighths) * 255 / 8) ?? "?"
      let bits = character == " " ? 0 : (character.unicodeScalars.first?.value ?? 0) - 0x2800
      #expect(bits.nonzeroBitCount == eighths)
      #expect(bits & last == last)
      last = bits
    }
  }

  // MARK: Texts

  @Test func textsStandWhereTheyAreAnchored() {
    var canvas = canvas(.blocks, isColoured: false, columns: 12, rows: 3)
    canvas.text("left", x: 0, base: 8, .left, size: 0, Self.white)
    canvas.text("abc", x: 2 * 5, base: 16, .centre, size: 0, Self.white)
    canvas.text("abcd", x: 2 * 10, base: 16, .centre, size: 0, Self.white)
    canvas.text("right", x: 24, base: 24, .right, size: 0, Self.white)
    #expect(canvas.text == "left\n    abc abcd\n       right\n")
    // Text without room is dropped; a wide character takes both columns or none.
    canvas.text("日本", x: 18, base: 8, .left, size: 0, Self.white)
    #expect(canvas.text.hasPrefix("left     日\n"))
  }

  @Test func linesAreWrittenWithAsFewCodesAsNeeded() {
    var canvas = canvas(.blocks, isColoured: true, columns: 3, rows: 1)
    canvas.text("ab", x: 0, base: 8, .left, size: 0, Self.white)
    #expect(canvas.text == "\u{1B}[38;2;255;255;255;48;2;0;0;0mab \u{1B}[0m\n")
  }
}
