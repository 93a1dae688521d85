/// Encodes samples by G.711; returns how many were beyond the range of s16 or not a number (stored
/// as 0).
@_noAllocation @_noLocks @inline(__always)
func encodeCodes(
  _ count: Int, _ target: UnsafeMutableRawPointer,
  _ sample: (Int) -> Double, _ encode: (Double) -> UInt8
) -> Int {
  var outside = 0
  for index in 0..<count {
    let value = sample(index)
    let isInside = value * 0x1p15 >= -32768.5 && value * 0x1p15 < 32767.5
    outside &+= isInside ? 0 : 1
    unsafe target.storeBytes(
      of: encode(value == value ? value : 0), toByteOffset: index, as: UInt8.self)
  }
  return outside
}
