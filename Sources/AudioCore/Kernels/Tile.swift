// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// Whether this code is compiled for a processor with 16 registers of 32 bytes.
var hasWideRegisters: Bool {
  @inline(__always) @_noAllocation @_noLocks get { rawaudio_has_wide_registers != 0 }
}

/// Whether this code is compiled for a processor with 32 registers of 64 bytes.
var hasManyRegisters: Bool {
  @inline(__always) @_noAllocation @_noLocks get { rawaudio_has_many_registers != 0 }
}

/// How the products of a tile lie: in rows of samples, and which of them are large.
///
/// Untyped in its samples, since the compiler proves nothing about code that is generic.
@safe
struct TileWay {
  /// Where the samples of each product lie, in samples from the first lane on: ``pieceCount`` × 8.
  let offsets: UnsafePointer<Int>
  let pieceCount: Int
  /// The pieces whose products are large.
  let centre: Range<Int>

  /// Products in a piece.
  static var pieceLength: Int {
    @inline(__always) @_noAllocation @_noLocks get { 8 }
  }
}
