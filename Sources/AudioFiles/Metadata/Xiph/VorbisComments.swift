// SPDX-License-Identifier: Apache-2.0
/// Named texts and the name of the encoder: the comments of FLAC, Vorbis, Opus and Speex.
///
/// Sources: the Vorbis I specification, section 5; RFC 9639, section 8.6; RFC 7845, section 5.2.
struct VorbisComments: Equatable {
  static let identifier = "VORBIS_COMMENT"

  /// The encoder, which is not a text about the sound.
  var vendor: ArraySlice<UInt8> = []
  /// Each comment is a name, `=` and a text; at most ``MetadataReading/mostEntries``.
  var comments: [ArraySlice<UInt8>] = []
  /// Further comments, as stored.
  var furtherBytes: ArraySlice<UInt8> = []
  var furtherCount = 0
  /// The bytes behind all comments, which Opus permits.
  var rest: ArraySlice<UInt8> = []

  init() {}

  init?(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// - Returns: nil if the bytes are invalid or incomplete.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let vendor = Self.text(&reader), let stated = reader.integer(4, .little),
      stated <= reader.remaining / 4
    else { return nil }
    self.vendor = vendor
    let count = Int(stated)
    let most = min(count, MetadataReading.mostEntries)
    for _ in 0..<most {
      guard let comment = Self.text(&reader) else { return nil }
      comments.append(comment)
    }
    let further = reader.ahead
    for _ in most..<count where Self.text(&reader) == nil { return nil }
    furtherBytes = further[..<reader.position]
    furtherCount = count - most
    rest = reader.rest()
  }

  private static func text(_ reader: inout ByteReader) -> ArraySlice<UInt8>? {
    guard let size = reader.integer(4, .little) else { return nil }
    return reader.bytes(Int(size))
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(
      comments.reduce(vendor.count + furtherBytes.count + rest.count + 8) { $0 + $1.count + 4 })
    bytes.append(vendor.count, 4, .little)
    bytes += vendor
    bytes.append(comments.count + furtherCount, 4, .little)
    for comment in comments {
      bytes.append(comment.count, 4, .little)
      bytes += comment
    }
    bytes += furtherBytes
    bytes += rest
    return bytes
  }

  /// Splits a comment into its name, in upper case, and its text.
  ///
  /// - Returns: nil if no tag can have its name.
  static func parts(_ comment: ArraySlice<UInt8>) -> (key: String, value: ArraySlice<UInt8>)? {
    guard let end = comment.firstIndex(of: UInt8(ascii: "=")),
      comment.distance(from: comment.startIndex, to: end) <= MetadataReading.mostTextBytes,
      let key = Metadata.Tags.key(String(decoding: comment[..<end], as: UTF8.self))
    else { return nil }
    return (key, comment[(end + 1)...])
  }

  /// The key of a picture block in a comment. Source: wiki.xiph.org, VorbisComment, "METADATA_BLOCK_PICTURE".
  static let pictureKey = "METADATA_BLOCK_PICTURE"
  /// The key of the loudspeakers. Source: RFC 9639, section 8.6.2.
  static let layoutKey = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

  /// Adds the comments to the metadata.
  ///
  /// - Returns: the indices of the dropped comments.
  @discardableResult
  func interpret(into reading: inout MetadataReading) -> Set<Int> {
    var incomplete: Set<Int> = []
    let (chapters, places) = chapters { reading.label($0) }
    reading.add(chapters)
    for (index, comment) in comments.enumerated()
    where !places.contains(index) && !interpret(comment, &reading) {
      incomplete.insert(index)
    }
    reading.leaveOut(.texts, furtherCount)
    return incomplete
  }

  /// - Returns: whether it was not dropped.
  private func interpret(_ comment: ArraySlice<UInt8>, _ reading: inout MetadataReading) -> Bool {
    guard let (key, value) = Self.parts(comment) else {
      // FLAC and Ogg files keep such a comment.
      if !comment.isEmpty { reading.leaveOut(.namelessTexts) }
      return true
    }
    switch key {
    case Self.pictureKey:
      guard let picture = Base64.decoded(value).flatMap({ Metadata.Picture(block: $0) }) else {
        return true
      }
      return reading.add(picture)
    case Self.layoutKey:
      if reading.metadata.channelLayout == nil {
        reading.metadata.channelLayout = Self.layout(value)
      }
      return true
    default:
      // libsndfile's comment about itself adds nothing to `vendor`.
      if key == "ENCODER", value.starts(with: "libsndfile".utf8) { return true }
      return reading.add(reading.name(key), value)
    }
  }

  private static func layout(_ value: ArraySlice<UInt8>) -> Metadata.ChannelLayout? {
    guard value.count <= 64 else { return nil }
    let text = String(decoding: value, as: UTF8.self)
    guard text.lowercased().hasPrefix("0x"), let mask = UInt32(text.dropFirst(2), radix: 16) else {
      return nil
    }
    return mask == 0 ? .discrete : .speakers(mask)
  }
}

/// The metadata in comments and blocks.
enum XiphMetadata {
  static func interpret(_ chunks: [Metadata.Chunk], into reading: inout MetadataReading) {
    for chunk in chunks where chunk.family == .flac || chunk.family == .ogg {
      reading.beginPiece(of: chunk.family)
      switch chunk.identifier {
      case VorbisComments.identifier: VorbisComments(chunk.content)?.interpret(into: &reading)
      case FlacBlocks.picture:
        if let picture = Metadata.Picture(block: chunk.content) { _ = reading.add(picture) }
      case FlacBlocks.cueSheet where reading.metadata.cueSheet == nil:
        reading.metadata.cueSheet = Metadata.CueSheet(block: chunk.content)
      default: break
      }
    }
  }
}
