// SPDX-License-Identifier: Apache-2.0
extension KernelSample {
  /// Encodes `count` samples at any alignment; returns the number out of range.
  @inline(__always)
  static func encode(
    _ source: UnsafePointer<Self>, count: Int, as storage: SampleStorage, swapped: Bool,
    to target: UnsafeMutableRawPointer
  ) -> Int {
    switch storage {
    case .s8:
      return unsafe encodeNarrow(source, count, 1, 0x1p7, target) {
        unsafe Signed8.store($0, to: $1)
      }
    case .u8:
      return unsafe encodeNarrow(source, count, 1, 0x1p7, target) {
        unsafe Unsigned8.store($0, to: $1)
      }
    case .s16:
      return unsafe encodeNarrow(source, count, 2, 0x1p15, target) {
        unsafe Signed16.store($0, to: $1, swapped: swapped)
      }
    case .s24:
      return unsafe encodeWide(source, count, 3, 0x1p23, target) {
        unsafe Packed24.store($0, to: $1, swapped: swapped)
      }
    case .s24In32:
      return unsafe encodeWide(source, count, 4, 0x1p23, target) {
        unsafe Padded24.store($0, to: $1, swapped: swapped)
      }
    case .s32:
      return unsafe encodeWide(source, count, 4, 0x1p31, target) {
        unsafe Signed32.store($0, to: $1, swapped: swapped)
      }
    case .f32: return unsafe encodeSingle(source, count, swapped, target)
    case .f64: return unsafe encodeDouble(source, count, swapped, target)
    case .ulaw: return unsafe encodeCodes(source, count, target) { MuLaw.encode($0) }
    case .alaw: return unsafe encodeCodes(source, count, target) { ALaw.encode($0) }
    }
  }
}

/// Stores samples as 32-bit floating point; returns the number of samples that round to infinity or NaN.
///
/// A finite sample beyond the range becomes the largest number of its sign; infinities and NaN stay. Only a block
/// with such a sample is processed again.
@inline(__always)
private func encodeSingle<Sample: KernelSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, _ swapped: Bool, _ target: UnsafeMutableRawPointer
) -> Int {
  var outside = 0
  var start = 0
  while start < count {
    let end = min(start &+ 1024, count)
    var largest: UInt32 = 0
    for index in start..<end {
      let word = unsafe source[index].asFloat.bitPattern
      largest = max(largest, word & 0x7FFF_FFFF)
      unsafe target.storeBytes(
        of: swapped ? word.byteSwapped : word, toByteOffset: index &* 4, as: UInt32.self)
    }
    if largest >= Float.infinity.bitPattern {
      for index in start..<end {
        let value = unsafe source[index]
        guard !value.asFloat.isFinite else { continue }
        outside &+= 1
        guard value.isFinite else { continue }
        let limit: Float = value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
        let word = limit.bitPattern
        unsafe target.storeBytes(
          of: swapped ? word.byteSwapped : word, toByteOffset: index &* 4, as: UInt32.self)
      }
    }
    start = end
  }
  return outside
}

/// Stores samples as 64-bit floating point; returns the number of infinities and NaN.
@inline(__always)
private func encodeDouble<Sample: KernelSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, _ swapped: Bool, _ target: UnsafeMutableRawPointer
) -> Int {
  var outside = 0
  var start = 0
  while start < count {
    let end = min(start &+ 1024, count)
    var largest: UInt64 = 0
    for index in start..<end {
      let word = unsafe source[index].asDouble.bitPattern
      largest = max(largest, word & 0x7FFF_FFFF_FFFF_FFFF)
      unsafe target.storeBytes(
        of: swapped ? word.byteSwapped : word, toByteOffset: index &* 8, as: UInt64.self)
    }
    if largest >= Double.infinity.bitPattern {
      for index in start..<end where unsafe !source[index].isFinite { outside &+= 1 }
    }
    start = end
  }
  return outside
}

