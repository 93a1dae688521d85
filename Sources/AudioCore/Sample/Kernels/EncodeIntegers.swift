/// Encodes samples as integers of full scale `scale`; returns how many were out of range.
///
/// Rounds to nearest, ties to even, by adding 1.5 × 2^23: the sum's last bit then weighs 1, and its
/// pattern, less that of the constant, is the integer. Right below 2^22, so for 8 and 16 bits.
@_noAllocation @_noLocks @inline(__always)
func encodeNarrow(
  _ source: UnsafePointer<Float>, _ count: Int, _ stride: Int, _ scale: Float,
  _ target: UnsafeMutableRawPointer, _ store: (Int32, UnsafeMutableRawPointer) -> Void
) -> Int {
  let highest = scale - 1
  var outside = 0
  var start = 0
  while start < count {
    // A count of 32 bits a block keeps the loop's lanes as narrow as its samples.
    let end = min(start &+ 4096, count)
    var outsideBlock: UInt32 = 0
    for index in start..<end {
      let value = unsafe source[index] * scale
      let isInside = value >= -scale - 0.5 && value < highest + 0.5
      outsideBlock &+= isInside ? 0 : 1
      let number = value == value ? value : 0
      let raised = number > -scale ? number : -scale
      let limited = raised < highest ? raised : highest
      let shifted = limited + 0x1.8p23
      let integer = Int32(truncatingIfNeeded: shifted.bitPattern &- (0x1.8p23 as Float).bitPattern)
      unsafe store(integer, target + index &* stride)
    }
    outside &+= Int(outsideBlock)
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
  let highest = scale - 1
  var outside = 0
  var start = 0
  while start < count {
    // A count of 32 bits a block keeps the loop's lanes as narrow as its samples.
    let end = min(start &+ 4096, count)
    var outsideBlock: UInt32 = 0
    for index in start..<end {
      let value = sample(index) * scale
      let isInside = value >= -scale - 0.5 && value < highest + 0.5
      outsideBlock &+= isInside ? 0 : 1
      let number = value == value ? value : 0
      let raised = number > -scale ? number : -scale
      let limited = raised < highest ? raised : highest
      let shifted = limited + 0x1.8p52
      let integer = Int32(truncatingIfNeeded: shifted.bitPattern &- (0x1.8p52 as Double).bitPattern)
      unsafe store(integer, target + index &* stride)
    }
    outside &+= Int(outsideBlock)
    start = end
  }
  return outside
}
