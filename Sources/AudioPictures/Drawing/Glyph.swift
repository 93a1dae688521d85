// SPDX-License-Identifier: Apache-2.0
/// A point in units of a glyph, or of a picture.
struct Point: Sendable, Hashable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A character as strokes of a round pen, in the units of ``GlyphOutlines``.
struct Glyph: Sendable {
  /// The width of the pen.
  static let pen = 0.95
  /// The distance between two characters.
  static let gap = 1.7
  /// The units of a font's size. Capitals are 7/10 as high.
  static let unitsPerSize = 10.0

  var width: Double
  /// Lines through points; curves are cut into pieces.
  var strokes: [[Point]]
  /// The strokes as the data of an SVG path, y growing downwards.
  var path: String

  private static let table: [Character: Glyph] = {
    var table: [Character: Glyph] = [:]
    for (character, outline) in GlyphOutlines.drawn {
      table[character] = Glyph(outline.width, outline.pen)
    }
    for (letters, bases, mark) in GlyphOutlines.composed {
      for (letter, base) in zip(letters, bases) {
        let under = base == "ı" ? GlyphOutlines.dotless : GlyphOutlines.drawn[base]
        guard let under else { continue }
        // A mark below keeps its place; one above rises on a capital.
        let rises = base.isUppercase && !mark.hasPrefix("M0 0")
        table[letter] = Glyph(
          under.width, under.pen, mark: mark, at: Point(under.width / 2, rises ? 1.9 : 0))
      }
    }
    return table
  }()

  private static let unknown = Glyph(GlyphOutlines.unknown.width, GlyphOutlines.unknown.pen)

  /// The glyph of a character; a box if it is not drawn.
  static func of(_ character: Character) -> Glyph { table[character] ?? unknown }

  /// The length of a text in pixels.
  static func length(of text: String, size: Double) -> Double {
    let units = text.reduce(0.0) { $0 + of($1).width + gap }
    return max(0, units - gap) * size / unitsPerSize
  }

  private init(_ width: Double, _ pen: String, mark: String = "", at place: Point = Point(0, 0)) {
    self.width = width
    strokes = []
    path = ""
    draw(pen, at: Point(0, 0))
    draw(mark, at: place)
  }

  private mutating func draw(_ pen: String, at origin: Point) {
    var words = pen[...]
    func number() -> Double {
      let text = words.prefix { $0 != " " && !$0.isLetter }
      words = words.dropFirst(text.count)
      if words.first == " " { words.removeFirst() }
      return Double(text) ?? 0
    }
    func point() -> Point { Point(number() + origin.x, number() + origin.y) }
    func written(_ point: Point) -> String { "\(point.x.tenths) \((-point.y).tenths)" }
    while let command = words.popFirst() {
      switch command {
      case "M":
        let start = point()
        strokes.append([start])
        path += "M" + written(start)
      case "L":
        let end = point()
        strokes[strokes.count - 1].append(end)
        path += "L" + written(end)
      default:
        let (control, end) = (point(), point())
        let start = strokes[strokes.count - 1].last ?? end
        path += "Q" + written(control) + " " + written(end)
        for piece in 1...Self.pieces {
          let t = Double(piece) / Double(Self.pieces)
          func between(_ a: Double, _ b: Double, _ c: Double) -> Double {
            (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c
          }
          strokes[strokes.count - 1].append(
            Point(between(start.x, control.x, end.x), between(start.y, control.y, end.y)))
        }
      }
    }
  }

  /// The number of pieces of a curve.
  private static let pieces = 6
}

extension Double {
  /// With at most one digit behind the point: `3`, `3.5`.
  var tenths: String {
    let tenths = Int((self * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let whole = abs(tenths) / 10
    let rest = abs(tenths) % 10
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}
