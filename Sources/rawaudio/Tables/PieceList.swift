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

  /// - Parameters:
  ///   - sources: paths. Empty = the table names them.
  ///   - keys: the keys that the outputs' names need.
  /// - Throws: if a source has no row, or no row has a key.
  init(
    _ table: PieceTable, of sources: [String], needing keys: [String]
  ) throws(AudioError) {
    for key in keys where !table.keys.contains(key) {
      throw AudioError(
        .invalidParameter, cannot: "name the pieces of", table.name,
        because: "it has no column '\(key)'",
        advice: "its columns are \(table.keys.joined(separator: ", "))")
    }
    let items = TableItems(table, of: sources)
    if !items.hasPieces, let name = items.foreign.first {
      throw AudioError(
        .invalidParameter, cannot: "find the pieces of", sources[0],
        because: "no row of '\(table.name)' names it; the first one names '\(name)'")
    }
    self.items = .table(items)
    self.sources = sources
    foreignRows = items.foreign.count
  }

  init(_ items: [ListItem], of sources: [String]) {
    self.items = .made(items)
    self.sources = sources
    foreignRows = 0
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
