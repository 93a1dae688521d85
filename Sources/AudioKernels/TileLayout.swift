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

/// The layout of a tile's products in rows of samples, with the range of the large ones.
///
/// Untyped in its samples, since it comes by its address.
@safe
package struct TileLayout {
  /// The offset of each product's samples from the first lane, in samples: ``pieceCount`` × 8.
  package let offsets: UnsafePointer<Int>
  package let pieceCount: Int
  /// The pieces with large products.
  package let centre: Range<Int>

  package init(offsets: UnsafePointer<Int>, pieceCount: Int, centre: Range<Int>) {
    unsafe self.offsets = offsets
    self.pieceCount = pieceCount
    self.centre = centre
  }

  /// Products in a piece.
  package static var pieceLength: Int {
    @inline(__always) @_noAllocation @_noLocks get { 8 }
  }
}
