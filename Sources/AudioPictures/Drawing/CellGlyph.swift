// SPDX-License-Identifier: Apache-2.0
/// The characters for curves and spectrograms in a terminal, and whether they have colours.
struct CellStyle: Sendable, Hashable {
  enum Glyphs: Sendable, Hashable {
    /// Blocks of eighths; without colours also shades.
    case blocks
    /// Two by four dots.
    case braille
    /// Characters with more or less ink.
    case ascii
  }

  var curves: Glyphs
  var images: Glyphs
  var isColoured: Bool

  /// The size of a spectrogram's dot of one colour, in pixels of a cell.
  var dotSize: (width: Int, height: Int) {
    switch images {
    case .braille: (1, 2)
    case .blocks where isColoured: (2, 4)
    case .blocks, .ascii: (CellCanvas.cellWidth, CellCanvas.cellHeight)
    }
  }
}

/// A character in a cell. A colour is nil if it has no effect.
struct CellGlyph: Sendable, Hashable {
  var character: Character
  var colour: Colour?
  var ground: Colour?

  init(_ character: Character, _ colour: Colour? = nil, on ground: Colour? = nil) {
    self.character = character
    self.colour = colour
    self.ground = ground
  }

  /// Parts of a cell in eighths, from the bottom up.
  private static let eighths = Array(" ▁▂▃▄▅▆▇█")
  /// From no ink to all.
  private static let shades: [(Character, Double)] = [
    (" ", 0), ("░", 0.25), ("▒", 0.5), ("▓", 0.75), ("█", 1),
  ]
  private static let asciiShades = Array(" .:-=+*#%@")

  // MARK: With colours

  /// The block closest to the rows of a cell: one colour above, one below.
  ///
  /// - Parameter rows: from the top, one for each eighth of a cell.
  static func block(_ rows: [ColourSum]) -> CellGlyph {
    let whole = rows.reduce(ColourSum(), +)
    var best = CellGlyph(" ", on: whole.mean)
    var least = whole.spread
    for below in 1..<rows.count {
      let upper = rows.dropLast(below).reduce(ColourSum(), +)
      let lower = rows.suffix(below).reduce(ColourSum(), +)
      let spread = upper.spread + lower.spread
      // A difference from rounding alone is no second colour.
      guard spread < least - 1 else { continue }
      least = spread
      best = CellGlyph(eighths[below], lower.mean, on: upper.mean)
    }
    return best
  }

  /// Lights the dots above the middle of the lightest and the darkest dot.
  ///
  /// - Parameter dots: row by row, two in each.
  static func braille(_ dots: [ColourSum]) -> CellGlyph {
    let lightness = dots.map(\.mean.lightness)
    let (low, high) = (lightness.min() ?? 0, lightness.max() ?? 0)
    let isLit = lightness.map { $0 > (low + high) / 2 && high - low > 0.02 }
    func mean(_ lit: Bool) -> Colour? {
      let sum = zip(dots, isLit).reduce(ColourSum()) { $1.1 == lit ? $0 + $1.0 : $0 }
      return sum.count == 0 ? nil : sum.mean
    }
    return CellGlyph(braille(isLit), mean(true), on: mean(false))
  }

  // MARK: Without colours

  /// The block or shade closest to the rows of a cell.
  ///
  /// - Parameter ink: of each row from the top, from 0 to 1.
  static func shade(_ ink: [Double]) -> CellGlyph {
    var best = CellGlyph(" ")
    var least = Double.infinity
    func offer(_ character: Character, _ row: (Int) -> Double) {
      let error = ink.enumerated().reduce(0) { sum, pair in
        let difference = pair.element - row(pair.offset)
        return sum + difference * difference
      }
      if error < least - 1e-9 { (best, least) = (CellGlyph(character), error) }
    }
    for (character, value) in shades { offer(character) { _ in value } }
    for below in 1..<ink.count { offer(eighths[below]) { $0 >= ink.count - below ? 1 : 0 } }
    offer("▀") { $0 < ink.count / 2 ? 1 : 0 }
    offer("▔") { $0 == 0 ? 1 : 0 }
    return best
  }

  static func ascii(_ ink: [Double]) -> CellGlyph {
    let mean = ink.reduce(0, +) / Double(max(1, ink.count))
    let index = (mean * Double(asciiShades.count - 1)).rounded()
    return CellGlyph(asciiShades[min(asciiShades.count - 1, max(0, Int(index)))])
  }

  /// The order of the dots with increasing ink: half of them form a checkerboard.
  private static let order: [Double] = [0, 4, 6, 2, 1, 5, 7, 3]

  /// - Parameter ink: of each dot, from 0 to 1; row by row, two in each.
  static func dithered(_ ink: [Double]) -> CellGlyph {
    CellGlyph(braille(zip(ink, order).map { $0 > ($1 + 0.5) / 8 }))
  }

  /// The pattern of dots (Unicode Standard, chapter 21): row by row, two in each.
  static func braille(_ isLit: [Bool]) -> Character {
    let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
    let value = zip(isLit, bits).reduce(0) { $1.0 ? $0 | $1.1 : $0 }
    guard value != 0, let scalar = Unicode.Scalar(0x2800 + value) else { return " " }
    return Character(scalar)
  }
}

/// A sum of colours for their mean.
struct ColourSum: Sendable {
  private(set) var count = 0
  private var sum = SIMD3<Double>()
  private var squares = 0.0

  init() {}

  init(_ colours: some Sequence<Colour>) {
    for colour in colours {
      let value = SIMD3(Double(colour.red), Double(colour.green), Double(colour.blue))
      count += 1
      sum += value
      squares += (value * value).sum()
    }
  }

  static func + (one: ColourSum, other: ColourSum) -> ColourSum {
    var both = one
    both.count += other.count
    both.sum += other.sum
    both.squares += other.squares
    return both
  }

  var mean: Colour {
    let mean = (sum / Double(max(1, count))).rounded(.toNearestOrAwayFromZero)
    return Colour(UInt32(mean.x) << 16 | UInt32(mean.y) << 8 | UInt32(mean.z))
  }

  /// The sum of the squares of the distances from the mean.
  var spread: Double { squares - (sum * sum).sum() / Double(max(1, count)) }
}

extension Colour {
  /// From 0 to 1 (ITU-R BT.709).
  var lightness: Double {
    (0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)) / 255
  }
}
