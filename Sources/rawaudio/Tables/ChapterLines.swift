// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Chapters as people write them under a video or an episode: `0:00 Intro`, `[1:02:03] - Intro`, `1. Intro (0:00)`, also
/// as mp4chaps writes them. Lines without a time are passed over, for a description stands around them.
///
/// In one list all times stand in front of the titles, or all behind them.
enum ChapterLines: TableFormat {
  static let example = "1:02:03 Title"

  private struct Line {
    var time: Substring
    var end: Substring?
    var title: Substring
  }

  /// The fewest lines with a time: one may be of the description itself.
  private static let fewest = 2

  static func recognises(_ beginning: [String]) -> Bool { find(in: beginning.lazy) != nil }

  static func read(_ text: TableText, into content: inout TableContent) {
    let find = find(in: text.lines) ?? { leading($0) }
    for (index, line) in text.lines.enumerated() where !line.trimmed.isEmpty {
      guard let found = find(line) else {
        content.passed.count += 1
        continue
      }
      content.add(line: index + 1, line) { () throws(InvalidValue) in
        var row = TableRow(line: 0, start: try TimePosition.ofCell(String(found.time)))
        if let end = found.end { row.end = .at(try TimePosition.ofCell(String(end))) }
        row.texts = [
          "start": String(found.time), "end": found.end.map(String.init) ?? "",
          "label": String(found.title),
        ]
        return row
      }
    }
  }

  /// The place of the times in these lines. Nil if it is no such list.
  private static func find(in lines: some Sequence<String>) -> ((String) -> Line?)? {
    var (front, back) = (0, 0)
    for line in lines {
      // Columns are those of a table, and two times those of a label.
      if line.utf8.contains(UInt8(ascii: "\t")) { return nil }
      if let found = leading(line) {
        if found.end == nil, time(in: found.title) != nil { return nil }
        front += 1
      } else if trailing(line) != nil {
        back += 1
      }
    }
    if front >= fewest { return { leading($0) } }
    return back >= fewest ? { trailing($0) } : nil
  }

  /// A time in front, behind a bullet, a bracket or the number of the chapter; perhaps a dash and the end.
  private static func leading(_ line: String) -> Line? {
    var rest = line.drop { !$0.isLetter && !$0.isNumber }
    if time(in: rest) == nil {
      let number = rest.prefix(while: \.isNumber)
      let behind = rest.dropFirst(number.count)
      guard !number.isEmpty, number.count <= 3, let mark = behind.first, ".): -–".contains(mark)
      else { return nil }
      rest = behind.drop { !$0.isLetter && !$0.isNumber }
    }
    guard let start = time(in: rest) else { return nil }
    rest = rest[start.endIndex...]
    guard rest.first.map({ $0.isWhitespace || separators.contains($0) }) ?? true else {
      return nil
    }
    let title = rest.drop { $0.isWhitespace || separators.contains($0) }
    let between = rest[..<title.startIndex]
    if between.contains(where: { dashes.contains($0) }), let end = time(in: title) {
      let title = title[end.endIndex...].drop { $0.isWhitespace || separators.contains($0) }
      return Line(time: start, end: end, title: title.trimmed[...])
    }
    return Line(time: start, title: title.trimmed[...])
  }

  /// A time behind the title, perhaps in brackets.
  private static func trailing(_ line: String) -> Line? {
    var text = line.trimmed[...]
    if text.last == ")" || text.last == "]" { text = text.dropLast() }
    guard let blank = text.lastIndex(where: { $0.isWhitespace || $0 == "(" || $0 == "[" }) else {
      return nil
    }
    let last = text[text.index(after: blank)...]
    guard let found = time(in: last), found.endIndex == last.endIndex else { return nil }
    var title = text[...blank]
    while let end = title.last, end.isWhitespace || separators.contains(end) || "([".contains(end) {
      title.removeLast()
    }
    let word = title.lastIndex(where: \.isWhitespace).map { title[title.index(after: $0)...] }
    guard !title.isEmpty, time(in: word ?? title) == nil else { return nil }
    return Line(time: found, title: title.trimmed[...])
  }

  private static let dashes: Set<Character> = ["-", "–", "—", "~", "→"]
  private static let separators = dashes.union([":", "|", ")", "]", "•", "·", ">"])

  /// The time at the beginning: `1:02`, `01:02:03.5`.
  private static func time(in text: Substring) -> Substring? {
    var token = text.prefix { $0 == ":" || $0 == "." || ("0"..."9").contains($0) }
    while token.last == "." || token.last == ":" { token.removeLast() }
    let parts = token.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
      .split(separator: ":", omittingEmptySubsequences: false)
    let areTimes = parts.dropFirst().allSatisfy { $0.count == 2 }
    guard (2...3).contains(parts.count), areTimes, (1...3).contains(parts[0].count) else {
      return nil
    }
    return token
  }
}
