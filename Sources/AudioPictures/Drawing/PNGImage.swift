// SPDX-License-Identifier: Apache-2.0
internal import CPNG

/// The needed functions of libpng, loaded with the first picture: most runs draw none and should not wait for the
/// loader.
@safe
private struct PNGLibrary: Sendable {
  typealias Write =
    @convention(c) (
      UnsafeMutablePointer<png_image>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>, Int32,
      UnsafeRawPointer?, Int32, UnsafeRawPointer?
    ) -> Int32
  typealias Free = @convention(c) (UnsafeMutablePointer<png_image>) -> Void

  /// The library of the header in the build.
  private static let name = "libpng16.so.16"
  private static let loaded = PNGLibrary()

  /// Its result is 0 if nothing was written; then the image holds the reason.
  let write: Write
  let free: Free

  private init?() {
    guard let library = LoadedLibrary(Self.name),
      let write: Write = unsafe library.function("png_image_write_to_memory"),
      let free: Free = unsafe library.function("png_image_free")
    else { return nil }
    unsafe self.write = write
    unsafe self.free = free
  }

  static func load() throws(AudioError) -> PNGLibrary {
    guard let loaded else {
      throw AudioError(
        .unsupported, cannot: "draw", "PNG", because: "\(name) cannot be loaded",
        advice: "install libpng (on Debian libpng16-16)")
    }
    return loaded
  }
}

/// libpng's state of an image during writing; freed with this.
@safe
struct PNGImage: ~Copyable {
  private var image = unsafe png_image()
  private let library: PNGLibrary

  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: `unsupported` if libpng is not installed.
  private init(width: Int, height: Int) throws(AudioError) {
    library = try PNGLibrary.load()
    unsafe image.version = rawaudio_png_version
    unsafe image.width = UInt32(width)
    unsafe image.height = UInt32(height)
  }

  deinit {
    var image = unsafe image
    unsafe library.free(&image)
  }

  /// The bytes of a PNG file, with indexed colours if there are at most 256.
  static func encoded(_ raster: Raster) throws(AudioError) -> [UInt8] {
    try encoded(raster.pixels, width: raster.width, height: raster.height)
  }

  /// - Parameter pixels: row by row from the top.
  static func encoded(
    _ pixels: [Colour], width: Int, height: Int
  ) throws(AudioError) -> [UInt8] {
    var image = try PNGImage(width: width, height: height)
    var places: [Colour: UInt8] = [:]
    var colours: [UInt8] = []
    var indices: [UInt8] = []
    indices.reserveCapacity(pixels.count)
    var last: (colour: Colour, index: UInt8)?
    for pixel in pixels {
      if let last, last.colour == pixel {
        indices.append(last.index)
        continue
      }
      guard let place = places[pixel] ?? UInt8(exactly: places.count) else {
        return try image.encode(
          pixels.flatMap { [$0.red, $0.green, $0.blue] }, rawaudio_png_colours, palette: [])
      }
      if places.updateValue(place, forKey: pixel) == nil {
        colours += [pixel.red, pixel.green, pixel.blue]
      }
      indices.append(place)
      last = (pixel, place)
    }
    return try image.encode(indices, rawaudio_png_indices, palette: colours)
  }

  private mutating func encode(
    _ bytes: [UInt8], _ format: UInt32, palette: [UInt8]
  ) throws(AudioError) -> [UInt8] {
    unsafe image.format = format
    unsafe image.colormap_entries = UInt32(palette.count / 3)
    var size = unsafe rawaudio_png_size_limit(&image)
    var file = [UInt8](repeating: 0, count: size)
    guard unsafe library.write(&image, &file, &size, 0, bytes, 0, palette) != 0 else {
      let reason = unsafe withUnsafeBytes(of: image.message) { message in
        unsafe String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw AudioError(.unsupported, cannot: "draw", "PNG", because: reason)
    }
    file.removeLast(file.count - size)
    return file
  }
}
