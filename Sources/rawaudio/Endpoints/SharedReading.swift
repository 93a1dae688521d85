// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A file that is read once for several pieces, seen from one of them.
struct SharedReading {
  let reading: PieceReading
  /// The first sample of this piece, and of the next one, in samples per channel. Nil if there is no next one.
  let start: Int64
  let next: Int64?

  /// - Parameter isMeasured: whether this piece is read more than once.
  func input(named name: String, isMeasured: Bool) -> SessionInput {
    SessionInput(
      piece: reading.source(keepingFrom: isMeasured ? start : next),
      of: { [reading] in reading.file },
      name: name)
  }
}
