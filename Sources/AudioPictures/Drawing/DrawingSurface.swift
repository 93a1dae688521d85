// SPDX-License-Identifier: Apache-2.0
/// A rectangle of whole pixels; y grows downwards.
struct PixelRectangle: Sendable, Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }
}

/// The position of a text's given point in it.
enum TextAnchor: Sendable {
  case left
  case centre
  case right
}

/// The target of a drawing: pixels, the text of an SVG file, or characters of a terminal.
protocol DrawingSurface {
  mutating func fill(_ rectangle: PixelRectangle, _ colour: Colour)

  /// Draws a line of an axis: a rectangle of one pixel in width or height.
  mutating func line(_ rectangle: PixelRectangle, _ colour: Colour)

  /// Fills a vertical stretch of every pixel column from `x` on, at least a pixel high.
  ///
  /// - Parameter stretches: upper and lower ends, in pixels; nil leaves a column empty.
  mutating func columns(from x: Int, _ stretches: [ClosedRange<Double>?], _ colour: Colour)

  /// - Parameter pixels: row by row from the top, as many as in the rectangle.
  mutating func image(_ rectangle: PixelRectangle, _ pixels: [Colour]) throws(AudioError)

  /// Writes a line of text.
  ///
  /// - Parameters:
  ///   - base: the height of the base line.
  ///   - size: in pixels; capitals are 7/10 as high.
  mutating func text(
    _ text: String, x: Int, base: Int, _ anchor: TextAnchor, size: Double, _ colour: Colour)
}

extension DrawingSurface {
  mutating func line(_ rectangle: PixelRectangle, _ colour: Colour) { fill(rectangle, colour) }
}

extension TextAnchor {
  /// The start of a text whose anchor is at `x`.
  func start(of text: String, x: Int, size: Double) -> Double {
    let length = Glyph.length(of: text, size: size)
    return switch self {
    case .left: Double(x)
    case .centre: Double(x) - (length / 2).rounded()
    case .right: Double(x) - length.rounded(.up)
    }
  }
}
