// SPDX-License-Identifier: Apache-2.0
extension Metadata.Picture {
  /// The most bytes of a cover that can be written: a piece of metadata has 16 MiB at most, and Ogg writes four bytes for
  /// three.
  package static let largestCover = 11 << 20

  /// A front cover.
  ///
  /// - Parameter file: a JPEG, PNG, GIF or WebP file.
  /// - Returns: nil if the bytes begin like none of these.
  package init?(cover file: [UInt8]) {
    self.init(of: file[...], .frontCover)
    if mediaType.isEmpty { return nil }
    measure()
  }

  /// Sets the width, the height and the depth by the picture's own header; they stay 0 if it states none.
  ///
  /// Sources: PNG, third edition, section 11.2.1 (IHDR); ITU-T T.81, section B.2.2 (frame header of JPEG); GIF89a,
  /// section 18.
  package mutating func measure() {
    switch mediaType {
    case "image/png": measurePNG()
    case "image/jpeg": measureJPEG()
    case "image/gif":
      var reader = ByteReader(bytes.dropFirst(6))
      guard let wide = reader.integer(2, .little), let high = reader.integer(2, .little) else {
        return
      }
      width = Int(wide)
      height = Int(high)
      depth = 8
    default: break
    }
  }

  private mutating func measurePNG() {
    // The signature, and the length and the name of the first chunk.
    var reader = ByteReader(bytes.dropFirst(16))
    guard let wide = reader.integer(4, .big), let high = reader.integer(4, .big),
      let bits = reader.integer(1, .big), let kind = reader.integer(1, .big)
    else { return }
    let samples: [UInt64: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
    (width, height) = (Int(wide), Int(high))
    // A palette has colours of 24 bits.
    depth = kind == 3 ? 24 : Int(bits) * (samples[kind] ?? 1)
  }

  private mutating func measureJPEG() {
    var reader = ByteReader(bytes.dropFirst(2))
    while let mark = reader.integer(1, .big) {
      guard mark == 0xFF, var code = reader.integer(1, .big) else { return }
      while code == 0xFF {
        guard let next = reader.integer(1, .big) else { return }
        code = next
      }
      // Marks without content.
      if code == 0x01 || (0xD0...0xD8).contains(code) { continue }
      guard let size = reader.integer(2, .big), size >= 2 else { return }
      // The frame headers: all of C0 to CF but DHT, JPG and DAC.
      guard (0xC0...0xCF).contains(code), ![0xC4, 0xC8, 0xCC].contains(code) else {
        guard reader.bytes(Int(size) - 2) != nil else { return }
        continue
      }
      guard let bits = reader.integer(1, .big), let high = reader.integer(2, .big),
        let wide = reader.integer(2, .big), let components = reader.integer(1, .big)
      else { return }
      width = Int(wide)
      height = Int(high)
      depth = Int(bits * components)
      return
    }
  }
}
