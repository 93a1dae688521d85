// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A cue sheet: the tracks of a disc, by its `INDEX 01` in minutes, seconds and frames of 1/75 s. A track lasts to the
/// next one of its file.
///
/// Source: https://wiki.hydrogenaud.io/index.php?title=Cue_sheet
enum CueSheetText: TableFormat {
  static let example = "INDEX 01 03:21:37"
  static let coversSources = true

  static func recognises(_ beginning: [String]) -> Bool {
    beginning.contains {
      let words = words(of: $0)
      return words.count >= 3
        && (words[0] == "FILE" && kinds.contains(words[words.count - 1].uppercased())
          || words[0] == "TRACK" && words[2] == "AUDIO")
    }
  }

  private static let mostWords = 1_000
  private static let kinds = ["WAVE", "MP3", "AIFF", "FLAC", "BINARY", "MOTOROLA"]

  static func read(_ text: TableText, into content: inout TableContent) {
    /// The texts of the disc and of the track. Nil outside of a track.
    var (disc, track): ([String: String], [String: String]?) = ([:], nil)
    var file: String?
    for (index, line) in text.lines.enumerated() {
      let words = words(of: line)
      guard words.count >= 2 else { continue }
      switch words[0].uppercased() {
      case "FILE": file = path(words[1], of: text.name)
      case "TRACK":
        track = ["track": words[1]]
      case "INDEX" where words.count >= 3 && Int(words[1]) == 1:
        content.add(line: index + 1, line.trimmed) { () throws(InvalidValue) in
          guard let track else { throw InvalidValue("it stands in front of all tracks") }
          var row = TableRow(line: 0, source: file, start: try time(words[2]))
          row.id = track["track"]
          row.texts = disc.merging(track) { $1 }
          row.tags = tags(disc, track)
          row.texts["start"] = words[2]
          row.texts["label"] = track["title"] ?? "Track \(track["track"] ?? "")"
          return row
        }
      case "TITLE", "PERFORMER", "SONGWRITER", "ISRC":
        let name = words[0].lowercased()
        let text = words[1...].joined(separator: " ")
        if track == nil {
          disc[name == "title" ? "album" : name] = text
        } else {
          track?[name] = text
        }
      case "REM" where words.count >= 3:
        disc[words[1].lowercased()] = words[2...].joined(separator: " ")
      default: break
      }
    }
  }

  /// The tags by the names of the sheet's texts.
  private static let tagKeys = [
    ("TITLE", "title"), ("ARTIST", "performer"), ("COMPOSER", "songwriter"), ("ALBUM", "album"),
    ("DATE", "date"), ("GENRE", "genre"), ("DISCNUMBER", "discnumber"), ("ISRC", "isrc"),
  ]

  private static func tags(_ disc: [String: String], _ track: [String: String]) -> [TagEdit] {
    let texts = disc.merging(track) { $1 }
    var tags = tagKeys.compactMap { key, name in
      texts[name].flatMap { $0.isEmpty ? nil : TagEdit(key: key, value: $0) }
    }
    if let artist = disc["performer"] { tags.append(TagEdit(key: "ALBUMARTIST", value: artist)) }
    let number = track["track"].flatMap { Int($0) }
    return tags + (number.map { [TagEdit(key: "TRACKNUMBER", value: "\($0)")] } ?? [])
  }

  /// A file that the sheet names lies beside it.
  private static func path(_ name: String, of sheet: String) -> String {
    name.hasPrefix("/") ? name : Pathname(sheet).directory.text.droppingCurrent + name
  }

  private static func time(_ text: String) throws(InvalidValue) -> TimePosition {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
      (0..<100_000).contains(minutes), (0..<60).contains(seconds), (0..<75).contains(frames)
    else {
      throw InvalidValue("'\(text)' is no time; it is minutes, seconds and frames of 1/75 s")
    }
    // Rounded to 10^-18 s, which is below any sample.
    return .time(.seconds(minutes * 60 + seconds) + .seconds(frames) / 75)
  }

  /// The words of a line. Quotes hold one together.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    var rest = Substring(line)
    while words.count < mostWords {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first else { return words }
      if first == "\"" {
        rest.removeFirst()
        words.append(String(rest.prefix { $0 != "\"" }))
        rest = rest.drop { $0 != "\"" }.dropFirst()
      } else {
        words.append(String(rest.prefix { !$0.isWhitespace }))
        rest = rest.drop { !$0.isWhitespace }
      }
    }
    return words
  }
}

extension String {
  /// A folder without `./` in front.
  fileprivate var droppingCurrent: String { self == "./" ? "" : self }
}