extension Float {
  /// Encodes samples as integers of full scale `scale`; returns the number out of range.
  ///
  /// Rounds to nearest, ties to even, by adding 1.5 × 2^23: the sum's last bit then weighs 1, and its pattern, less
  /// that of the constant, is the integer. Patterns grow with the numbers, so NaN and numbers out of range give integers
  /// out of range. Only a block with such a sample goes through `saturate`. Right below 2^22, so for 8 and 16 bits.
  @inline(__always)
  static func encodeNarrow(
    _ source: UnsafePointer<Float>, _ count: Int, _ stride: Int, _ scale: Double,
    _ target: UnsafeMutableRawPointer, _ store: (Int32, UnsafeMutableRawPointer) -> Void
  ) -> Int {
    let lowest = Int32(-scale)
    let factor = Float(scale)
    var outside = 0
    var start = 0
    while start < count {
      let end = min(start &+ 1024, count)
      var seen: UInt32 = 0
      for index in start..<end {
        let shifted = unsafe source[index] * factor + 0x1.8p23
        let integer = Int32(bitPattern: shifted.bitPattern &- (0x1.8p23 as Float).bitPattern)
        seen |= UInt32(bitPattern: integer &- lowest)
        unsafe store(integer, target + index &* stride)
      }
      if seen >= UInt32(2 * scale) {
        for index in start..<end {
          let (integer, beyond) = unsafe saturate(
            Double(source[index]) * scale, scale)
          unsafe store(integer, target + index &* stride)
          outside &+= beyond
        }
      }
      start = end
    }
    return outside
  }
}

extension Double {
  @inline(__always)
  static func encodeNarrow(
    _ source: UnsafePointer<Double>, _ count: Int, _ stride: Int, _ scale: Double,
    _ target: UnsafeMutableRawPointer, _ store: (Int32, UnsafeMutableRawPointer) -> Void
  ) -> Int {
    unsafe encodeWide(source, count, stride, scale, target, store)
  }
}

/// Encodes as `encodeNarrow` does, but in double precision: 1.5 × 2^52 also serves 24 and 32 bits.
@inline(__always)
private func encodeWide<Sample: KernelSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, _ stride: Int, _ scale: Double,
  _ target: UnsafeMutableRawPointer, _ store: (Int32, UnsafeMutableRawPointer) -> Void
) -> Int {
  let lowest = Int64(-scale)
  var outside = 0
  var start = 0
  while start < count {
    let end = min(start &+ 1024, count)
    var seen: UInt64 = 0
    for index in start..<end {
      let shifted = unsafe source[index].asDouble * scale + 0x1.8p52
      let integer = Int64(bitPattern: shifted.bitPattern &- (0x1.8p52 as Double).bitPattern)
      seen |= UInt64(bitPattern: integer &- lowest)
      unsafe store(Int32(truncatingIfNeeded: integer), target + index &* stride)
    }
    if seen >= UInt64(2 * scale) {
      for index in start..<end {
        let (integer, beyond) = unsafe saturate(source[index].asDouble * scale, scale)
        unsafe store(integer, target + index &* stride)
        outside &+= beyond
      }
    }
    start = end
  }
  return outside
}

/// The integer nearest to `value`, ties to even, within −`scale` to `scale` − 1; 0 for NaN. `outside` is 0 if the
/// nearest integer is within, else 1.
@inline(__always)
private func saturate(_ value: Double, _ scale: Double) -> (integer: Int32, outside: Int) {
  let highest = scale - 1
  let number = value == value ? value : 0
  let raised = number > -scale ? number : -scale
  let limited = raised < highest ? raised : highest
  let shifted = limited + 0x1.8p52
  let integer = Int32(truncatingIfNeeded: shifted.bitPattern &- (0x1.8p52 as Double).bitPattern)
  // Without branches, so that the compiler vectorises the loop.
  let isHighEnough = value >= -scale - 0.5 ? 1 : 0
  let isLowEnough = value < highest + 0.5 ? 1 : 0
  return (integer, 1 &- (isHighEnough & isLowEnough))
}

/// Encodes samples by G.711; returns the number beyond the range of s16 or NaN (stored as 0).
@inline(__always)
private func encodeCodes<Sample: KernelSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, _ target: UnsafeMutableRawPointer,
  _ encode: (Double) -> UInt8
) -> Int {
  var outside = 0
  for index in 0..<count {
    let value = unsafe source[index].asDouble
    let isInside = value * 0x1p15 >= -32768.5 && value * 0x1p15 < 32767.5
    outside &+= isInside ? 0 : 1
    unsafe target.storeBytes(
      of: encode(value == value ? value : 0), toByteOffset: index, as: UInt8.self)
  }
  return outside
}
