// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// An item of a work list.
enum ListItem: Sendable {
  case file(ListedFile)
  /// An entry that cannot be parsed.
  ///
  /// - Parameter id: the entry's id. Nil if it cannot be read either.
  case malformed(AudioError, id: String?)
}
