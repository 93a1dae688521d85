// SPDX-License-Identifier: Apache-2.0
/// What a program writes on its standard error: the beginning is kept in memory, and what follows is lost, so that it
/// never has to wait for us and takes no more memory than that, whatever it complains of.
///
/// Session thread only.
package final class ErrorLines {
  /// What the program inherits.
  let descriptor: FileDescriptor

  package init(of program: String) throws(AudioError) {
    descriptor = try SpooledFile.inMemory(ofSize: Self.length, named: program)
  }

  /// How much of it is kept.
  private static let length = 4_096
  /// How much of a line is told.
  private static let mostCharacters = 160

  /// The first line that says something, without what ffmpeg puts in front: `[mp3 @ 0x55d0c]`, the file's name.
  package var first: String? { lines.lazy.map(Self.withoutOrigin).first { !$0.isEmpty } }

  /// Which part of ffmpeg wrote that line: `mp3` of `[mp3 @ 0x55d0c]`; nil where it does not say.
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
  /// What stands behind the last occurrence of `words`.
  fileprivate func range(of words: String) -> PartialRangeFrom<Index>? {
    var place = endIndex
    while place > startIndex {
      place = index(before: place)
      if self[place...].hasPrefix(words) { return index(place, offsetBy: words.count)... }
    }
    return nil
  }
}
