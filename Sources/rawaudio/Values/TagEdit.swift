// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A text of the output, as given on a command line: `TITLE=Dawn`.
struct TagEdit: Sendable, Hashable {
  /// Upper case.
  var key: String
  /// Empty to remove the tag.
  var value: String
}

extension ValueSyntax<TagEdit> {
  static let tag = ValueSyntax(name: "key=value") { (text: String) throws(InvalidValue) in
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let key = Metadata.Tags.key(String(parts[0])) else {
      throw InvalidValue("it must be KEY=VALUE, as in TITLE=Dawn; KEY= removes the tag")
    }
    return TagEdit(key: key, value: String(parts[1]))
  }
}
