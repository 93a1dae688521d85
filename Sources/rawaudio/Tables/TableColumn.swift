// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The meaning of a column of a table with a head, or of a member of an object.
enum TableColumn: Hashable {
  case start, end, duration, source, id, label, output
  /// The start in the source, where `start` counts through all sources of the table, as Raven writes it.
  case sourceStart

  /// The names by which programs call each, as keys without their unit. For a label, the first name that a table has
  /// is taken. Every other meaning may be named once.
  private static let names: [(column: TableColumn, names: [String])] = [
    (
      .start,
      [
        "start", "begin", "onset", "start_time", "begin_time", "time_start", "from", "offset",
        "tmin",
      ]
    ),
    (.end, ["end", "stop", "end_time", "stop_time", "time_end", "to", "tmax"]),
    (.duration, ["duration", "dur", "length", "delta_time"]),
    (
      .source,
      [
        "source", "audio_filepath", "file", "filename", "file_name", "file_path", "filepath",
        "path", "audio", "audio_file", "wav", "recording", "begin_path", "in_file", "soundfile",
      ]
    ),
    (
      .id,
      ["id", "utt_id", "utt", "utterance", "utterance_id", "segment_id", "selection"]
    ),
    (
      .label,
      [
        "label", "common_name", "species", "event_label", "class", "annotation", "tag", "title",
        "text", "name", "speaker", "word",
      ]
    ),
    (.output, ["output"]),
    (.sourceStart, ["file_offset"]),
  ]

  /// The units that names end with, and the text that turns a number into a time of that unit.
  private static let units: [(endings: [String], suffix: String)] = [
    (["_s", "_sec", "_secs", "_second", "_seconds"], ""), (["_ms", "_milliseconds"], "ms"),
    (["_samples", "_sample"], "S"),
  ]

  /// The columns of one head.
  struct Head {
    /// The key of each column.
    let keys: [String]
    private var places: [TableColumn: (place: Int, suffix: String)] = [:]

    /// - Throws: if there is no start, or two columns have one meaning.
    init(_ names: [String]) throws(InvalidValue) {
      keys = names.map(TableRow.key)
      // Tables of sound events call the end "offset", beside "onset".
      let hasOnset = keys.contains { TableColumn.unit(of: $0).name == "onset" }
      for (column, known) in TableColumn.names {
        for name in known {
          for (place, key) in keys.enumerated() {
            let (plain, suffix) = TableColumn.unit(of: key)
            guard plain == name || key == name else { continue }
            let meaning = hasOnset && name == "offset" ? .end : column
            if let other = places[meaning] {
              // `--labels` writes both `source` and `file`, which is the part's.
              let isNamedSource = meaning == .source && keys[other.place] == "source"
              if meaning == .label || isNamedSource { continue }
              throw InvalidValue(
                "its columns '\(names[other.place])' and '\(names[place])' mean the same; rename one"
              )
            }
            places[meaning] = (place, suffix)
          }
        }
      }
      guard places[.start] != nil || places[.sourceStart] != nil else {
        throw InvalidValue(
          "no column says where a piece starts; the first line names the columns, for example"
            + " start,end,label")
      }
      if places[.end] != nil, places[.duration] != nil {
        // Both are common; the end is taken.
        places[.duration] = nil
      }
    }

    /// - Parameter cells: the texts of a row. Missing ones count as empty.
    func row(_ cells: [String]) throws(InvalidValue) -> TableRow {
      func text(_ column: TableColumn) -> String? {
        guard let place = places[column]?.place, place < cells.count else { return nil }
        let text = cells[place]
        return text.isEmpty ? nil : text
      }
      func time(_ column: TableColumn) throws(InvalidValue) -> TimePosition? {
        guard let text = text(column) else { return nil }
        return try TimePosition.ofCell(text + (places[column]?.suffix ?? ""))
      }
      let source = text(.source)
      let stated = try time(.start)
      let own = source == nil ? nil : try time(.sourceStart)
      guard let start = own ?? stated else { throw InvalidValue("it has no start") }
      var row = TableRow(line: 0, source: source, start: start)
      if let end = try time(.end) {
        row.end = .at(end)
        if let own, let stated { row.end = try .after(Self.length(from: stated, to: end, own)) }
      } else if let duration = try time(.duration) {
        row.end = .after(duration)
      }
      (row.id, row.output) = (text(.id), text(.output))
      for (key, cell) in zip(keys, cells) { row.texts[key] = cell }
      row.texts["start"] = text(own == nil ? .start : .sourceStart)
      if let text = text(.end), own == nil { row.texts["end"] = text }
      if places[.label] != nil { row.texts["label"] = text(.label) ?? "" }
      return row
    }

    /// - Parameter own: the start in the source, for an error.
    private static func length(
      from start: TimePosition, to end: TimePosition, _ own: TimePosition
    ) throws(InvalidValue) -> TimePosition {
      guard case (.time(let first), .time(let last)) = (start, end), last > first else {
        throw InvalidValue("its end is not behind its start")
      }
      return .time(last - first)
    }
  }

  /// - Returns: a key without its unit, and the text that a number of that unit ends with.
  private static func unit(of key: String) -> (name: String, suffix: String) {
    for (endings, suffix) in units {
      for ending in endings where key.hasSuffix(ending) {
        return (String(key.dropLast(ending.count)), suffix)
      }
    }
    return (key, "")
  }
}
