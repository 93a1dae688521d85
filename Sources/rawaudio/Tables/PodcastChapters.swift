// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The JSON of chapters beside an episode: `{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Intro"}]}`; also
/// as ffprobe lists chapters. A chapter that is not for the table of contents is passed over.
///
/// Source: https://github.com/Podcastindex-org/podcast-namespace, chapters/jsonChapters.md
enum PodcastChapters: TableFormat {
  static let example = #"{"chapters": [{"startTime": 0, "title": "Intro"}]}"#

  static func recognises(_ beginning: [String]) -> Bool {
    guard let first = beginning.first, first.trimmed.hasPrefix("{"),
      beginning.contains(where: { $0.place(of: "\"chapters\"") != nil })
    else { return false }
    // A whole object in a line may be one of many.
    guard let object = try? JSONValue(reading: first.trimmed.utf8, depth: 16) else { return true }
    return object["chapters"]?.elements != nil
  }

  static func read(_ text: TableText, into content: inout TableContent) throws(InvalidValue) {
    let value: JSONValue
    do throws(AudioError) {
      value = try JSONValue(reading: text.lines.joined(separator: "\n").utf8, depth: 16)
    } catch {
      throw InvalidValue(error.reason)
    }
    guard let chapters = value["chapters"]?.elements else {
      throw InvalidValue("'chapters' is no array")
    }
    content.passed.noun = "silent chapter"
    let lines = text.lines.indices.filter { text.lines[$0].place(of: "\"start") != nil }
    for (index, chapter) in chapters.enumerated() {
      if chapter["toc"]?.flag == false {
        content.passed.count += 1
        continue
      }
      let line = lines.count == chapters.count ? lines[index] + 1 : 1
      content.add(line: line, chapter.compact) { () throws(InvalidValue) in
        guard let start = (chapter["startTime"] ?? chapter["start_time"])?.cell else {
          throw InvalidValue("it has no startTime")
        }
        var row = TableRow(line: 0, start: try TimePosition.ofCell(start))
        let end = (chapter["endTime"] ?? chapter["end_time"])?.cell
        if let end { row.end = .at(try TimePosition.ofCell(end)) }
        let title = (chapter["title"] ?? chapter["tags"]?["title"])?.cell
        row.texts = ["start": start, "end": end ?? "", "label": title ?? ""]
        return row
      }
    }
  }
}
