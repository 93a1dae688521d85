// SPDX-License-Identifier: Apache-2.0
/// Corrects the pieces of files as the sound that they describe changes.
///
/// ``Metadata`` does that for its fields. The readers of the pieces do it for ``Metadata/chunks``, in another target.
package protocol PieceEditing: Sendable {
  /// Lets the pieces describe a part of the sound.
  ///
  /// - Parameters:
  ///   - start: where it begins, in samples per channel.
  ///   - length: likewise.
  static func trim(_ metadata: inout Metadata, from start: Int64, length: Int64)

  /// Lets their positions count at another rate, in hertz.
  static func convert(_ metadata: inout Metadata, from oldRate: Int, to newRate: Int)

  /// Drops what tells of times in the whole sound, or of its length, and names it.
  static func dropTimes(_ metadata: inout Metadata)
}

/// A way to edit pieces, as a value that can be compared.
package struct PieceEditor: Sendable, Equatable {
  package let editing: any PieceEditing.Type

  package init(_ editing: any PieceEditing.Type) { self.editing = editing }

  package static func == (first: PieceEditor, second: PieceEditor) -> Bool {
    first.editing == second.editing
  }
}
