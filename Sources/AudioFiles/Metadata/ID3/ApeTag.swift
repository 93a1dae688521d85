// SPDX-License-Identifier: Apache-2.0
/// A tag of items, mostly behind a file.
///
/// Source: wiki.hydrogenaud.io, "APEv2 specification" and "APE key".
struct ApeTag {
  static let identifier = "APEv2"
  static let headSize = 32
  private static let hasHead: UInt64 = 0x8000_0000

  struct Item {
    var key: String
    var value: ArraySlice<UInt8>
    /// Whether the value is UTF-8, rather than binary or an address.
    var isText: Bool
  }

  private(set) var items: [Item] = []
  /// The number of items behind the last one read.
  private var furtherCount = 0

  /// - Returns: nil if the bytes are not a whole tag.
  init?(_ bytes: [UInt8]) {
    let foot = bytes.count - Self.headSize
    guard foot >= 0, bytes.has("APETAGEX", at: foot) || bytes.has("APETAGEX", at: 0) else {
      return nil
    }
    let isInFront = !bytes.has("APETAGEX", at: foot)
    let place = isInFront ? 0 : foot
    // The size of the items and the foot, without the head.
    let size = Int(bytes.integer(at: place + 12, 4, .little))
    let count = bytes.integer(at: place + 16, 4, .little)
    let start = isInFront ? Self.headSize : bytes.count - size
    guard size <= bytes.count, start >= 0, start <= bytes.count else { return nil }
    var reader = ByteReader(bytes, from: start)
    for _ in 0..<count {
      guard let size = reader.integer(4, .little), let flags = reader.integer(4, .little),
        let end = reader.ahead.prefix(256).firstIndex(of: 0),
        let key = reader.bytes(end - reader.position), reader.bytes(1) != nil,
        let value = reader.bytes(Int(size))
      else { return }
      guard items.count < Metadata.mostChunks else {
        furtherCount += 1
        continue
      }
      items.append(
        Item(
          key: StoredText.decoded(key).uppercased(), value: value, isText: flags & 0x06 == 0))
    }
  }

  /// The size of a tag that begins with `head`; nil if none does.
  static func size(_ head: [UInt8]) -> Int? {
    guard head.count >= headSize, head.has("APETAGEX", at: 0) else { return nil }
    return headSize + Int(head.integer(at: 12, 4, .little))
  }

  /// The size of a tag that ends with `foot`; nil if none does.
  static func size(foot: [UInt8]) -> Int? {
    guard foot.count >= headSize, foot.has("APETAGEX", at: 0) else { return nil }
    let size = Int(foot.integer(at: 12, 4, .little))
    guard size >= headSize else { return nil }
    return size + (foot.integer(at: 20, 4, .little) & hasHead != 0 ? headSize : 0)
  }

  private static let cover = "COVER ART ("

  func interpret(into reading: inout MetadataReading) {
    for item in items {
      if item.isText {
        add(item, to: &reading)
      } else if item.key.hasPrefix(Self.cover), let picture = Self.picture(item) {
        _ = reading.add(picture, mayBeCopy: true)
      }
    }
    reading.leaveOut(.items, furtherCount)
  }

  private func add(_ item: Item, to reading: inout MetadataReading) {
    let key = TagNames.key(ofOther: item.key)
    let number = ID3Metadata.numbered[key]
    let name = reading.name(key)
    for text in ID3Frames.Encoding.utf8.texts(item.value) {
      if let number, text.isShort {
        for (key, value) in ID3Metadata.numberAndTotal(text.decoded, number) {
          reading.add(reading.name(key), value)
        }
      } else {
        reading.add(name, text.stored, decoded: text.decoded)
      }
    }
  }

  /// The picture of an item: a file name, a zero byte, and the file.
  private static func picture(_ item: Item) -> Metadata.Picture? {
    guard let end = item.value.firstIndex(of: 0), end + 1 < item.value.endIndex else { return nil }
    let kinds: [String: Metadata.Picture.Kind] = [
      "COVER ART (FRONT)": .frontCover, "COVER ART (BACK)": .backCover,
    ]
    return Metadata.Picture(of: item.value[(end + 1)...], kinds[item.key] ?? .other)
  }
}

extension Metadata.Picture {
  /// A picture of the type that its first bytes have.
  init(of bytes: ArraySlice<UInt8>, _ kind: Kind) {
    self.init(bytes, kind: kind, mediaType: Self.mediaType(of: bytes))
  }

  /// The type of a picture by its first bytes; empty if unknown.
  private static func mediaType(of data: ArraySlice<UInt8>) -> String {
    if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if data.has("GIF8", at: 0) { return "image/gif" }
    if data.has("RIFF", at: 0), data.has("WEBP", at: 8) { return "image/webp" }
    return ""
  }
}
