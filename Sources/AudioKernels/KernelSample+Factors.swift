// SPDX-License-Identifier: Apache-2.0
// Multiplication of sample frames by changing factors: fades, crossfades, glides.

extension KernelSample {
  /// Multiplies sample frames of `width` samples in place, each by its factor, in double precision.
  @inline(__always)
  static func scale(
    _ samples: UnsafeMutablePointer<Self>, by factors: UnsafePointer<Double>, count: Int, width: Int
  ) {
    // Constant widths turn the loop into vector shuffles.
    switch width {
    case 1: unsafe scaleFrames(samples, factors, count, 1)
    case 2: unsafe scaleFrames(samples, factors, count, 2)
    default: unsafe scaleFrames(samples, factors, count, width)
    }
  }

  @inline(__always)
  private static func scaleFrames(
    _ samples: UnsafeMutablePointer<Self>, _ factors: UnsafePointer<Double>, _ count: Int,
    _ width: Int
  ) {
    for index in 0..<count {
      let (first, factor) = unsafe (samples + index &* width, factors[index])
      for channel in 0..<width {
        unsafe first[channel] = Self(first[channel].asDouble * factor)
      }
    }
  }

  /// Writes the sums of two streams' sample frames of `width` samples, each multiplied by its factor, in double
  /// precision.
  @inline(__always)
  static func blend(
    _ old: UnsafePointer<Self>, by oldFactors: UnsafePointer<Double>,
    _ new: UnsafePointer<Self>, by newFactors: UnsafePointer<Double>, count: Int, width: Int,
    to target: UnsafeMutablePointer<Self>
  ) {
    switch width {
    case 1: unsafe blendFrames(old, oldFactors, new, newFactors, count, 1, target)
    case 2: unsafe blendFrames(old, oldFactors, new, newFactors, count, 2, target)
    default: unsafe blendFrames(old, oldFactors, new, newFactors, count, width, target)
    }
  }

  @inline(__always)
  private static func blendFrames(
    _ old: UnsafePointer<Self>, _ oldFactors: UnsafePointer<Double>,
    _ new: UnsafePointer<Self>, _ newFactors: UnsafePointer<Double>, _ count: Int, _ width: Int,
    _ target: UnsafeMutablePointer<Self>
  ) {
    for index in 0..<count {
      let (oldFactor, newFactor) = unsafe (oldFactors[index], newFactors[index])
      for channel in 0..<width {
        let place = index &* width &+ channel
        let sum = unsafe old[place].asDouble * oldFactor + new[place].asDouble * newFactor
        unsafe (target + place).initialize(to: Self(sum))
      }
    }
  }
}

/// Writes consecutive places of a fade as fractions, 0 to 1: first ⁄ whole, (first + 1) ⁄ whole, and so on; a falling
/// fade gets 1 less that.
@_noAllocation @_noLocks
func writeRamp(
  from first: Double, of whole: Double, isFalling: Bool, count: Int,
  to target: UnsafeMutablePointer<Double>
) {
  for index in 0..<count {
    // Exact for whole numbers; every processor converts 32-bit integers to floating point in vectors.
    let place = (first + Double(Int32(truncatingIfNeeded: index))) / whole
    unsafe target[index] = min(1, max(0, isFalling ? 1 - place : place))
  }
}
