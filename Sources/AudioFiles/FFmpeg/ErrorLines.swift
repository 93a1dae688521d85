// SPDX-License-Identifier: Apache-2.0
/// The beginning of the standard error of one of ffmpeg's programs, kept in memory. The rest is lost, so that the program
/// never waits for us and its lines take a bounded amount of memory.
///
/// Session thread only.
final class ErrorLines {
  /// The descriptor that the program inherits.
  let descriptor: FileDescriptor

  init(of program: String) throws(AudioError) {
    descriptor = try SpooledFile.inMemory(ofSize: Self.length, named: program)
  }

  /// The number of bytes that are kept.
  private static let length = 4_096
  /// The most characters of a line in ``first``.
  private static let mostCharacters = 160

  /// The first line with text, without ffmpeg's prefixes: `[mp3 @ 0x55d0c]`, the file's name.
  var first: String? { lines.lazy.map(Self.withoutOrigin).first { !$0.isEmpty } }

  /// The part of ffmpeg that wrote that line: `mp3` of `[mp3 @ 0x55d0c]`; nil if the line names none.
  var firstOrigin: String? {
    guard let line = lines.first(where: { !Self.withoutOrigin($0).isEmpty }), line.hasPrefix("[")
    else { return nil }
    return line.dropFirst().split(separator: " ").first.map(String.init)
  }

  private var lines: [String] {
    guard let bytes = try? descriptor.bytes(Self.length, at: 0) else { return [] }
    return bytes.split(whereSeparator: { $0 == 0 || $0 == 0x0A || $0 == 0x0D })
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func withoutOrigin(_ line: String) -> String {
    var text = line[...]
    while text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      text = text[text.index(after: end)...].drop { $0 == " " }
    }
    if text.hasPrefix("file:"), let end = text.range(of: ": ") { text = text[end] }
    while text.last == "." || text.last == " " { text = text.dropLast() }
    return String(text.prefix(mostCharacters))
  }
}

extension Substring {
  /// The range behind the last occurrence of `words`.
  fileprivate func range(of words: String) -> PartialRangeFrom<Index>? {
    var place = endIndex
    while place > startIndex {
      place = index(before: place)
      if self[place...].hasPrefix(words) { return index(place, offsetBy: words.count)... }
    }
    return nil
  }
}
