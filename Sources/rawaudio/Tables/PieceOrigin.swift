// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The origin of the pieces of sources.
enum PieceOrigin: Sendable, Hashable {
  /// The path of a table.
  case table(String)
  /// All marks or chapters of each source. The sound in front of the first one is a piece, too.
  case marks
  /// A mark or chapter of each source, by its label or its number from 1.
  case mark(String)

  var namesSources: Bool { if case .table = self { true } else { false } }

  /// Whether each source has one piece.
  var isOnePiece: Bool { if case .mark = self { true } else { false } }
}

extension PieceList {
  /// Reads the marks of files. A file without the wanted mark is a failed item.
  ///
  /// - Parameter label: the only wanted mark. Nil = all.
  convenience init(
    marksOf sources: [String], labelled label: String?, _ decoder: FileDecoder?
  ) {
    var items: [ListItem] = []
    for source in sources {
      do throws(AudioError) {
        let information = try FileInformation(path: source, decoder: decoder ?? .automatic)
        let rows = Self.rows(Mark.all(in: information))
        let wanted = try label.map { (label) throws(AudioError) in
          [try Self.row(label, among: rows, of: source)]
        }
        guard !rows.isEmpty else {
          throw AudioError(
            .unavailable, cannot: "cut at its marks", source,
            because: "it has neither marks nor chapters")
        }
        for row in wanted ?? rows {
          items.append(.file(ListedFile(row, of: source, number: items.count + 1, before: nil)))
        }
      } catch {
        items.append(.malformed(error, source: source))
      }
    }
    self.init(items, of: sources)
  }

  /// The pieces between marks.
  private static func rows(_ marks: [Mark]) -> [TableRow] {
    var starts = marks.sorted { $0.place < $1.place }
    for index in starts.indices { starts[index].number(index + 1) }
    if let first = starts.first, first.place > 0 { starts.insert(Mark(place: 0), at: 0) }
    return starts.indices.compactMap { index in
      let start = starts[index]
      let next = index + 1 < starts.count ? starts[index + 1].place : nil
      // Marks at one place have one piece, under the last label.
      guard next != start.place else { return nil }
      var row = TableRow(line: 0, start: .samples(start.place))
      if let next { row.end = .at(.samples(next)) }
      row.texts = ["label": start.label]
      row.tags = start.tags
      return row
    }
  }

  private static func row(
    _ label: String, among rows: [TableRow], of source: String
  ) throws(AudioError) -> TableRow {
    let labels = rows.map { $0.texts["label"] ?? "" }
    let place =
      labels.firstIndex(of: label)
      ?? labels.firstIndex { $0.lowercased() == label.lowercased() }
      ?? Int(label).flatMap { rows.indices.contains($0 - 1) ? $0 - 1 : nil }
    if let place { return rows[place] }
    let known = labels.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
    throw AudioError(
      .unavailable, cannot: "find the mark '\(label)' in", source,
      because: rows.isEmpty
        ? "it has neither marks nor chapters"
        : "its marks are \(known)\(labels.count > 5 ? " and \(labels.count - 5) more" : "")")
  }
}

/// A place at which a piece begins.
private struct Mark {
  /// In samples per channel.
  var place: Int64
  var label = ""
  var tags: [TagEdit] = []

  mutating func number(_ number: Int) {
    tags.append(TagEdit(key: "TRACKNUMBER", value: "\(number)"))
  }

  /// The marks or chapters of a file, or else the tracks of its cue sheet.
  static func all(in information: FileInformation) -> [Mark] {
    let metadata = information.metadata
    // A piece of a book has the title of a chapter.
    let book = metadata.tags["ALBUM"].isEmpty ? metadata.tags["TITLE"].first : nil
    let album = book.map { [TagEdit(key: "ALBUM", value: $0)] } ?? []
    let marks = information.marks.places.map { marker in
      let title = TagEdit(key: "TITLE", value: marker.label)
      return Mark(
        place: marker.position, label: marker.label,
        tags: marker.label.isEmpty ? [] : album + [title])
    }
    guard marks.isEmpty, let sheet = metadata.cueSheet else { return marks }
    // The last one is the lead-out.
    return sheet.tracks.dropLast().filter(\.isAudio).map { track in
      let offset = track.indices.first { $0.number == 1 }?.offset ?? 0
      return Mark(
        place: track.position + offset, label: "Track \(track.number.padded(to: 2))",
        tags: album + (track.isrc.isEmpty ? [] : [TagEdit(key: "ISRC", value: track.isrc)]))
    }
  }
}
