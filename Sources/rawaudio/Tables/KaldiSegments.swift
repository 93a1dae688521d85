// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The file `segments` of a data folder of Kaldi: utterance, recording, start and end in seconds behind spaces. An end
/// of -1 is the recording's.
///
/// Source: https://kaldi-asr.org/doc/data_prep.html
enum KaldiSegments: TableFormat {
  static let example = "utterance-1 recording 1.5 3.25"

  static func recognises(_ beginning: [String]) -> Bool {
    let cells = beginning.first?.split(whereSeparator: \.isWhitespace) ?? []
    return cells.count == 4 && cells[2...].allSatisfy { AudacityLabels.isSeconds($0) }
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    for (index, line) in text.lines.enumerated() where !line.trimmed.isEmpty {
      content.add(line: index + 1, line) { () throws(InvalidValue) in
        let cells = line.split(maxSplits: 4, whereSeparator: \.isWhitespace).map(String.init)
        guard cells.count == 4 else {
          throw InvalidValue("it is not an utterance, a recording, a start and an end")
        }
        var row = TableRow(
          line: 0, source: cells[1], start: try TimePosition.ofCell(cells[2]), id: cells[0])
        row.texts = ["start": cells[2], "end": cells[3], "label": cells[0], "id": cells[0]]
        if Double(cells[3]) != -1 { row.end = .at(try TimePosition.ofCell(cells[3])) }
        return row
      }
    }
  }
}
