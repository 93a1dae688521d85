// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles

/// A text of the output, as given on a command line: `TITLE=Dawn`.
struct TagEdit: Sendable, Hashable {
  /// Upper case.
  var key: String
  /// Empty to remove the tag.
  var value: String
}

extension ValueSyntax<TagEdit> {
  static let tag = ValueSyntax(name: "key=value") { (text: String) throws(InvalidValue) in
    // A combining mark behind the sign makes one character of both.
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")),
      let name = Metadata.Tags.key(String(text[..<sign]))
    else {
      throw InvalidValue("it must be KEY=VALUE, as in TITLE=Dawn; KEY= removes the tag")
    }
    return TagEdit(
      key: Metadata.Tags.usualKey(of: name), value: String(text[text.utf8.index(after: sign)...]))
  }
}
