// SPDX-License-Identifier: Apache-2.0
/// A part of a book or a programme, as tags state it.
///
/// ``Metadata/markers`` have the same places in samples. Tags count milliseconds: at any rate from 1 kHz on, a place
/// of a tag comes back from its sample unchanged.
struct Chapter: Equatable {
  /// In milliseconds from the beginning of the sound.
  var start: Int64
  /// In milliseconds; nil = where the next chapter begins, or the end of the sound.
  var end: Int64?
  var title: String

  /// The latest time, in milliseconds: ID3 has 32 bits for it, and the largest of them stands for an unknown end.
  static let latest: Int64 = 0xFFFF_FFFE
}

extension [Chapter] {
  /// Sorts chapters by their starts. An end where the next one begins is implied.
  ///
  /// - Parameter endsWithSound: whether the last one ends with the sound.
  func ordered(endingWithSound endsWithSound: Bool) -> [Chapter] {
    var chapters = sorted { $0.start < $1.start }
    for index in chapters.indices {
      guard let end = chapters[index].end else { continue }
      let isLast = index == chapters.count - 1
      let isImplied = isLast ? endsWithSound : abs(end - chapters[index + 1].start) <= 1
      if isImplied || end <= chapters[index].start { chapters[index].end = nil }
    }
    return chapters
  }

  /// The marks at the starts, to the nearest sample.
  func markers(at sampleRate: Int) -> [Metadata.Marker] {
    enumerated().map { index, chapter in
      let start = Self.samples(chapter.start, sampleRate)
      let length = chapter.end.map { Self.samples($0, sampleRate) - start } ?? 0
      return Metadata.Marker(
        identifier: UInt32(index + 1), position: start, length: length, label: chapter.title)
    }
  }

  private static func samples(_ milliseconds: Int64, _ sampleRate: Int) -> Int64 {
    Int64(clamping: (Int128(milliseconds) * Int128(sampleRate) + 500) / 1_000)
  }
}

extension Metadata {
  /// The marks as chapters, to the nearest millisecond; none if their rate is unknown.
  var chapters: [Chapter] {
    guard let sampleRate, sampleRate > 0 else { return [] }
    func milliseconds(_ samples: Int64) -> Int64 {
      let exact = (Int128(samples) * 2_000 + Int128(sampleRate)) / (2 * Int128(sampleRate))
      return min(Chapter.latest, max(0, Int64(clamping: exact)))
    }
    return markers.map { marker in
      Chapter(
        start: milliseconds(marker.position),
        end: marker.length > 0 ? milliseconds(marker.position + marker.length) : nil,
        title: marker.label)
    }.ordered(endingWithSound: false)
  }
}
