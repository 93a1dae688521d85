// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The chapters of ffmpeg's metadata file. Its texts are passed over: `--tags-from` and `--tag` are for texts.
///
/// Source: https://ffmpeg.org/ffmpeg-formats.html#Metadata-1
enum FFMetadata: TableFormat {
  static let example = "[CHAPTER], and below it TIMEBASE=1/1000, START=0, END=60000, title=Intro"

  static func recognises(_ beginning: [String]) -> Bool {
    beginning.first?.hasPrefix(";FFMETADATA") ?? false
  }

  static func read(_ text: TableText, into content: inout TableContent) {
    /// The keys and values of the chapter, and its line. Nil outside of one.
    var chapter: (line: Int, values: [String: String])?
    func end(_ content: inout TableContent) {
      guard let (line, values) = chapter else { return }
      content.add(line: line, "[CHAPTER]") { () throws(InvalidValue) in try row(values) }
      chapter = nil
    }
    var index = 0
    while index < text.lines.count {
      let number = index + 1
      var line = text.lines[index]
      // A backslash in front of a line break belongs to it.
      while endsWithin(line), index + 1 < text.lines.count {
        index += 1
        line += "\n" + text.lines[index]
      }
      index += 1
      if line.isEmpty || line.hasPrefix(";") || line.hasPrefix("#") { continue }
      if line.hasPrefix("["), line.trimmed.hasSuffix("]") {
        end(&content)
        if line.trimmed == "[CHAPTER]" { chapter = (number, [:]) }
      } else if let (key, value) = parts(line) {
        chapter?.values[key.lowercased()] = value
      }
    }
    end(&content)
  }

  /// Whether the number of backslashes at its end is odd.
  private static func endsWithin(_ line: String) -> Bool {
    line.reversed().prefix { $0 == "\\" }.count % 2 == 1
  }

  /// The key and the value, without backslashes.
  private static func parts(_ line: String) -> (key: String, value: String)? {
    var (key, text): (String?, String) = (nil, "")
    var isEscaped = false
    for character in line {
      if isEscaped || character != "\\" && (key != nil || character != "=") {
        text.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        (key, text) = (text, "")
      }
    }
    return key.map { ($0, text) }
  }

  private static func row(_ values: [String: String]) throws(InvalidValue) -> TableRow {
    // Nanoseconds, if nothing else is stated.
    let base = (values["timebase"] ?? "1/1000000000").split(separator: "/").map { Int64($0) }
    guard base.count == 2, let unit = base[0], let parts = base[1], unit > 0, parts > 0,
      unit <= 1 << 32, parts <= 1 << 32
    else {
      throw InvalidValue("'\(values["timebase"] ?? "")' is no TIMEBASE, such as 1/1000")
    }
    func time(_ key: String) throws(InvalidValue) -> TimePosition? {
      guard let text = values[key] else { return nil }
      guard let count = Int64(text), count >= 0,
        Int128(count) * Int128(unit) / Int128(parts) < 1_000_000_000
      else { throw InvalidValue("'\(text)' is no \(key.uppercased())") }
      let (seconds, rest) = (Int128(count) * Int128(unit)).quotientAndRemainder(
        dividingBy: Int128(parts))
      return .time(
        Duration(
          secondsComponent: Int64(seconds),
          attosecondsComponent: Int64(rest * 1_000_000_000_000_000_000 / Int128(parts))))
    }
    guard let start = try time("start") else { throw InvalidValue("it has no START") }
    var row = TableRow(line: 0, start: start)
    if let end = try time("end"), end != start { row.end = .at(end) }
    row.texts = values
    row.texts["label"] = values["title"] ?? ""
    return row
  }
}
