// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A label track of Audacity: start, end and text behind tabs. The line behind a label may state its frequencies.
///
/// A label at a point lasts to the next one.
///
/// Source: https://manual.audacityteam.org/man/importing_and_exporting_labels.html
enum AudacityLabels: TableFormat {
  static let example = "1.500000\t3.250000\tdog"

  static func recognises(_ beginning: [String]) -> Bool {
    let cells = beginning.first?.split(separator: "\t", omittingEmptySubsequences: false) ?? []
    return cells.count >= 2 && cells[..<2].allSatisfy { isSeconds($0) }
  }

  /// Whether a text is a number, with a point or a comma.
  static func isSeconds(_ text: Substring) -> Bool {
    Double(decimal: String(text.map { $0 == "," ? "." : $0 })) != nil
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    for (index, line) in text.lines.enumerated() {
      if line.trimmed.isEmpty || line.hasPrefix("\\") { continue }
      content.add(line: index + 1, line) { () throws(InvalidValue) in
        let cells = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
          .map(String.init)
        guard cells.count >= 2 else {
          throw InvalidValue("it is not a start, an end and a label behind tabs")
        }
        var row = TableRow(line: 0, start: try TimePosition.ofCell(cells[0]))
        let end = try TimePosition.ofCell(cells[1])
        if end != row.start { row.end = .at(end) }
        row.texts = [
          "start": cells[0], "end": cells[1], "label": cells.count > 2 ? cells[2].trimmed : "",
        ]
        return row
      }
    }
  }
}
