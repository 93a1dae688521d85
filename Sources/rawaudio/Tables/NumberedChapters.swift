// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Chapters in pairs of lines, as OGM tools, mkvextract and MP4Box write them: `CHAPTER01=00:00:00.000` and
/// `CHAPTER01NAME=Intro`, in any order.
///
/// Source: https://mkvtoolnix.download/doc/mkvmerge.html#mkvmerge.chapters.simple
enum NumberedChapters: TableFormat {
  static let example = "CHAPTER01=00:00:00.000"

  static func recognises(_ beginning: [String]) -> Bool {
    beginning.first.flatMap(parts)?.key == ""
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    var times: [(number: Int, line: Int, time: String)] = []
    var titles: [Int: String] = [:]
    for (index, line) in text.lines.enumerated() where !line.trimmed.isEmpty {
      guard let (number, key, value) = parts(line) else {
        content.add(line: index + 1, line) { () throws(InvalidValue) in
          throw InvalidValue("it is neither the time nor the name of a chapter")
        }
        continue
      }
      if key.isEmpty { times.append((number, index + 1, value)) }
      if key == "NAME" { titles[number] = value }
    }
    for (number, line, time) in times {
      content.add(line: line, text.lines[line - 1]) { () throws(InvalidValue) in
        var row = TableRow(line: 0, start: try TimePosition.ofCell(time), id: "\(number)")
        row.texts = ["start": time, "label": titles[number] ?? "", "id": "\(number)"]
        return row
      }
    }
  }

  /// The number of a chapter, the word behind it, and the value: of `CHAPTER01NAME=Intro` 1, `NAME` and `Intro`.
  private static func parts(_ line: String) -> (number: Int, key: String, value: String)? {
    let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let key = String(halves[0]).trimmed.uppercased()
    guard halves.count == 2, key.hasPrefix("CHAPTER") else { return nil }
    let digits = key.dropFirst(7).prefix { ("0"..."9").contains($0) }
    guard let number = Int(digits) else { return nil }
    return (number, String(key.dropFirst(7 + digits.count)), String(halves[1]).trimmed)
  }
}
