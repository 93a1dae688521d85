// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The pieces that a table or the marks of files name, source by source.
final class PieceList: Sendable {
  private enum Items: Sendable {
    case made([ListItem])
    case table(TableItems)
  }

  private let items: Items
  /// The sources given as arguments.
  let sources: [String]
  /// The count of rows that name other sources than the arguments.
  let foreignRows: Int
  /// The sounds that are in no piece although all of their source should be.
  let notes: [String]

  /// - Parameter sources: paths. Empty = the table names them.
  /// - Throws: if a source has no row.
  init(_ table: PieceTable, of sources: [String]) throws(AudioError) {
    let items = TableItems(table, of: sources)
    if !items.hasPieces, let name = items.foreign.first {
      throw AudioError(
        .invalidParameter, cannot: "find the pieces of", sources[0],
        because: "no row of '\(table.name)' names it; the first one names '\(name)'")
    }
    self.items = .table(items)
    self.sources = sources
    foreignRows = items.foreign.count
    notes = (table.note.map { [$0] } ?? []) + (table.coversSources ? Self.gapsInFront(items) : [])
  }

  private static func gapsInFront(_ items: TableItems) -> [String] {
    var firsts: [(source: String, start: Duration)] = []
    for place in 0..<items.count {
      guard case .file(let file) = items[place], case .time(let start)? = file.offset else {
        continue
      }
      if let last = firsts.last, last.source == file.source {
        firsts[firsts.count - 1].start = min(last.start, start)
      } else {
        firsts.append((file.source, start))
      }
    }
    return firsts.filter { $0.start > .zero }.map { source, start in
      let (whole, rest) = start.components
      let seconds = Double(whole) + Double(rest) / 1e18
      return
        "the first \(seconds.decimal(3)) s of '\(source)' are in no piece: they lie in front of the first"
        + " INDEX 01; --end \(seconds.rounded(toDigits: 9)) writes them"
    }
  }

  init(_ items: [ListItem], of sources: [String]) {
    self.items = .made(items)
    self.sources = sources
    foreignRows = 0
    notes = []
  }

  var count: Int {
    switch items {
    case .made(let items): items.count
    case .table(let items): items.count
    }
  }

  subscript(place: Int) -> ListItem {
    switch items {
    case .made(let items): items[place]
    case .table(let items): items[place]
    }
  }

  /// The item with a ``ListedFile/number``.
  func item(numbered number: Int) -> ListItem {
    switch items {
    case .made(let items): items[number - 1]
    case .table(let items): items.item(ofRow: number - 1)
    }
  }
}

/// Two lists are equal only if they are one object.
extension PieceList: Hashable {
  static func == (one: PieceList, other: PieceList) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The rows of a table as items: the wrong ones, then those of each source. Each is made when it is asked for.
private struct TableItems: Sendable {
  private let table: PieceTable
  private let names: SourceNames
  /// The rows in the order of the items.
  private let order: [UInt32]
  /// The starts of all rows, if one of them ends with the next one.
  private let starts: PieceStarts?
  /// The rows that name other sources than the arguments, and the source that the first one names.
  private(set) var foreign: (count: Int, first: String?) = (0, nil)
  /// Whether a row names a source.
  let hasPieces: Bool

  /// - Parameter sources: paths. Empty = the table names them.
  init(_ table: PieceTable, of sources: [String]) {
    var names = SourceNames(sources)
    var wrong: [UInt32] = []
    /// The place of the source in the upper half, and the row.
    var placed: [UInt64] = []
    var isOpen = false
    for (index, entry) in table.entries.enumerated() {
      guard case .row(let row) = entry else {
        wrong.append(UInt32(index))
        continue
      }
      names.add(row)
      do throws(InvalidValue) {
        if let source = try names.source(of: row) {
          placed.append(UInt64(source.place) << 32 | UInt64(index))
          if row.end == .nextStart { isOpen = true }
        } else {
          foreign = (foreign.count + 1, foreign.first ?? row.source)
        }
      } catch {
        wrong.append(UInt32(index))
      }
    }
    placed.sort()
    hasPieces = !placed.isEmpty
    starts = isOpen ? PieceStarts(placed, of: table) : nil
    order = wrong + placed.lazy.map { UInt32(truncatingIfNeeded: $0) }
    (self.table, self.names) = (table, names)
  }

