// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Cells behind commas, semicolons or tabs, and a head that names the columns: CSV (RFC 4180), TSV, the selection
/// tables of Raven, and the results of BirdNET.
enum DelimitedTable: TableFormat {
  static let example = "1.5,3.25,dog"

  static func recognises(_ beginning: [String]) -> Bool { true }

  static func read(_ text: TableText, into content: inout TableContent) throws(InvalidValue) {
    var reader = CellReader(text.lines)
    guard let names = try reader.nextHead() else { return }
    let head = try TableColumn.Head(names)
    let (view, selection) = (
      head.keys.firstIndex(of: "view"), head.keys.firstIndex(of: "selection")
    )
    var last: (selection: String, view: String)?
    while let (line, cells) = try reader.next() {
      if let view, let selection, max(view, selection) < cells.count {
        // Raven writes a selection once for each view of it.
        let this = (selection: cells[selection], view: cells[view])
        if let last, last.selection == this.selection, last.view != this.view { continue }
        last = this
      }
      content.add(line: line, text.lines[line - 1]) { () throws(InvalidValue) in
        guard cells.count <= names.count || cells[names.count...].allSatisfy(\.isEmpty) else {
          throw InvalidValue("it has \(cells.count) cells, and the head \(names.count)")
        }
        return try head.row(cells)
      }
    }
  }
}

/// Splits lines into cells. A quoted cell may hold the delimiter, line breaks, and quotes written twice.
private struct CellReader {
  private let lines: TableLines
  private var place = 0
  private var delimiter: Character = ","

  init(_ lines: TableLines) { self.lines = lines }

  /// The lines that a quoted cell may span. More are a quote that was never closed.
  private static let mostLines = 1_000
  /// The cells that a row may have, even if they are empty.
  private static let mostCells = 4_096

  /// Chooses the delimiter by the first line, and returns its cells. Nil if there is none.
  mutating func nextHead() throws(InvalidValue) -> [String]? {
    while place < lines.count, lines[place].allSatisfy(\.isWhitespace) { place += 1 }
    guard place < lines.count else { return nil }
    let counts = ["\t", ";", ","].map { (delimiter: Character) in
      (delimiter, lines[place].count { $0 == delimiter })
    }
    delimiter = counts[0].1 > 0 ? "\t" : counts[1].1 > counts[2].1 ? ";" : ","
    guard var (_, head) = try self.next() else { return nil }
    if let first = head.first, first.hasPrefix("#") {
      head[0] = String(first.dropFirst()).trimmed
    }
    return head
  }

  /// The cells of the next row that is not empty, without spaces around them, and its line from 1. Nil at the end.
  mutating func next() throws(InvalidValue) -> (line: Int, cells: [String])? {
    while place < lines.count, lines[place].allSatisfy(\.isWhitespace) { place += 1 }
    guard place < lines.count else { return nil }
    let first = place
    var cells: [String] = []
    var cell = ""
    var (isQuoted, wasQuoted) = (false, false)
    func end(_ cells: inout [String]) throws(InvalidValue) {
      guard cells.count < Self.mostCells else {
        throw InvalidValue("line \(first + 1) has more than \(Self.mostCells) cells")
      }
      cells.append(wasQuoted ? cell : cell.trimmed)
      cell = ""
      wasQuoted = false
    }
    while true {
      var rest = Substring(lines[place])
      place += 1
      while let character = rest.popFirst() {
        switch character {
        case "\"" where isQuoted && rest.first == "\"":
          cell.append("\"")
          rest.removeFirst()
        case "\"" where isQuoted: isQuoted = false
        case "\"" where !wasQuoted && cell.allSatisfy(\.isWhitespace):
          cell = ""
          isQuoted = true
          wasQuoted = true
        case delimiter where !isQuoted: try end(&cells)
        // Spaces between a closing quote and the delimiter.
        case _ where wasQuoted && !isQuoted && character.isWhitespace: break
        default: cell.append(character)
        }
      }
      guard isQuoted else { break }
      guard place < lines.count, place - first < Self.mostLines else {
        throw InvalidValue("the quote that begins in line \(first + 1) does not end")
      }
      cell.append("\n")
    }
    try end(&cells)
    return (first + 1, cells)
  }
}
