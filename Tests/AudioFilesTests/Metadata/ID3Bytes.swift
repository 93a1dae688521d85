// SPDX-License-Identifier: Apache-2.0
/// Frames of ID3 tags, written byte by byte.
enum ID3Bytes {
  static func synchsafe(_ size: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) } }

  static func frame(
    _ version: Int, _ name: String, _ content: [UInt8], flags: UInt8 = 0
  ) -> [UInt8] {
    let size =
      switch version {
      case 2: ChunkBytes.number(content.count, 3, big: true)
      case 3: ChunkBytes.number(content.count, 4, big: true)
      default: synchsafe(content.count)
      }
    return Array(name.utf8) + size + (version == 2 ? [] : [0, flags]) + content
  }

  static func tag(_ version: Int, _ frames: [[UInt8]], flags: UInt8 = 0) -> [UInt8] {
    TagBytes.id3v2(UInt8(version), Array(frames.joined()), flags: flags)
  }

  static func utf16(_ text: String, big: Bool, marked: Bool) -> [UInt8] {
    let mark: [UInt8] = !marked ? [] : big ? [0xFE, 0xFF] : [0xFF, 0xFE]
    return mark + text.utf16.flatMap { ChunkBytes.number(Int($0), 2, big: big) }
  }

  static func old(
    _ title: String, artist: String, year: String, comment: [UInt8], genre: UInt8
  ) -> [UInt8] {
    var bytes = Array("TAG".utf8) + ChunkBytes.text(title, 30)
    bytes += ChunkBytes.text(artist, 30) + ChunkBytes.text("", 30)
    bytes += ChunkBytes.text(year, 4) + comment
    bytes += [UInt8](repeating: 0, count: 30 - comment.count)
    return bytes + [genre]
  }

  /// An APE tag of texts and pictures, which follows the sound.
  static func ape(_ items: [(key: String, value: [UInt8], isBinary: Bool)]) -> [UInt8] {
    var content: [UInt8] = []
    for item in items {
      content += ChunkBytes.number(item.value.count, 4)
      content += ChunkBytes.number(item.isBinary ? 2 : 0, 4)
      content += Array(item.key.utf8) + [0] + item.value
    }
    var foot = Array("APETAGEX".utf8)
    foot += ChunkBytes.number(2_000, 4)
    foot += ChunkBytes.number(content.count + 32, 4)
    foot += ChunkBytes.number(items.count, 4)
    return content + foot + [UInt8](repeating: 0, count: 12)
  }
}
