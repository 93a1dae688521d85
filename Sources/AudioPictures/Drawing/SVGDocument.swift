// SPDX-License-Identifier: Apache-2.0
/// A picture as the text of an SVG file (SVG 1.1 and 2), which needs no font.
struct SVGDocument: DrawingSurface {
  private let width: Int
  private let height: Int
  private let title: String
  private var body = ""
  /// The used characters with the numbers of their glyphs.
  private var glyphs: [Character: Int] = [:]
  private var outlines = ""

  /// - Parameter title: the picture's title in viewers.
  init(width: Int, height: Int, title: String, _ colour: Colour) {
    self.width = width
    self.height = height
    self.title = title
    fill(PixelRectangle(x: 0, y: 0, width: width, height: height), colour)
  }

  /// The whole file.
  var text: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="\(width)" \
    height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
    <title>\(Self.escaped(title))</title>
    <defs>
    \(outlines)</defs>
    \(body)</svg>

    """
  }

  mutating func fill(_ rectangle: PixelRectangle, _ colour: Colour) {
    body += "<rect\(Self.place(rectangle)) fill=\"\(colour.css)\"/>\n"
  }

  mutating func columns(from x: Int, _ stretches: [ClosedRange<Double>?], _ colour: Colour) {
    var data = ""
    for run in stretches.enumerated().split(whereSeparator: { $0.element == nil }) {
      let ends = run.compactMap { column in
        column.element.map { stretch in
          // A stretch without height would be invisible.
          let missing = max(0, 1 - (stretch.upperBound - stretch.lowerBound)) / 2
          return (
            x: Double(x + column.offset) + 0.5, top: stretch.lowerBound - missing,
            bottom: stretch.upperBound + missing
          )
        }
      }
      let around =
        ends.map { "\($0.x.tenths) \($0.top.hundredths)" }
        + ends.reversed().map { "\($0.x.tenths) \($0.bottom.hundredths)" }
      data += "M" + around.joined(separator: "L") + "Z"
    }
    if !data.isEmpty { body += "<path d=\"\(data)\" fill=\"\(colour.css)\"/>\n" }
  }

  mutating func image(_ rectangle: PixelRectangle, _ pixels: [Colour]) throws(AudioError) {
    let file = try PNGImage.encoded(pixels, width: rectangle.width, height: rectangle.height)
    let data = "data:image/png;base64," + String(decoding: Base64.encoded(file), as: UTF8.self)
    body += "<image\(Self.place(rectangle)) preserveAspectRatio=\"none\""
    // Programs from before SVG 2 know only `xlink:href`.
    body += " style=\"image-rendering:pixelated\" xlink:href=\"\(data)\"/>\n"
  }

  mutating func text(
    _ text: String, x: Int, base: Int, _ anchor: TextAnchor, size: Double, _ colour: Colour
  ) {
    guard !text.isEmpty else { return }
    let unit = size / Glyph.unitsPerSize
    let start = anchor.start(of: text, x: x, size: size)
    body +=
      "<g transform=\"translate(\((start + 0.5).hundredths) \((Double(base) - 0.5).hundredths))"
    body += " scale(\(unit.hundredths))\" fill=\"none\" stroke=\"\(colour.css)\""
    body += " stroke-width=\"\(Glyph.pen)\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
    body += " role=\"img\" aria-label=\"\(Self.escaped(text))\">"
    var place = 0.0
    for character in text {
      let glyph = Glyph.of(character)
      if !glyph.path.isEmpty {
        body += "<use x=\"\(place.hundredths)\" xlink:href=\"#c\(number(of: character, glyph))\"/>"
      }
      place += glyph.width + Glyph.gap
    }
    body += "</g>\n"
  }

  private mutating func number(of character: Character, _ glyph: Glyph) -> Int {
    if let number = glyphs[character] { return number }
    let number = glyphs.count
    glyphs[character] = number
    outlines += "<path id=\"c\(number)\" d=\"\(glyph.path)\"/>\n"
    return number
  }

  private static func place(_ rectangle: PixelRectangle) -> String {
    " x=\"\(rectangle.x)\" y=\"\(rectangle.y)\" width=\"\(rectangle.width)\""
      + " height=\"\(rectangle.height)\""
  }

  /// Escapes the characters that XML reserves, and replaces those that it forbids.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default:
        let isAllowed = scalar.value >= 0x20 && scalar.value != 0x7F
        escaped.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
    return escaped
  }
}

extension Double {
  /// With at most two digits behind the point.
  fileprivate var hundredths: String {
    let hundredths = Int((self * 100).rounded())
    let digits = "\(abs(hundredths) % 100 + 100)".dropFirst()
    let sign = hundredths < 0 ? "-" : ""
    return "\(sign)\(abs(hundredths) / 100)" + (digits == "00" ? "" : ".\(digits)")
  }
}
