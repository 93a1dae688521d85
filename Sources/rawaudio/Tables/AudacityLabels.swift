// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Rows without a head: a start, an end, and a text, as in a label track of Audacity; or only a start and a text, as in a
/// list of chapters (`0:03:20 The end`). Tabs stand between them, or blanks. The times of hours or minutes may also
/// have commas or semicolons between them. A line behind a label of Audacity may state its frequencies.
///
/// A label at a point lasts to the next one.
///
/// Source: https://manual.audacityteam.org/man/importing_and_exporting_labels.html
enum AudacityLabels: TableFormat {
  static let example = "1.500000\t3.250000\tdog"

  static func recognises(_ beginning: [String]) -> Bool {
    guard let first = beginning.first, let cells = cells(of: first), cells.count >= 2 else {
      return false
    }
    return isClock(cells[0]) || isSeconds(cells[0][...]) && isSeconds(cells[1][...])
  }

  /// Whether a text is a number, with a point or a comma.
  static func isSeconds(_ text: Substring) -> Bool {
    Double(decimal: String(text.map { $0 == "," ? "." : $0 })) != nil
  }

  /// Whether a text is a time with minutes: `1:30.5`.
  private static func isClock(_ text: String) -> Bool {
    text.first?.isNumber == true && text.utf8.contains(UInt8(ascii: ":"))
      && (try? TimePosition.ofCell(text)) != nil
  }

  /// The start, the end if there is one, and the rest of a line. Nil if it begins with no time.
  private static func cells(of line: String) -> [String]? {
    func cells(_ separator: (Character) -> Bool, omitting: Bool) -> [String] {
      let all = line.split(
        maxSplits: 2, omittingEmptySubsequences: omitting, whereSeparator: separator
      )
      .map { String($0).trimmed }
      guard all.count > 1, isClock(all[0]) ? !isClock(all[1]) : !isSeconds(all[1][...]) else {
        return all
      }
      return [all[0], "", all[1...].joined(separator: " ")]
    }
    if line.utf8.contains(UInt8(ascii: "\t")) { return cells({ $0 == "\t" }, omitting: false) }
    let words = cells({ $0 == " " }, omitting: true)
    if let first = words.first, isClock(first) || isSeconds(first[...]) { return words }
    for delimiter: Character in [";", ","] {
      let cells = cells({ $0 == delimiter }, omitting: false)
      if let first = cells.first, isClock(first) { return cells }
    }
    return nil
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    for (index, line) in text.lines.enumerated() {
      if line.trimmed.isEmpty || line.hasPrefix("\\") { continue }
      content.add(line: index + 1, line) { () throws(InvalidValue) in
        guard let cells = cells(of: line), cells.count >= 2 else {
          throw InvalidValue("it is not a start, an end and a label behind tabs or blanks")
        }
        var row = TableRow(line: 0, start: try TimePosition.ofCell(cells[0]))
        let end = cells[1].isEmpty ? row.start : try TimePosition.ofCell(cells[1])
        if end != row.start { row.end = .at(end) }
        row.texts = [
          "start": cells[0], "end": cells[1], "label": cells.count > 2 ? cells[2] : "",
        ]
        return row
      }
    }
  }
}
