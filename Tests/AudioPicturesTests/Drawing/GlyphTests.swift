// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioPictures

/// Characters are drawn, each by its own outline.
@Suite struct GlyphTests {
  @Test func everyCharacterOfASCIIIsDrawn() {
    let box = Glyph.of("\u{4E2D}").path
    var paths: [String: Character] = [:]
    for scalar in UInt8(33)...126 {
      let character = Character(Unicode.Scalar(scalar))
      let path = Glyph.of(character).path
      #expect(!path.isEmpty && path != box, "\(character)")
      #expect(paths.updateValue(character, forKey: path) == nil, "\(character)")
    }
    for character in "äöüßéèñçÅØžůÿ°µ∞−…" {
      #expect(Glyph.of(character).path != box, "\(character)")
    }
    #expect(Glyph.of("ä").path.hasPrefix(Glyph.of("a").path))
  }

  @Test func noneIsHigherOrWiderThanItsLine() {
    for (character, _) in GlyphOutlines.drawn {
      let glyph = Glyph.of(character)
      for point in glyph.strokes.joined() {
        #expect((-2.1...8.1).contains(point.y), "\(character)")
        #expect((-0.5...glyph.width + 0.5).contains(point.x), "\(character)")
      }
    }
  }

  @Test func longTextsAreCut() {
    let text = "a very long name of a file.wav"
    for room in [0.0, 5, 40, 100, 1_000] {
      let shown = PlotMetrics(PlotOptions()).fitted(text, size: 13, into: room)
      #expect(Glyph.length(of: shown, size: 13) <= room)
      #expect(shown == text || shown.isEmpty || shown.hasSuffix("…"))
    }
    #expect(PlotMetrics(PlotOptions()).fitted(text, size: 13, into: 1_000) == text)
  }

  @Test func aLineIsAsDarkAsThePenIsThick() {
    // A minus 3.6 units long and 0.95 thick at 20 pixels: 7.2 by 1.9 with round ends.
    var raster = Raster(width: 30, height: 30, Colour(0xFFFFFF))
    raster.text("\u{2212}", x: 10, base: 20, .left, size: 20, Colour(0))
    let dark = raster.pixels.reduce(0.0) { $0 + (255 - Double($1.green)) / 255 }
    let expected = 7.2 * 1.9 + Double.pi * 0.95 * 0.95
    #expect(abs(dark - expected) < 0.12 * expected, "\(dark), \(expected)")
  }
}
