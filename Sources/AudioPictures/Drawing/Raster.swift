// SPDX-License-Identifier: Apache-2.0
/// A picture in memory.
struct Raster: DrawingSurface {
  let width: Int
  let height: Int
  /// Row by row from the top.
  private(set) var pixels: [Colour]

  init(width: Int, height: Int, _ colour: Colour) {
    self.width = width
    self.height = height
    pixels = Array(repeating: colour, count: width * height)
  }

  subscript(x: Int, y: Int) -> Colour { pixels[y * width + x] }

  /// The number of steps of transparency at edges: few, so that a picture has few colours.
  private static let coverageSteps = 6.0

  private mutating func blend(_ x: Int, _ y: Int, _ colour: Colour, _ coverage: Double) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let steps = (min(1, coverage) * Self.coverageSteps).rounded()
    guard steps > 0 else { return }
    let index = y * width + x
    pixels[index] =
      steps == Self.coverageSteps ? colour : colour.over(pixels[index], steps / Self.coverageSteps)
  }

  mutating func fill(_ rectangle: PixelRectangle, _ colour: Colour) {
    let columns = max(0, rectangle.x)..<max(0, rectangle.x, min(width, rectangle.right))
    for y in max(0, rectangle.y)..<max(0, rectangle.y, min(height, rectangle.bottom)) {
      for x in columns { pixels[y * width + x] = colour }
    }
  }

  mutating func columns(from x: Int, _ stretches: [ClosedRange<Double>?], _ colour: Colour) {
    for (offset, stretch) in stretches.enumerated() {
      guard let stretch else { continue }
      for (y, coverage) in Self.covered(stretch) { blend(x + offset, y, colour, coverage) }
    }
  }

  /// The pixels of a column under a stretch, each with its coverage; the stretch is at least a pixel high.
  static func covered(_ stretch: ClosedRange<Double>) -> [(y: Int, coverage: Double)] {
    var (top, bottom) = (stretch.lowerBound, stretch.upperBound)
    if bottom - top < 1 {
      top = ((top + bottom) / 2 - 0.5).rounded()
      bottom = top + 1
    }
    let first = Int(top.rounded(.down))
    return (first..<max(first, Int(bottom.rounded(.up)))).map { y in
      (y, min(bottom, Double(y + 1)) - max(top, Double(y)))
    }
  }

  mutating func image(_ rectangle: PixelRectangle, _ pixels: [Colour]) {
    for row in 0..<rectangle.height {
      let from = row * rectangle.width
      let to = (rectangle.y + row) * width + rectangle.x
      for column in 0..<rectangle.width { self.pixels[to + column] = pixels[from + column] }
    }
  }

  mutating func text(
    _ text: String, x: Int, base: Int, _ anchor: TextAnchor, size: Double, _ colour: Colour
  ) {
    let unit = size / Glyph.unitsPerSize
    var start = anchor.start(of: text, x: x, size: size)
    for character in text {
      let glyph = Glyph.of(character)
      // The pen moves through the middles of pixels, so that straight lines are sharp.
      let origin = Point(start.rounded() + 0.5, Double(base) - 0.5)
      let strokes = glyph.strokes.map { stroke in
        stroke.map { Point(origin.x + $0.x * unit, origin.y - $0.y * unit) }
      }
      draw(strokes, pen: max(1, Glyph.pen * unit), colour)
      start += (glyph.width + Glyph.gap) * unit
    }
  }

  /// Draws lines with a round pen. The coverage of a pixel depends on the distance of its middle.
  private mutating func draw(_ strokes: [[Point]], pen: Double, _ colour: Colour) {
    let points = strokes.joined()
    guard let first = points.first else { return }
    var low = first
    var high = first
    for point in points {
      low = Point(min(low.x, point.x), min(low.y, point.y))
      high = Point(max(high.x, point.x), max(high.y, point.y))
    }
    for y in Int(low.y - pen - 1)...Int(high.y + pen + 1) {
      for x in Int(low.x - pen - 1)...Int(high.x + pen + 1) {
        let middle = Point(Double(x) + 0.5, Double(y) + 0.5)
        var nearest = Double.infinity
        for stroke in strokes {
          for (a, b) in zip(stroke, stroke.dropFirst()) {
            nearest = min(nearest, middle.squaredDistance(from: a, to: b))
          }
        }
        blend(x, y, colour, pen / 2 + 0.5 - nearest.squareRoot())
      }
    }
  }
}

extension Point {
  /// The square of the distance from the line between two points.
  fileprivate func squaredDistance(from a: Point, to b: Point) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let t = length == 0 ? 0 : min(1, max(0, ((x - a.x) * dx + (y - a.y) * dy) / length))
    let (ex, ey) = (a.x + t * dx - x, a.y + t * dy - y)
    return ex * ex + ey * ey
  }
}
