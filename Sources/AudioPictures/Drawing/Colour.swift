// SPDX-License-Identifier: Apache-2.0
/// A screen colour (sRGB), one byte per part.
struct Colour: Sendable, Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// - Parameter hex: in the form `0xRRGGBB`.
  init(_ hex: UInt32) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
  }

  /// `0xRRGGBB`.
  var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

  /// In the notation of CSS: `#440154`.
  var css: String {
    let digits = String(hex, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Blends this colour over `other`.
  ///
  /// - Parameter coverage: 1 = this one alone.
  func over(_ other: Colour, _ coverage: Double) -> Colour {
    func mixed(_ one: UInt8, _ two: UInt8) -> UInt32 {
      UInt32((Double(one) * coverage + Double(two) * (1 - coverage)).rounded())
    }
    return Colour(
      mixed(red, other.red) << 16 | mixed(green, other.green) << 8 | mixed(blue, other.blue))
  }
}

/// Colours for values from 0 to 1.
///
/// Viridis: equal steps of the value look equal, also in grey and to the colour-blind (van der Walt and Smith 2015,
/// CC0, https://bids.github.io/colormap). The polynomials of degree 6 were fitted to its table by Zucker (public
/// domain, https://www.shadertoy.com/view/WlfXRN); they are off by 1.5 % of full scale at most.
enum ColourMap {
  /// The number of colours. With its text a picture stays below the 256 colours of an indexed PNG.
  static let steps = 192

  static let colours: [Colour] = (0..<steps).map { colour(Double($0) / Double(steps - 1)) }

  /// - Parameter value: below 0 and NaN count as 0, above 1 as 1.
  static subscript(value: Float) -> Colour {
    let bounded = value > 0 ? min(value, 1) : 0
    return colours[Int((bounded * Float(steps - 1)).rounded())]
  }

  /// From the constant term up; red, green and blue.
  private static let coefficients: [(Double, Double, Double)] = [
    (0.2777273272234177, 0.005407344544966578, 0.3340998053353061),
    (0.1050930431085774, 1.404613529898575, 1.384590162594685),
    (-0.3308618287255563, 0.214847559468213, 0.09509516302823659),
    (-4.634230498983486, -5.799100973351585, -19.33244095627987),
    (6.228269936347081, 14.17993336680509, 56.69055260068105),
    (4.776384997670288, -13.74514537774601, -65.35303263337234),
    (-5.435455855934631, 4.645852612178535, 26.3124352495832),
  ]

  private static func colour(_ value: Double) -> Colour {
    var (red, green, blue) = (0.0, 0.0, 0.0)
    for (r, g, b) in coefficients.reversed() {
      red = red * value + r
      green = green * value + g
      blue = blue * value + b
    }
    func byte(_ part: Double) -> UInt32 { UInt32((255 * min(1, max(0, part))).rounded()) }
    return Colour(byte(red) << 16 | byte(green) << 8 | byte(blue))
  }
}
