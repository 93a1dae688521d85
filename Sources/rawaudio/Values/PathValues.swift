// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
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
}

extension ValueSyntax<String> {
  /// A path with `{source}` in it.
  static let trackPattern = ValueSyntax(name: "pattern") { (text: String) throws(InvalidValue) in
    guard (try? NamePattern(text))?.fields.contains("source") != false else {
      throw InvalidValue("the name of each source's file needs {source}, as in track-{source}.wav")
    }
    return text
  }
}

extension ValueSyntax<String> {
  /// The name of a log or table: a path, or a pattern of times.
  static let logPath = ValueSyntax(name: "file") { (text: String) throws(InvalidValue) in
    if text.isEmpty { throw InvalidValue("the name is empty") }
    do throws(AudioError) {
      _ = try LogNames(text, in: .utc)
    } catch {
      throw InvalidValue(error.reasonAndAdvice)
    }
    return text
  }.offering { _ in [.path(behind: "")] }
}
