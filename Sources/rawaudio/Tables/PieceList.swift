// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The pieces that a table names, source by source.
final class PieceList: Sendable {
  let items: [ListItem]
  /// The sources given as arguments.
  let sources: [String]
  /// The count of rows that name other sources than the arguments.
  let foreignRows: Int
  /// The sounds that are in no piece although all of their source should be.
  let notes: [String]

  /// - Parameter sources: paths. Empty = the table names them.
  /// - Throws: if a source has no row.
  init(_ table: PieceTable, of sources: [String]) throws(AudioError) {
    self.sources = sources
    var (rows, faults): ([Placed], [ListItem]) = ([], [])
    var foreign: [String] = []
    let names = SourceNames(sources)
    for (index, entry) in table.entries.enumerated() {
      switch entry {
      case .fault(let line, let text, let reason):
        faults.append(
          .malformed(table.failure(line: line, text: text, reason: reason), id: nil))
      case .row(let row):
        do throws(InvalidValue) {
          guard let source = try names.source(of: row) else {
            foreign.append(row.source ?? "")
            continue
          }
          rows.append(Placed(row: row, number: index + 1, source: source))
        } catch {
          faults.append(
            .malformed(
              table.failure(
                line: row.line, text: row.texts["label"] ?? "", reason: error.reason), id: row.id))
        }
      }
    }
    if rows.isEmpty, let name = foreign.first {
      throw AudioError(
        .invalidParameter, cannot: "find the pieces of", sources[0],
        because: "no row of '\(table.name)' names it; the first one names '\(name)'")
    }
    foreignRows = foreign.count
    items = faults + Self.items(rows, table)
    notes = table.coversSources ? Self.gapsInFront(rows) : []
  }

  private static func gapsInFront(_ rows: [Placed]) -> [String] {
    Dictionary(grouping: rows) { $0.source.place }.sorted { $0.key < $1.key }.compactMap {
      _, rows in
      let starts = rows.compactMap { if case .time(let time) = $0.row.start { time } else { nil } }
      guard let first = starts.min(), first > .zero else { return nil }
      let seconds = Double(first.components.seconds) + Double(first.components.attoseconds) / 1e18
      return
        "the first \(seconds.decimal(3)) s of '\(rows[0].source.path)' are in no piece: they lie in front of the first"
        + " INDEX 01; --end \(seconds.rounded(toDigits: 9)) writes them"
    }
  }

  init(_ items: [ListItem], of sources: [String]) {
    self.items = items
    self.sources = sources
    foreignRows = 0
    notes = []
  }

  private struct Placed {
    let row: TableRow
    let number: Int
    let source: (path: String, place: Int)
  }

  /// The rows as items, each source's rows behind one another.
  private static func items(_ rows: [Placed], _ table: PieceTable) -> [ListItem] {
    var groups: [Int: [Placed]] = [:]
    for row in rows { groups[row.source.place, default: []].append(row) }
    return groups.keys.sorted().flatMap { place in
      let group = groups[place] ?? []
      let starts =
        group.contains { $0.row.end == .nextStart } ? Starts(group.map(\.row.start)) : nil
      return group.map { placed in
        guard placed.row.end == .nextStart else { return item(placed, before: nil) }
        guard let starts else {
          return .malformed(
            table.failure(
              line: placed.row.line, text: placed.row.texts["start"] ?? "",
              reason: "it has no end, and the rows count in seconds and in samples"),
            id: placed.row.id)
        }
        return item(placed, before: starts.next(behind: placed.row.start))
      }
    }
  }

  private static func item(_ placed: Placed, before end: TimePosition?) -> ListItem {
    .file(ListedFile(placed.row, of: placed.source.path, number: placed.number, before: end))
  }
}

/// Two lists are equal only if they are one object.
extension PieceList: Hashable {
  static func == (one: PieceList, other: PieceList) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The starts of a source's pieces, in order.
private struct Starts {
  private let sorted: [TimePosition]

  /// - Returns: nil if only a sample rate would tell their order.
  init?(_ starts: [TimePosition]) {
    let isInSamples = starts.map { if case .samples = $0 { true } else { false } }
    guard isInSamples.allSatisfy({ $0 == isInSamples.first }) else { return nil }
    sorted = starts.sorted { $1.isKnown(behind: $0) ?? false }
  }

  /// The first start behind `start`. Nil if there is none.
  func next(behind start: TimePosition) -> TimePosition? {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].isKnown(behind: start) ?? false { high = middle } else { low = middle + 1 }
    }
    return low < sorted.count ? sorted[low] : nil
  }
}

/// The sources given as arguments, by the names that tables have for them: the path, the file's name, or that without
/// its extension.
private final class SourceNames {
  private let paths: [String]
  private var placesOfPaths: [String: Int] = [:]
  /// Nil for a name that several sources have.
  private var placesOfNames: [String: Int?] = [:]
  /// The places of sources that only the table names.
  private var ownPlaces: [String: Int] = [:]

  init(_ paths: [String]) {
    self.paths = paths
    for (place, path) in paths.enumerated() {
      placesOfPaths[path] = place
      for name in Set(Self.names(of: path)) {
        placesOfNames.updateValue(
          placesOfNames.keys.contains(name) ? nil : place, forKey: name)
      }
    }
  }

  /// - Returns: nil if the row names another source than the arguments.
  /// - Throws: if the row does not tell which source it belongs to.
  func source(of row: TableRow) throws(InvalidValue) -> (path: String, place: Int)? {
    guard let name = row.source else {
      if paths.count == 1 { return (paths[0], 0) }
      throw InvalidValue(
        paths.isEmpty
          ? "it names no source, and the command line neither"
          : "it names none of the \(paths.count) sources")
    }
    if paths.isEmpty {
      let place = ownPlaces[name] ?? ownPlaces.count
      ownPlaces[name] = place
      return (name, place)
    }
    if let place = placesOfPaths[name] { return (paths[place], place) }
    for key in [name] + Self.names(of: name) {
      guard let place = placesOfNames[key] else { continue }
      guard let place else { throw InvalidValue("'\(name)' may be one of several sources") }
      return (paths[place], place)
    }
    return nil
  }

  /// The name of a file, and its name without extension.
  private static func names(of path: String) -> [String] {
    let path = Pathname(path)
    return [Pathname(bytes: path.name).text, Pathname(bytes: path.stem).text]
  }
}
