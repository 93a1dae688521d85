// SPDX-License-Identifier: Apache-2.0
/// Corrects the pieces of files if their sound changes.
///
/// ``Metadata`` does that for its fields. The readers of the pieces, in another target, do it for ``Metadata/chunks``.
package protocol PieceEditing: Sendable {
  /// Changes the pieces to describe a part of the sound.
  ///
  /// - Parameters:
  ///   - start: its beginning, in samples per channel.
  ///   - length: in samples per channel.
  static func trim(_ metadata: inout Metadata, from start: Int64, length: Int64)

  /// Converts their positions to another rate, in hertz.
  static func convert(_ metadata: inout Metadata, from oldRate: Int, to newRate: Int)

  /// Drops pieces about times in the whole sound, or about its length, and adds omissions for them.
  static func dropTimes(_ metadata: inout Metadata)
}

/// A type that edits pieces, as a comparable value.
package struct PieceEditor: Sendable, Equatable {
  package let editing: any PieceEditing.Type

  package init(_ editing: any PieceEditing.Type) { self.editing = editing }

  package static func == (first: PieceEditor, second: PieceEditor) -> Bool {
    first.editing == second.editing
  }
}
