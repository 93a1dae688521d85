// SPDX-License-Identifier: Apache-2.0
/// How some containers carry what files have beside their samples; docs/metadata.md has a row of each.
///
/// A field that is not in ``places`` is lost, and named. Pieces of its own that are not understood here stay in files of
/// its family, and are lost in others.
struct MetadataShape: Sendable {
  /// Pieces, and those that were not taken in.
  typealias Pieces = (chunks: [Metadata.Chunk], omissions: [Metadata.Omission])

  let name: String
  /// How a file says each field; nil = it cannot.
  let places: KeyValuePairs<Metadata.Field, String>
  /// The family of the pieces, by the order of bytes.
  let family: @Sendable (ByteOrder?) -> Metadata.Family
  /// Whether tags of other kinds may stand around it.
  var isFramed = false
  /// Whether a zero byte ends a text, or begins another one.
  var endsTextsWithZero = true
  /// The layout that a file of more than two channels states by itself; nil where it goes without saying, or cannot be
  /// said.
  var ownLayout: @Sendable (_ channelCount: Int) -> Metadata.ChannelLayout? = { _ in nil }
  /// Whether the codec says where channels belong, whatever a piece says, and has an order of its own.
  var isOrderedByCodec = false
  /// Reads the pieces of a container that begins somewhere, around its samples.
  let collect:
    @Sendable (any ByteSource, _ start: Int64, _ samples: Range<Int64>) throws(AudioError) -> Pieces
  /// Adds the pieces to a file that is to be written.
  let compose: @Sendable (inout WrittenMetadata, MetadataRequest) -> Void

  /// All, in the order of the table.
  static let all: [MetadataShape] = [.aiff, .caf, .riff, .flac, .ogg, .mpeg]
}

/// The metadata for a file that is to be written.
struct MetadataRequest {
  let metadata: Metadata
  let file: FileFormat
  let format: StreamFormat
  /// Whether the file can be changed afterwards; else everything has to stand in front.
  let isPatchable: Bool
  /// Whether the file is one of several into which a stream is split.
  let isPart: Bool
}

extension Container {
  /// Whether a file of this container can say something beside its samples; docs/metadata.md has the table.
  public func hasPlace(for field: Metadata.Field) -> Bool { row.metadata?.place(of: field) != nil }
}

extension MetadataShape {
  func place(of field: Metadata.Field) -> String? { places.first { $0.key == field }?.value }

  /// The rows of the table as docs/metadata.md has them: a container in each, then its fields.
  static var rows: [String] {
    all.map { shape in
      let cells = Metadata.Field.allCases.map { field in
        if let place = shape.place(of: field) { return place }
        return field == .origin && shape.place(of: .texts) != nil ? "as texts" : "–"
      }
      return "| " + ([shape.name] + cells).joined(separator: " | ") + " |"
    }
  }
}