  var count: Int { order.count }

  subscript(place: Int) -> ListItem { item(ofRow: Int(order[place])) }

  /// - Parameter index: of the row in the table, from 0.
  func item(ofRow index: Int) -> ListItem {
    switch table.entries[index] {
    case .fault(let line, let text, let reason):
      return .malformed(table.failure(line: line, text: text, reason: reason))
    case .row(let row):
      func failure(_ cell: String, _ reason: String) -> ListItem {
        .malformed(
          table.failure(line: row.line, text: row.texts[cell] ?? "", reason: reason), id: row.id)
      }
      do throws(InvalidValue) {
        guard let source = try names.source(of: row) else {
          return failure("label", "it names another source")
        }
        var end: TimePosition?
        if row.end == .nextStart, let starts {
          guard starts.areComparable(ofSource: source.place) else {
            return failure(
              "start", "it has no end, and the rows count in seconds and in samples")
          }
          end = starts.next(behind: row.start, ofSource: source.place)
        }
        return .file(ListedFile(row, of: source.path, number: index + 1, before: end))
      } catch {
        return failure("label", error.reason)
      }
    }
  }
}

/// The starts of the pieces of each source, in order.
private struct PieceStarts: Sendable {
  /// In samples or in 10^-18 s.
  private var starts: [Int128] = []
  /// The first start of each source, and of one behind the last.
  private var begins: [UInt32] = []
  /// The sources whose starts only a sample rate would put in order.
  private var mixed: Set<Int> = []
  private var inSamples: Set<Int> = []

  /// - Parameter placed: the place of the source in the upper half, and the row; in order.
  init(_ placed: [UInt64], of table: PieceTable) {
    starts.reserveCapacity(placed.count)
    for entry in placed {
      let source = Int(entry >> 32)
      let isFirst = begins.count == source
      if isFirst { begins.append(UInt32(starts.count)) }
      guard case .row(let row) = table.entries[Int(entry & 0xFFFF_FFFF)] else { continue }
      let isInSamples = if case .samples = row.start { true } else { false }
      if isFirst, isInSamples { inSamples.insert(source) }
      if inSamples.contains(source) != isInSamples { mixed.insert(source) }
      starts.append(Self.value(row.start))
    }
    begins.append(UInt32(starts.count))
    for (begin, end) in zip(begins, begins.dropFirst()) {
      starts[Int(begin)..<Int(end)].sort()
    }
  }

  private static func value(_ position: TimePosition) -> Int128 {
    switch position {
    case .samples(let count): return Int128(count)
    case .time(let time):
      let (seconds, rest) = time.components
      return Int128(seconds) * 1_000_000_000_000_000_000 + Int128(rest)
    }
  }

  func areComparable(ofSource source: Int) -> Bool { !mixed.contains(source) }

  /// The first start behind `start`. Nil if there is none.
  func next(behind start: TimePosition, ofSource source: Int) -> TimePosition? {
    let value = Self.value(start)
    var low = Int(begins[source])
    let end = Int(begins[source + 1])
    var high = end
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] > value { high = middle } else { low = middle + 1 }
    }
    guard low < end else { return nil }
    if inSamples.contains(source) { return .samples(Int64(clamping: starts[low])) }
    let (seconds, rest) = starts[low].quotientAndRemainder(
      dividingBy: 1_000_000_000_000_000_000)
    return .time(
      Duration(
        secondsComponent: Int64(clamping: seconds), attosecondsComponent: Int64(clamping: rest)))
  }
}

/// The sources given as arguments, by the names that tables have for them: the path, the file's name, or that without
/// its extension.
private struct SourceNames: Sendable {
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

  /// Notes the source that a row names, if the command line names none.
  mutating func add(_ row: TableRow) {
    guard paths.isEmpty, let name = row.source, ownPlaces[name] == nil else { return }
    ownPlaces[name] = ownPlaces.count
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
    if let place = ownPlaces[name] { return (ListedFile.file(named: name), place) }
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
