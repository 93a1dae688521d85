// SPDX-License-Identifier: Apache-2.0
/// A container's form of metadata; docs/metadata.md has a row for each.
///
/// A field outside ``places`` is lost and reported. Unknown pieces of metadata stay in files of their family, and are
/// lost in others.
struct MetadataShape: Sendable {
  /// The pieces of metadata, and the omitted ones.
  typealias Pieces = (chunks: [Metadata.Chunk], omissions: [Metadata.Omission])

  let name: String
  /// The place of each field in a file. A missing field cannot be stored.
  let places: KeyValuePairs<Metadata.Field, String>
  /// The family of the pieces, depending on the byte order.
  let family: @Sendable (ByteOrder?) -> Metadata.Family
  /// Whether tags of other kinds may surround the container.
  var isFramed = false
  /// Whether a zero byte ends a text or begins another one.
  var endsTextsWithZero = true
  /// The layout that a file of more than two channels states without metadata; nil if it is implied or cannot be
  /// stated.
  var ownLayout: @Sendable (_ channelCount: Int) -> Metadata.ChannelLayout? = { _ in nil }
  /// Whether the codec has its own channel order, which overrides the metadata's layout.
  var isOrderedByCodec = false
  /// Whether marks are chapters, which have a beginning and a title.
  var marksAreChapters = false
  /// Reads the pieces around the samples of a container that begins at `start`.
  let collect:
    @Sendable (any ByteSource, _ start: Int64, _ samples: Range<Int64>) throws(AudioError) -> Pieces
  /// Adds the pieces to a file before it is written.
  let compose: @Sendable (inout WrittenMetadata, MetadataRequest) -> Void

  static let all: [MetadataShape] = [.aiff, .caf, .riff, .flac, .ogg, .mpeg]
}

/// A request to store metadata in a new file.
struct MetadataRequest {
  let metadata: Metadata
  let file: FileFormat
  let format: StreamFormat
  /// Whether the file can be changed later. Otherwise, all metadata precedes the samples.
  let isPatchable: Bool
  /// Whether the file is a part of a split stream.
  let isPart: Bool
  /// Whether the packets of the source are copied, so that texts about its encoder stay true.
  let isCopy: Bool
}

extension Container {
  /// Whether a file of this container can store `field`; docs/metadata.md has the table.
  public func hasPlace(for field: Metadata.Field) -> Bool { row.metadata?.place(of: field) != nil }
}

extension Container {
  /// Whether marks are chapters in a file of this container.
  package var marksAreChapters: Bool { row.metadata?.marksAreChapters ?? false }
}

extension MetadataShape {
  func place(of field: Metadata.Field) -> String? { places.first { $0.key == field }?.value }

  /// The rows of the table in docs/metadata.md: a container, then its fields.
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
