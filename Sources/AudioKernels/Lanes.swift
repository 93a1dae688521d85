// SPDX-License-Identifier: Apache-2.0
/// The lanes of 64 bytes of samples from `index` on.
@_noAllocation @_noLocks @inline(__always)
func lanesOf(_ samples: UnsafePointer<Float>, _ index: Int) -> SIMD16<Float> {
  unsafe UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD16<Float>.self)
}

/// The sum of all lanes, pair by pair.
@_noAllocation @_noLocks @inline(__always)
func sumOfLanes(_ lanes: SIMD16<Float>) -> Float {
  let eight = lanes.lowHalf + lanes.highHalf
  let four = eight.lowHalf + eight.highHalf
  let two = four.lowHalf + four.highHalf
  return two.x + two.y
}

/// The lanes of 64 bytes of samples from `index` on.
@_noAllocation @_noLocks @inline(__always)
func lanesOf(_ samples: UnsafePointer<Double>, _ index: Int) -> SIMD8<Double> {
  unsafe UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Double>.self)
}

/// The sum of all lanes, pair by pair.
@_noAllocation @_noLocks @inline(__always)
func sumOfLanes(_ lanes: SIMD8<Double>) -> Double {
  let four = lanes.lowHalf + lanes.highHalf
  let two = four.lowHalf + four.highHalf
  return two.x + two.y
}
