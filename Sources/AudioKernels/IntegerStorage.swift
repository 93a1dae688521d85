// SPDX-License-Identifier: Apache-2.0
// Loads and stores of one integer sample at any alignment: a type for each storage. `swapped` reverses the machine's
// own byte order.

enum Signed8 {
  @_noAllocation @_noLocks @inline(__always)
  static func load(_ bytes: UnsafeRawPointer) -> Int32 {
    unsafe Int32(bytes.load(as: Int8.self))
  }

  @_noAllocation @_noLocks @inline(__always)
  static func store(_ value: Int32, to bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: Int8(truncatingIfNeeded: value), as: Int8.self)
  }
}

/// Offset binary: 128 is zero.
enum Unsigned8 {
  @_noAllocation @_noLocks @inline(__always)
  static func load(_ bytes: UnsafeRawPointer) -> Int32 {
    unsafe Int32(bytes.load(as: UInt8.self)) &- 128
  }

  @_noAllocation @_noLocks @inline(__always)
  static func store(_ value: Int32, to bytes: UnsafeMutableRawPointer) {
    unsafe bytes.storeBytes(of: UInt8(truncatingIfNeeded: value &+ 128), as: UInt8.self)
  }
}

enum Signed16 {
  @_noAllocation @_noLocks @inline(__always)
  static func load(_ bytes: UnsafeRawPointer, swapped: Bool) -> Int32 {
    let word = unsafe bytes.loadUnaligned(as: Int16.self)
    return Int32(swapped ? word.byteSwapped : word)
  }

  @_noAllocation @_noLocks @inline(__always)
  static func store(_ value: Int32, to bytes: UnsafeMutableRawPointer, swapped: Bool) {
    let word = Int16(truncatingIfNeeded: value)
    unsafe bytes.storeBytes(of: swapped ? word.byteSwapped : word, as: Int16.self)
  }
}

enum Signed32 {
  @_noAllocation @_noLocks @inline(__always)
  static func load(_ bytes: UnsafeRawPointer, swapped: Bool) -> Int32 {
    let word = unsafe bytes.loadUnaligned(as: Int32.self)
    return swapped ? word.byteSwapped : word
  }

  @_noAllocation @_noLocks @inline(__always)
  static func store(_ value: Int32, to bytes: UnsafeMutableRawPointer, swapped: Bool) {
    unsafe bytes.storeBytes(of: swapped ? value.byteSwapped : value, as: Int32.self)
  }
}

/// 24 bits in three bytes.
enum Packed24 {
  @_noAllocation @_noLocks @inline(__always)
  static func load(_ bytes: UnsafeRawPointer, swapped: Bool) -> Int32 {
    let first = unsafe Int32(bytes.load(as: UInt8.self))
    let middle = unsafe Int32(bytes.load(fromByteOffset: 1, as: UInt8.self))
    let last = unsafe Int32(bytes.load(fromByteOffset: 2, as: UInt8.self))
    let high = isBigEndian != swapped ? first : last
    let low = isBigEndian != swapped ? last : first
    return ((high &<< 24) | (middle &<< 16) | (low &<< 8)) &>> 8
  }

  @_noAllocation @_noLocks @inline(__always)
  static func store(_ value: Int32, to bytes: UnsafeMutableRawPointer, swapped: Bool) {
    let low = UInt8(truncatingIfNeeded: value)
    let middle = UInt8(truncatingIfNeeded: value &>> 8)
    let high = UInt8(truncatingIfNeeded: value &>> 16)
    unsafe bytes.storeBytes(of: isBigEndian != swapped ? high : low, as: UInt8.self)
    unsafe bytes.storeBytes(of: middle, toByteOffset: 1, as: UInt8.self)
    unsafe bytes.storeBytes(
      of: isBigEndian != swapped ? low : high, toByteOffset: 2, as: UInt8.self)
  }

  @_transparent
  private static var isBigEndian: Bool {
    #if _endian(big)
    true
    #else
    false
    #endif
  }
}

/// 24 bits in the low three bytes of four; the fourth repeats the sign and is ignored when read.
enum Padded24 {
  @_noAllocation @_noLocks @inline(__always)
  static func load(_ bytes: UnsafeRawPointer, swapped: Bool) -> Int32 {
    let word = unsafe bytes.loadUnaligned(as: Int32.self)
    return ((swapped ? word.byteSwapped : word) &<< 8) &>> 8
  }

  @_noAllocation @_noLocks @inline(__always)
  static func store(_ value: Int32, to bytes: UnsafeMutableRawPointer, swapped: Bool) {
    unsafe bytes.storeBytes(of: swapped ? value.byteSwapped : value, as: Int32.self)
  }
}
