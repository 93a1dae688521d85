// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPictures

/// The colours are those of viridis, with perceptually equal steps.
@Suite struct ColourMapTests {
  /// Five entries of matplotlib's table of 256.
  private static let table: [(index: Int, colour: UInt32)] = [
    (0, 0x440154), (64, 0x3B528B), (128, 0x21918C), (192, 0x5EC962), (255, 0xFDE725),
  ]

  @Test func areThoseOfViridis() {
    for (index, hex) in Self.table {
      let (found, expected) = (ColourMap[Float(index) / 255], Colour(hex))
      for (one, two) in [
        (found.red, expected.red), (found.green, expected.green), (found.blue, expected.blue),
      ] {
        #expect(abs(Int(one) - Int(two)) <= 5, "\(index): \(found)")
      }
    }
    #expect(ColourMap[-1] == ColourMap[0])
    #expect(ColourMap[2] == ColourMap[1])
    #expect(ColourMap[.nan] == ColourMap[0])
    #expect(ColourMap[-.infinity] == ColourMap[0])
  }

  @Test func lightnessGrowsEvenly() {
    let lightness = ColourMap.colours.map(Self.lightness)
    for (one, two) in zip(lightness, lightness.dropFirst()) { #expect(two > one) }
    let whole = Self.lightness(ColourMap[1]) - Self.lightness(ColourMap[0])
    for step in 0..<8 {
      let rise =
        Self.lightness(ColourMap[Float(step + 1) / 8]) - Self.lightness(ColourMap[Float(step) / 8])
      #expect(abs(rise - whole / 8) < whole / 8 * 0.2, "\(step): \(rise)")
    }
  }

  /// L* of CIELAB.
  private static func lightness(_ colour: Colour) -> Double {
    func linear(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let y =
      0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue)
    return y > 216.0 / 24_389 ? 116 * cbrt(y) - 16 : y * 24_389 / 27
  }
}
