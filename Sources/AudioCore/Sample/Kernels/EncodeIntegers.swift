/// Encodes samples as integers of full scale `scale`; returns how many were out of range.
///
/// Rounds to nearest, ties to even, by adding 1.5 × 2^23: the sum's last bit then weighs 1, and its
/// pattern, less that of the constant, is the integer. Patterns grow with the numbers, so an integer
/// is in range where its sample is a number whose rounded value is; only a block with another one goes
/// through `saturate`. Right below 2^22, so for 8 and 16 bits.
@_noAllocation @_noLocks @inline(__always)
func encodeNarrow(
  _ source: UnsafePointer<Float>, _ count: Int, _ stride: Int, _ scale: Float,
  _ target: UnsafeMutableRawPointer, _ store: (Int32, UnsafeMutableRawPointer) -> Void
) -> Int {
  let lowest = Int32(-scale)
  var outside = 0
  var start = 0
  while start < count {
    let end = min(start &+ 1024, count)
    var seen: UInt32 = 0
    for index in start..<end {
      let shifted = unsafe source[index] * scale + 0x1.8p23
      let integer = Int32(bitPattern: shifted.bitPattern &- (0x1.8p23 as Float).bitPattern)
      seen |= UInt32(bitPattern: integer &- lowest)
      unsafe store(integer, target + index &* stride)
    }
    if seen >= UInt32(2 * scale) {
      for index in start..<end {
        let (integer, isInside) = unsafe saturate(
          Double(source[index]) * Double(scale), Double(scale))
        unsafe store(integer, target + index &* stride)
        outside &+= isInside ? 0 : 1
      }
    }
    start = end
  }
  return outside
}

/// The same as `encodeNarrow`, in double precision, where 1.5 × 2^52 serves 24 and 32 bits too.
@_noAllocation @_noLocks @inline(__always)
func encodeWide(
  _ count: Int, _ stride: Int, _ scale: Double, _ target: UnsafeMutableRawPointer,
  _ sample: (Int) -> Double, _ store: (Int32, UnsafeMutableRawPointer) -> Void
) -> Int {
  let lowest = Int64(-scale)
  var outside = 0
  var start = 0
  while start < count {
    let end = min(start &+ 1024, count)
    var seen: UInt64 = 0
    for index in start..<end {
      let shifted = sample(index) * scale + 0x1.8p52
      let integer = Int64(bitPattern: shifted.bitPattern &- (0x1.8p52 as Double).bitPattern)
      seen |= UInt64(bitPattern: integer &- lowest)
      unsafe store(Int32(truncatingIfNeeded: integer), target + index &* stride)
    }
    if seen >= UInt64(2 * scale) {
      for index in start..<end {
        let (integer, isInside) = saturate(sample(index) * scale, scale)
        unsafe store(integer, target + index &* stride)
        outside &+= isInside ? 0 : 1
      }
    }
    start = end
  }
  return outside
}

/// The integer nearest to `value`, ties to even, within −`scale` to `scale` − 1; 0 for what is not a
/// number.
@_noAllocation @_noLocks @inline(__always)
private func saturate(_ value: Double, _ scale: Double) -> (integer: Int32, isInside: Bool) {
  let highest = scale - 1
  let number = value == value ? value : 0
  let raised = number > -scale ? number : -scale
  let limited = raised < highest ? raised : highest
  let shifted = limited + 0x1.8p52
  let integer = Int32(truncatingIfNeeded: shifted.bitPattern &- (0x1.8p52 as Double).bitPattern)
  return (integer, value >= -scale - 0.5 && value < highest + 0.5)
}
