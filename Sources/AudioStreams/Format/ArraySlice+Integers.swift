// SPDX-License-Identifier: Apache-2.0
extension [UInt8] {
  /// The unsigned integer of `size` bytes at `offset`, which must be inside.
  package func integer(at offset: Int, _ size: Int, _ order: ByteOrder) -> UInt64 {
    self[...].integer(at: offset, size, order)
  }

  /// Appends an unsigned integer as `size` bytes.
  package mutating func append(_ value: some BinaryInteger, _ size: Int, _ order: ByteOrder) {
    for index in 0..<size {
      let digit = order == .little ? index : size - 1 - index
      append(UInt8(truncatingIfNeeded: value >> (8 * digit)))
    }
  }

  /// Whether the bytes at `offset` are these ASCII characters.
  package func has(_ text: String, at offset: Int) -> Bool { self[...].has(text, at: offset) }
}

extension ArraySlice<UInt8> {
  /// The unsigned integer of `size` bytes at `offset`, counted from the slice's first byte.
  package func integer(at offset: Int, _ size: Int, _ order: ByteOrder) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size {
      let digit = order == .big ? index : size - 1 - index
      value = value << 8 | UInt64(self[startIndex + offset + digit])
    }
    return value
  }

  /// Whether the bytes at `offset`, counted from the slice's first byte, are these ASCII characters.
  package func has(_ text: String, at offset: Int) -> Bool {
    dropFirst(offset).starts(with: text.utf8)
  }
}
