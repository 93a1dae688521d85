// SPDX-License-Identifier: Apache-2.0
/// Chapters in Vorbis comments: `CHAPTER001=00:00:00.000`, `CHAPTER001NAME=Dawn`.
///
/// Source: wiki.xiph.org, "Chapter Extension".
enum ChapterComments {
  /// The most chapters: their numbers have three digits.
  static let most = 1_000

  private static let prefix = "CHAPTER"
  private static let suffix = "NAME"

  /// The number of the chapter that a comment's key names, and whether it is the chapter's title.
  static func number(_ key: String) -> (number: Int, isTitle: Bool)? {
    guard key.hasPrefix(prefix) else { return nil }
    let rest = key.dropFirst(prefix.count)
    let digits = rest.prefix(3)
    let isTitle = rest.dropFirst(3) == suffix
    guard digits.utf8.count == 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      isTitle || rest.count == 3, let number = Int(digits)
    else { return nil }
    return (number, isTitle)
  }

  /// `01:02:03.004` in milliseconds; nil for any other text.
  static func milliseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
      (0...99_999).contains(hours), (0..<60).contains(minutes)
    else { return nil }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard seconds.count <= 2, let whole = Int64(seconds[0]), (0..<60).contains(whole) else {
      return nil
    }
    let fraction = seconds.count == 2 ? seconds[1].prefix(3) : ""
    guard fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let digits = fraction + String(repeating: "0", count: 3 - fraction.count)
    return ((hours * 60 + minutes) * 60 + whole) * 1_000 + (Int64(digits) ?? 0)
  }

  private static func text(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }
    return parts.joined(separator: ":") + "." + (milliseconds % 1_000).padded(to: 3)
  }

  /// The comments of chapters, from number 1 on; at most ``most`` - 1.
  static func comments(_ chapters: [Chapter]) -> [ArraySlice<UInt8>] {
    chapters.prefix(most - 1).enumerated().flatMap { index, chapter -> [ArraySlice<UInt8>] in
      let key = prefix + (index + 1).padded(to: 3)
      let start = Array("\(key)=\(text(chapter.start))".utf8)[...]
      guard !chapter.title.isEmpty else { return [start] }
      return [start, Array("\(key)\(suffix)=\(chapter.title)".utf8)[...]]
    }
  }
}

extension VorbisComments {
  /// The chapters, and the indices of their comments. A title without a start is a text.
  ///
  /// - Parameter label: decodes a title; nil if there is no room for it.
  func chapters(
    _ label: (ArraySlice<UInt8>) -> String?
  ) -> (chapters: [Chapter], places: Set<Int>) {
    var starts: [Int: (place: Int, time: Int64)] = [:]
    var titles: [Int: (place: Int, text: ArraySlice<UInt8>)] = [:]
    for (place, comment) in comments.enumerated() {
      // Most comments begin otherwise, and there may be many.
      guard comment.first == 0x43 || comment.first == 0x63,
        let (key, value) = Self.parts(comment),
        let (number, isTitle) = ChapterComments.number(key)
      else { continue }
      if isTitle {
        if titles[number] == nil { titles[number] = (place, value) }
      } else if starts[number] == nil, value.count <= 32,
        let time = ChapterComments.milliseconds(String(decoding: value, as: UTF8.self))
      {
        starts[number] = (place, time)
      }
    }
    var places: Set<Int> = []
    let chapters = starts.sorted { $0.key < $1.key }.map { number, start in
      places.insert(start.place)
      guard let title = titles[number] else {
        return Chapter(start: start.time, end: nil, title: "")
      }
      places.insert(title.place)
      return Chapter(start: start.time, end: nil, title: label(title.text) ?? "")
    }
    return (chapters.ordered(endingWithSound: true), places)
  }
}
