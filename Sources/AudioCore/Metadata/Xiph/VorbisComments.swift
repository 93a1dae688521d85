// SPDX-License-Identifier: Apache-2.0
/// Texts with names, and who encoded the samples: the comments of FLAC, Vorbis, Opus and Speex.
///
/// Sources: the Vorbis I specification, section 5; RFC 9639, section 8.6; RFC 7845, section 5.2.
struct VorbisComments: Equatable {
  static let identifier = "VORBIS_COMMENT"

  /// The encoder, which is no text of the sound's.
  var vendor: [UInt8] = []
  /// Each with its name, `=` and its text.
  var comments: [[UInt8]] = []
  /// What stands behind them, of which Opus says that it may be anything.
  var rest: [UInt8] = []

  init() {}

  /// - Returns: nil where the bytes are no comments, or not all of them.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let vendor = Self.text(&reader), let count = reader.integer(4, .little),
      count <= reader.remaining / 4, count <= Metadata.mostChunks
    else { return nil }
    self.vendor = vendor
    for _ in 0..<count {
      guard let comment = Self.text(&reader) else { return nil }
      comments.append(comment)
    }
    rest = reader.rest()
  }

  private static func text(_ reader: inout ByteReader) -> [UInt8]? {
    guard let size = reader.integer(4, .little) else { return nil }
    return reader.bytes(Int(size))
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(vendor.count, 4, .little)
    bytes += vendor
    bytes.append(comments.count, 4, .little)
    for comment in comments {
      bytes.append(comment.count, 4, .little)
      bytes += comment
    }
    return bytes + rest
  }

  /// The name, in upper case, and the text of a comment.
  ///
  /// - Returns: nil where it has no name that a tag can have.
  static func parts(_ comment: [UInt8]) -> (key: String, value: ArraySlice<UInt8>)? {
    guard let end = comment.firstIndex(of: UInt8(ascii: "=")),
      let key = Metadata.Tags.key(String(decoding: comment[..<end], as: UTF8.self))
    else { return nil }
    return (key, comment[(end + 1)...])
  }
}

extension VorbisComments {
  /// The key of a picture block in a comment. Source: wiki.xiph.org, VorbisComment, "METADATA_BLOCK_PICTURE".
  static let pictureKey = "METADATA_BLOCK_PICTURE"
  /// The key of the loudspeakers. Source: RFC 9639, section 8.6.2.
  static let layoutKey = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

  /// Adds what they say.
  func interpret(into metadata: inout Metadata) {
    var tags = Metadata.Tags()
    for comment in comments {
      guard let (key, value) = Self.parts(comment) else { continue }
      switch key {
      case Self.pictureKey:
        if let picture = Base64.decoded(value).flatMap({ Metadata.Picture(block: $0) }) {
          metadata.pictures.append(picture)
        }
      case Self.layoutKey:
        if metadata.channelLayout == nil { metadata.channelLayout = Self.layout(value) }
      default:
        // The library that wrote the file says no more of the sound than `vendor`.
        if key == "ENCODER", value.starts(with: "libsndfile".utf8) { continue }
        tags.append(key, StoredText.decoded(value))
      }
    }
    metadata.tags.fill(from: tags)
  }

  private static func layout(_ value: ArraySlice<UInt8>) -> Metadata.ChannelLayout? {
    let text = String(decoding: value, as: UTF8.self)
    guard text.lowercased().hasPrefix("0x"), let mask = UInt32(text.dropFirst(2), radix: 16) else {
      return nil
    }
    return mask == 0 ? .discrete : .speakers(mask)
  }
}

/// What comments and blocks say.
enum XiphMetadata {
  /// Adds what the pieces of FLAC and Ogg say.
  static func interpret(_ chunks: [Metadata.Chunk], into metadata: inout Metadata) {
    for chunk in chunks where chunk.family == .flac || chunk.family == .ogg {
      switch chunk.identifier {
      case VorbisComments.identifier:
        VorbisComments(chunk.content)?.interpret(into: &metadata)
      case FlacBlocks.picture:
        if let picture = Metadata.Picture(block: chunk.content) {
          metadata.pictures.append(picture)
        }
      case FlacBlocks.cueSheet where metadata.cueSheet == nil:
        metadata.cueSheet = Metadata.CueSheet(block: chunk.content)
      default: break
      }
    }
  }
}
