// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// An item of a work list.
enum ListItem: Sendable {
  case file(ListedFile)
  /// An entry that cannot be parsed, or a source without items.
  ///
  /// - Parameters:
  ///   - id: the entry's id. Nil if it cannot be read either.
  ///   - source: a path. Nil if it cannot be read.
  case malformed(AudioError, id: String? = nil, source: String? = nil)
}

extension ListItem {
  /// The path of its source. Nil if it cannot be read.
  var source: String? {
    switch self {
    case .file(let file): file.source
    case .malformed(_, _, let source): source
    }
  }

  /// Its id. Nil if it has none, or if it cannot be read.
  var id: String? {
    switch self {
    case .file(let file): file.id
    case .malformed(_, let id, _): id
    }
  }
}
