// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension ValueSyntax<String> {
  /// A path with `{source}` in it.
  static let trackPattern = ValueSyntax(name: "pattern") { (text: String) throws(InvalidValue) in
    guard text.naming(SourceKey(ordinal: 1)) != text else {
      throw InvalidValue("the name of each source's file needs {source}, as in track-{source}.wav")
    }
    return text
  }
}

extension String {
  /// This pattern with the id of a source, with that of its group in front, in place of each `{source}`.
  func naming(_ source: SourceKey) -> String {
    let name = [source.group?.description, source.id.description].compactMap(\.self)
      .joined(separator: "-")
    var text = ""
    var rest = self[...]
    while let first = rest.first {
      if rest.hasPrefix("{source}") {
        text += name
        rest = rest.dropFirst("{source}".count)
      } else {
        text.append(first)
        rest.removeFirst()
      }
    }
    return text
  }
}
