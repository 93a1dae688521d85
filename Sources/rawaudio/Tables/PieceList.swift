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
