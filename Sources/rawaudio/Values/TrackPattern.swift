// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension ValueSyntax<String> {
  /// A path with `{source}` in it.
  static let trackPattern = ValueSyntax(name: "pattern") { (text: String) throws(InvalidValue) in
    guard (try? NamePattern(text))?.fields.contains("source") != false else {
      throw InvalidValue("the name of each source's file needs {source}, as in track-{source}.wav")
    }
    return text
  }
}
