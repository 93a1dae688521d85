// SPDX-License-Identifier: Apache-2.0
/// A picture for terminals with sixel graphics: six rows at once, one colour after another.
///
/// Source: DEC, "VT330/VT340 Programmer Reference Manual, Volume 2", chapter 14; at most 256 colours, as in the
/// descendants of its terminals.
enum SixelImage {
  static let colourLimit = 256

  static func encoded(_ raster: Raster) -> String {
    let (palette, indices) = indexed(raster)
    // Pixels are square, and none keeps its former colour.
    var text = "\u{1B}P0;0;0q\"1;1;\(raster.width);\(raster.height)"
    for (index, colour) in palette.enumerated() {
      let parts = [colour.red, colour.green, colour.blue].map { "\(percent($0))" }
      text += "#\(index);2;" + parts.joined(separator: ";")
    }
    for top in stride(from: 0, to: raster.height, by: 6) {
      text += band(indices, width: raster.width, rows: top..<min(raster.height, top + 6))
    }
    return text + "\u{1B}\\"
  }

  /// Scales a part of a colour to the format's range: 0 to 100.
  static func percent(_ part: UInt8) -> Int { (Int(part) * 100 + 127) / 255 }

  private static func band(_ indices: [UInt8], width: Int, rows: Range<Int>) -> String {
    var sixels: [UInt8: [UInt8]] = [:]
    for y in rows {
      for x in 0..<width {
        let index = indices[y * width + x]
        sixels[index, default: Array(repeating: 0, count: width)][x] |=
          1 << UInt8(y - rows.lowerBound)
      }
    }
    return sixels.sorted { $0.key < $1.key }.map { index, bits in "#\(index)" + runs(bits) }
      .joined(separator: "$") + "-"
  }

  private static func runs(_ bits: [UInt8]) -> String {
    var text = ""
    var end = bits.count
    while end > 0, bits[end - 1] == 0 { end -= 1 }
    var start = 0
    while start < end {
      var next = start
      while next < end, bits[next] == bits[start] { next += 1 }
      let character = Character(Unicode.Scalar(63 + bits[start]))
      let count = next - start
      text += count > 3 ? "!\(count)\(character)" : String(repeating: character, count: count)
      start = next
    }
    return text
  }

  /// The palette, and the index of each pixel's colour in it. Beyond the limit, the rarest colours become their nearest
  /// ones.
  static func indexed(_ raster: Raster) -> (palette: [Colour], indices: [UInt8]) {
    var counts: [Colour: Int] = [:]
    for pixel in raster.pixels { counts[pixel, default: 0] += 1 }
    let palette = counts.sorted { ($1.value, $0.key.hex) < ($0.value, $1.key.hex) }
      .prefix(colourLimit).map(\.key)
    var places = Dictionary(
      uniqueKeysWithValues: palette.enumerated().map { ($1, UInt8($0)) })
    let indices = raster.pixels.map { pixel -> UInt8 in
      if let place = places[pixel] { return place }
      let nearest = palette.indices.min {
        palette[$0].distance(from: pixel) < palette[$1].distance(from: pixel)
      }
      let place = UInt8(nearest ?? 0)
      places[pixel] = place
      return place
    }
    return (palette, indices)
  }
}

extension Colour {
  /// The square of the distance.
  fileprivate func distance(from other: Colour) -> Int {
    func square(_ one: UInt8, _ two: UInt8) -> Int { (Int(one) - Int(two)) * (Int(one) - Int(two)) }
    return square(red, other.red) + square(green, other.green) + square(blue, other.blue)
  }
}
