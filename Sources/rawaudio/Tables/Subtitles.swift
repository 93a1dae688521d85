// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Subtitles of SubRip: a number, `00:01:02,500 --> 00:01:04,000`, and lines of text.
enum SubRip: TableFormat {
  static let example = "00:01:02,500 --> 00:01:04,000"

  static func recognises(_ beginning: [String]) -> Bool {
    beginning.prefix(2).contains { Subtitles.halves($0) != nil }
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    Subtitles.read(text, into: &content)
  }
}

/// WebVTT: as SubRip, with a head, notes, names of cues, and hours that may be left out.
///
/// Source: https://www.w3.org/TR/webvtt1/
enum WebVTT: TableFormat {
  static let example = "01:02.500 --> 01:04.000"

  static func recognises(_ beginning: [String]) -> Bool {
    beginning.first?.hasPrefix("WEBVTT") ?? false
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    Subtitles.read(text, into: &content)
  }
}

/// The cues of both formats.
private enum Subtitles {
  private static let arrow = "-->"
  /// The lines of a cue that are kept.
  private static let mostLines = 1_000

  /// The texts in front of the arrow and behind it. Nil without an arrow.
  static func halves(_ line: String) -> (start: Substring, end: Substring)? {
    var rest = Substring(line)
    while !rest.isEmpty {
      if rest.hasPrefix(arrow) {
        return (line[..<rest.startIndex], rest.dropFirst(arrow.count))
      }
      rest.removeFirst()
    }
    return nil
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    var index = 0
    while index < text.lines.count {
      let line = text.lines[index]
      guard let (front, back) = halves(line) else {
        index += 1
        continue
      }
      let name = index > 0 ? text.lines[index - 1].trimmed : ""
      let number = index + 1
      index += 1
      var words: [String] = []
      while index < text.lines.count, !text.lines[index].trimmed.isEmpty {
        if words.count < mostLines { words.append(text.lines[index].trimmed) }
        index += 1
      }
      content.add(line: number, line) { () throws(InvalidValue) in
        let start = String(front).trimmed
        // Settings of the cue may follow.
        let behind = back.split(whereSeparator: \.isWhitespace)
        guard let end = behind.first.map(String.init) else { throw InvalidValue("it has no end") }
        var row = TableRow(line: 0, start: try TimePosition.ofCell(start))
        row.end = .at(try TimePosition.ofCell(end))
        if !name.isEmpty { row.id = name }
        row.texts = [
          "start": start, "end": end, "label": withoutTags(words.joined(separator: " ")),
        ]
        return row
      }
    }
  }

  /// The text without marks such as `<i>` and `<v Alice>`.
  private static func withoutTags(_ text: String) -> String {
    guard text.contains("<") else { return text }
    var plain = ""
    var isInside = false
    for character in text {
      switch character {
      case "<": isInside = true
      case ">" where isInside: isInside = false
      default: if !isInside { plain.append(character) }
      }
    }
    return plain.trimmed
  }
}
