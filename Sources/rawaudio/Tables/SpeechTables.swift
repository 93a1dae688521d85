// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Rich Transcription Time Marked: the turns of speakers, as programs for diarisation write them.
///
/// Of its types, SPEAKER is read. Its cells are: type, file, channel, start, duration, and the speaker as the eighth.
///
/// Source: NIST, "The 2009 (RT-09) Rich Transcription Meeting Recognition Evaluation Plan", appendix A.
enum RTTM: TableFormat {
  static let example = "SPEAKER meeting 1 1.5 1.75 <NA> <NA> alice <NA> <NA>"

  private static let types = [
    "SPEAKER", "SEGMENT", "NOSCORE", "NO_RT_METADATA", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER",
    "EDIT", "IP", "SU", "CB", "A/P", "SPKR-INFO",
  ]

  static func recognises(_ beginning: [String]) -> Bool {
    guard let first = beginning.first(where: { !$0.hasPrefix(";;") }) else { return false }
    let cells = first.split(whereSeparator: \.isWhitespace)
    return cells.count >= 8 && types.contains(String(cells[0]))
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    for (index, line) in text.lines.enumerated() {
      let cells = line.split(maxSplits: 8, whereSeparator: \.isWhitespace).map(String.init)
      guard let type = cells.first, !type.hasPrefix(";;"),
        type == "SPEAKER" || !types.contains(type)
      else { continue }
      content.add(line: index + 1, line) { () throws(InvalidValue) in
        guard type == "SPEAKER" else { throw InvalidValue("'\(type)' is no type of RTTM") }
        guard cells.count >= 8 else {
          throw InvalidValue("it has \(cells.count) cells of 8 at least")
        }
        var row = TableRow(line: 0, source: cells[1], start: try TimePosition.ofCell(cells[3]))
        row.end = .after(try TimePosition.ofCell(cells[4]))
        row.texts = [
          "start": cells[3], "duration": cells[4], "channel": cells[2], "speaker": cells[7],
          "label": cells[7],
        ]
        return row
      }
    }
  }
}

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
