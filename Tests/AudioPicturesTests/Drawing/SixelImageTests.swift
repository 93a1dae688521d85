// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioPictures

/// Sixels, read back by a reader written from the format's description.
@Suite struct SixelImageTests {
  /// The picture in a terminal.
  struct Shown {
    var width = 0
    var height = 0
    /// Percents of red, green and blue; nil if nothing was drawn.
    var pixels: [[[Int]?]] = []
  }

  /// - Throws: an error if the text violates the description.
  static func read(_ text: String) throws -> Shown {
    var bytes = Array(text.utf8)[...]
    func take(_ expected: String) throws {
      try #require(bytes.starts(with: expected.utf8), "\(expected)")
      bytes = bytes.dropFirst(expected.utf8.count)
    }
    func numbers() -> [Int] {
      let digits = bytes.prefix { $0 == UInt8(ascii: ";") || (0x30...0x39).contains($0) }
      bytes = bytes.dropFirst(digits.count)
      return String(decoding: digits, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
    }
    try take("\u{1B}P")
    #expect(numbers().count == 3)
    try take("q\"")
    let attributes = numbers()
    try #require(attributes.count == 4)
    #expect(attributes[0] == attributes[1], "pixels are square")
    var shown = Shown(width: attributes[2], height: attributes[3])
    shown.pixels = Array(
      repeating: Array(repeating: nil, count: shown.width), count: shown.height)
    var palette: [Int: [Int]] = [:]
    var (colour, x, y) = (0, 0, 0)
    while let byte = bytes.first, byte != 0x1B {
      bytes = bytes.dropFirst()
      var count = 1
      var sixel = byte
      switch byte {
      case UInt8(ascii: "#"):
        let values = numbers()
        colour = values.first ?? -1
        if values.count == 5 {
          #expect(values[1] == 2)
          palette[colour] = Array(values[2...])
        }
        continue
      case UInt8(ascii: "$"):
        x = 0
        continue
      case UInt8(ascii: "-"):
        (x, y) = (0, y + 6)
        continue
      case UInt8(ascii: "!"):
        count = numbers().first ?? 0
        sixel = bytes.popFirst() ?? 0
      default: break
      }
      try #require((63...126).contains(sixel))
      for _ in 0..<count {
        for bit in 0..<6 where (sixel - 63) >> UInt8(bit) & 1 == 1 {
          shown.pixels[y + bit][x] = palette[colour]
        }
        x += 1
      }
    }
    #expect(palette.count <= 256)
    try take("\u{1B}\\")
    return shown
  }

  /// Returns whether every pixel has its colour to the nearest percent.
  private func isExact(_ shown: Shown, _ raster: Raster) -> Bool {
    guard shown.width == raster.width, shown.height == raster.height else { return false }
    return (0..<raster.height).allSatisfy { y in
      (0..<raster.width).allSatisfy { x in
        guard let parts = shown.pixels[y][x] else { return false }
        let colour = raster[x, y]
        return zip(parts, [colour.red, colour.green, colour.blue]).allSatisfy { percent, byte in
          abs(Double(percent) - Double(byte) / 2.55) <= 0.501
        }
      }
    }
  }

  @Test(arguments: [(1, 1), (7, 5), (10, 6), (33, 13)])
  func everyPixelIsShown(width: Int, height: Int) throws {
    var raster = Raster(width: width, height: height, Colour(0x102030))
    var noise = SeededRandom(seed: UInt64(width))
    for y in 0..<height {
      for x in 0..<width where noise.next() % 3 == 0 {
        raster.fill(
          PixelRectangle(x: x, y: y, width: 1, height: 1),
          Colour(UInt32(truncatingIfNeeded: noise.next() % 8) * 0x20_10_04))
      }
    }
    let shown = try Self.read(SixelImage.encoded(raster))
    let isShown = isExact(shown, raster)
    #expect(isShown)
  }

  @Test func aPictureOfSoundIsShown() throws {
    var options = PlotOptions()
    options.title = "sweep.wav"
    let metrics = PlotMetrics(width: 320, height: 241)
    var measurement = try PlotMeasurement(
      options, StreamFormat(sampleRate: 8_000, channelCount: 1), metrics)
    let samples = (0..<16_000).map { Float($0 * $0 % 4_001) / 4_001 - 0.5 }
    measurement.append(samples.span)
    measurement.finish()
    let raster = try PlotDrawing(options, measurement).raster()
    let colours = Set(raster.pixels).count
    #expect((100...256).contains(colours), "\(colours)")
    let shown = try Self.read(SixelImage.encoded(raster))
    let isShown = isExact(shown, raster)
    #expect(isShown)
  }

  @Test func tooManyColoursBecomeTheNearest() throws {
    // A row of each of 300 greens and reds; all but 256 of them once, the rest twice.
    var raster = Raster(width: 600, height: 1, Colour(0))
    for index in 0..<300 {
      let colour = Colour(index < 256 ? UInt32(index) << 8 : UInt32(index - 200) << 16)
      raster.fill(PixelRectangle(x: 2 * index, y: 0, width: 1, height: 1), colour)
      if index < 256 {
        raster.fill(PixelRectangle(x: 2 * index + 1, y: 0, width: 1, height: 1), colour)
      }
    }
    let (palette, indices) = SixelImage.indexed(raster)
    #expect(palette.count == 256)
    for (pixel, index) in zip(raster.pixels, indices) {
      func distance(_ other: Colour) -> Int {
        let red = Int(pixel.red) - Int(other.red)
        let green = Int(pixel.green) - Int(other.green)
        let blue = Int(pixel.blue) - Int(other.blue)
        return red * red + green * green + blue * blue
      }
      #expect(distance(palette[Int(index)]) == palette.map(distance).min())
    }
  }
}
