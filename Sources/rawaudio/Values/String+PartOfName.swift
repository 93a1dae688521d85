// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension String {
  /// The longest text in a name, in bytes. A name has 255 at most.
  private static let longestPart = 120

  /// The text as a part of a file's name: without slashes and control characters, and not hidden.
  var asPartOfName: String {
    var name = ""
    for character in trimmed {
      // A slash with an accent behind it is one, too.
      let isSafe = !character.unicodeScalars.contains { $0 == "/" || $0.isUnseen }
      let next = isSafe ? String(character) : "_"
      if name.utf8.count + next.utf8.count > Self.longestPart { break }
      name += next
    }
    return name.isEmpty ? "_" : name.utf8.first == UInt8(ascii: ".") ? "_" + name.dropFirst() : name
  }

  /// The text without blanks around it.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return first == startIndex && index(after: last) == endIndex ? self : String(self[first...last])
  }
}
