// SPDX-License-Identifier: Apache-2.0
/// Where containers have a place for what files carry beside their samples; docs/metadata.md is this table.
///
/// What a container has no place for is lost, and named. Its own pieces that nobody here understands stay in files of
/// its family, and are lost in others.
enum MetadataTable {
  /// A column: containers with the same places.
  struct Column: Sendable {
    let name: String
    let containers: [Container]
    /// How a file of these says each field; nil = it cannot.
    let places: [Metadata.Field: String]
  }

  static let columns: [Column] = [
    Column(
      name: "AIFF", containers: [.aiff],
      places: [
        .texts: "`NAME`, `AUTH`, `(c) `, `ANNO`; others in `ID3 `", .marks: "`MARK`",
        .sampler: "`INST`, without new loops", .pictures: "`APIC` in `ID3 `",
        .layout: "`CHAN`; not B-format",
      ]),
    Column(
      name: "CAF", containers: [.caf],
      places: [.texts: "`info`", .marks: "`mark`, `strg`", .layout: "`chan`; not B-format"]),
    Column(
      name: "WAV, RF64", containers: [.wav, .wavex, .rf64],
      places: [
        .texts: "`LIST` of type `INFO`; others in `id3 `", .origin: "`bext`",
        .marks: "`cue `, `LIST` of type `adtl`", .sampler: "`smpl`, `inst`",
        .pictures: "`APIC` in `id3 `", .layout: "`fmt `",
      ]),
    Column(
      name: "FLAC", containers: [.flac],
      places: [
        .texts: "`VORBIS_COMMENT`", .pictures: "`PICTURE`", .tracks: "`CUESHEET`",
        .layout: "`WAVEFORMATEXTENSIBLE_CHANNEL_MASK`; not B-format",
      ]),
    Column(
      name: "Ogg, Opus", containers: [.ogg, .opus],
      places: [.texts: "comments", .pictures: "`METADATA_BLOCK_PICTURE`"]),
    Column(
      name: "MP3", containers: [.mp3],
      places: [.texts: "frames of ID3v2.4", .pictures: "`APIC`"]),
  ]

  static func place(of field: Metadata.Field, in container: Container) -> String? {
    columns.first { $0.containers.contains(container) }?.places[field]
  }
}

extension Container {
  /// Whether a file of this container can say something beside its samples; docs/metadata.md has the table.
  public func hasPlace(for field: Metadata.Field) -> Bool {
    MetadataTable.place(of: field, in: self) != nil
  }
}

extension MetadataTable {
  /// The rows of the table as docs/metadata.md has them: a container in each, then its fields.
  static var rows: [String] {
    columns.map { column in
      let cells = Metadata.Field.allCases.map { field in
        if let place = column.places[field] { return place }
        return field == .origin && column.places[.texts] != nil ? "as texts" : "–"
      }
      return "| " + ([column.name] + cells).joined(separator: " | ") + " |"
    }
  }
}
