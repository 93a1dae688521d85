// SPDX-License-Identifier: Apache-2.0
/// Chapters in frames of ID3: a `CHAP` for each, and `CTOC`, their table.
///
/// Source: id3.org, "ID3v2 Chapter Frame Addendum, version 1.0".
enum ChapterFrames {
  static let chapter = "CHAP"
  static let table = "CTOC"

  static func isOne(_ frame: ID3Tag.Frame) -> Bool {
    frame.identifier == chapter || frame.identifier == table
  }

  /// The end that the last chapter of a stream states: the longest time.
  private static let unknownEnd: UInt64 = 0xFFFF_FFFF
  /// The most entries of a table: their count has one byte.
  private static let mostEntries = 255

  /// Reads a chapter, and the frames in it; nil if it is cut short.
  ///
  /// - Parameters:
  ///   - version: of the tag.
  ///   - label: decodes a title; nil if there is no room for it.
  static func chapter(
    _ content: ArraySlice<UInt8>, _ version: Int, _ label: (ID3Text) -> String?
  ) -> (chapter: Chapter, others: [ID3Tag.Frame])? {
    guard let end = content.firstIndex(of: 0) else { return nil }
    var reader = ByteReader(content[(end + 1)...])
    // The offsets in bytes are those of another file once it is written anew.
    guard let begin = reader.integer(4, .big), let stop = reader.integer(4, .big),
      reader.bytes(8) != nil
    else { return nil }
    var frames = ID3Tag(framesOf: reader.rest(), version).frames
    var title = ""
    if let index = frames.firstIndex(where: { $0.identifier == "TIT2" && !$0.isOpaque }) {
      title = ID3Frames.texts(frames[index].content).first { _ in true }.flatMap(label) ?? ""
      frames.remove(at: index)
    }
    return (
      Chapter(
        start: Int64(begin), end: stop == unknownEnd ? nil : Int64(stop), title: title),
      frames
    )
  }

  /// The frames of the chapters: tables, then each chapter.
  static func frames(_ chapters: [Chapter]) -> [ID3Tag.Frame] {
    let names = chapters.indices.map { "chp\($0)" }
    return tables(names)
      + chapters.enumerated().map { index, chapter in
        let next = index + 1 < chapters.count ? UInt64(chapters[index + 1].start) : unknownEnd
        var content = Array(names[index].utf8) + [0]
        content.append(UInt64(chapter.start), 4, .big)
        content.append(chapter.end.map { UInt64($0) } ?? next, 4, .big)
        // The times count, not offsets in bytes.
        content += [UInt8](repeating: 0xFF, count: 8)
        if !chapter.title.isEmpty {
          content += ID3Tag.content([.init("TIT2", [3] + Array(chapter.title.utf8))])
        }
        return .init(Self.chapter, content[...])
      }
  }

  /// One table, or tables of a table if there are too many chapters for one.
  private static func tables(_ names: [String]) -> [ID3Tag.Frame] {
    guard names.count > mostEntries else { return [table("toc", names, isTop: true)] }
    let most = min(names.count, mostEntries * mostEntries)
    let parts = stride(from: 0, to: most, by: mostEntries).map {
      Array(names[$0..<min($0 + mostEntries, most)])
    }
    let labels = parts.indices.map { "toc\($0)" }
    return [table("toc", labels, isTop: true)]
      + zip(labels, parts).map { table($0, $1, isTop: false) }
  }

  private static func table(_ name: String, _ entries: [String], isTop: Bool) -> ID3Tag.Frame {
    let isOrdered: UInt8 = 0x01
    let flags = isOrdered | (isTop ? 0x02 : 0)
    let head = Array(name.utf8) + [0, flags, UInt8(clamping: entries.count)]
    return .init(table, entries.reduce(into: head[...]) { $0 += Array($1.utf8) + [0] })
  }

  /// The place in a tag of the end that the last chapter does not know yet: four bytes for milliseconds. Nil if it knows
  /// its end.
  ///
  /// - Parameter frames: those of ``frames(_:)``, at the end of the tag.
  static func placeOfUnknownEnd(in tag: [UInt8], _ frames: [ID3Tag.Frame]) -> Int? {
    guard let last = frames.last, last.identifier == chapter,
      let end = last.content.firstIndex(of: 0)
    else { return nil }
    let place = tag.count - last.content.count + (end - last.content.startIndex) + 5
    let isUnknown = tag[place..<place + 4].allSatisfy { $0 == 0xFF }
    return isUnknown ? place : nil
  }
}

extension ID3Tag {
  /// The frames, with those in chapters, and without the chapters and their tables.
  var framesWithThoseOfChapters: [Frame] {
    frames.filter { !ChapterFrames.isOne($0) || $0.isOpaque } + framesOfChapters
  }

  /// The frames in chapters beside their titles: pictures, addresses.
  private var framesOfChapters: [Frame] {
    frames.filter { $0.identifier == ChapterFrames.chapter && !$0.isOpaque }.flatMap {
      ChapterFrames.chapter($0.content, version) { _ in nil }?.others ?? []
    }
  }

  /// The loss of the frames in chapters that are written anew.
  var omissionsOfChapters: [Metadata.Omission] {
    let counts = Dictionary(grouping: framesOfChapters, by: \.identifier).mapValues(\.count)
    return counts.sorted { $0.key < $1.key }.map { name, count in
      .init(
        count == 1 ? "'\(name)' frame of a chapter" : "\(count) '\(name)' frames of chapters",
        because: "chapters are written anew with their titles")
    }
  }
}
