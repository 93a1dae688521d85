// SPDX-License-Identifier: Apache-2.0
// Multiplication of sample frames by changing factors: fades, crossfades, glides.

extension Float {
  /// Multiplies sample frames of `width` samples in place, each by its factor, in double precision.
  @_noAllocation @_noLocks
  static func scale(
    _ samples: UnsafeMutablePointer<Float>, by factors: UnsafePointer<Double>, count: Int,
    width: Int
  ) {
    // Constant widths turn the loop into vector shuffles.
    switch width {
    case 1:
      for index in 0..<count {
        unsafe samples[index] = Float(Double(samples[index]) * factors[index])
      }
    case 2:
      for index in 0..<count {
        let (place, factor) = unsafe (index &* 2, factors[index])
        unsafe samples[place] = Float(Double(samples[place]) * factor)
        unsafe samples[place &+ 1] = Float(Double(samples[place &+ 1]) * factor)
      }
    default:
      for index in 0..<count {
        let (first, factor) = unsafe (samples + index &* width, factors[index])
        for channel in 0..<width {
          unsafe first[channel] = Float(Double(first[channel]) * factor)
        }
      }
    }
  }

  /// Writes the sums of two streams' sample frames of `width` samples, each multiplied by its factor, in double
  /// precision.
  @_noAllocation @_noLocks
  static func blend(
    _ old: UnsafePointer<Float>, by oldFactors: UnsafePointer<Double>,
    _ new: UnsafePointer<Float>, by newFactors: UnsafePointer<Double>, count: Int, width: Int,
    to target: UnsafeMutablePointer<Float>
  ) {
    switch width {
    case 1: unsafe blendFrames(old, oldFactors, new, newFactors, count, 1, target)
    case 2: unsafe blendFrames(old, oldFactors, new, newFactors, count, 2, target)
    default: unsafe blendFrames(old, oldFactors, new, newFactors, count, width, target)
    }
  }

  @_noAllocation @_noLocks @inline(__always)
  private static func blendFrames(
    _ old: UnsafePointer<Float>, _ oldFactors: UnsafePointer<Double>,
    _ new: UnsafePointer<Float>, _ newFactors: UnsafePointer<Double>, _ count: Int, _ width: Int,
    _ target: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      let (oldFactor, newFactor) = unsafe (oldFactors[index], newFactors[index])
      for channel in 0..<width {
        let place = index &* width &+ channel
        let sum = unsafe Double(old[place]) * oldFactor + Double(new[place]) * newFactor
        unsafe (target + place).initialize(to: Float(sum))
      }
    }
  }
}

extension Double {
  /// Multiplies sample frames of `width` samples in place, each by its factor.
  @_noAllocation @_noLocks
  static func scale(
    _ samples: UnsafeMutablePointer<Double>, by factors: UnsafePointer<Double>, count: Int,
    width: Int
  ) {
    // Constant widths turn the loop into vector shuffles.
    switch width {
    case 1:
      for index in 0..<count { unsafe samples[index] *= factors[index] }
    case 2:
      for index in 0..<count {
        let (place, factor) = unsafe (index &* 2, factors[index])
        unsafe samples[place] *= factor
        unsafe samples[place &+ 1] *= factor
      }
    default:
      for index in 0..<count {
        let (first, factor) = unsafe (samples + index &* width, factors[index])
        for channel in 0..<width { unsafe first[channel] *= factor }
      }
    }
  }

  /// Writes the sums of two streams' sample frames of `width` samples, each multiplied by its factor.
  @_noAllocation @_noLocks
  static func blend(
    _ old: UnsafePointer<Double>, by oldFactors: UnsafePointer<Double>,
    _ new: UnsafePointer<Double>, by newFactors: UnsafePointer<Double>, count: Int, width: Int,
    to target: UnsafeMutablePointer<Double>
  ) {
    switch width {
    case 1: unsafe blendFrames(old, oldFactors, new, newFactors, count, 1, target)
    case 2: unsafe blendFrames(old, oldFactors, new, newFactors, count, 2, target)
    default: unsafe blendFrames(old, oldFactors, new, newFactors, count, width, target)
    }
  }

  @_noAllocation @_noLocks @inline(__always)
  private static func blendFrames(
    _ old: UnsafePointer<Double>, _ oldFactors: UnsafePointer<Double>,
    _ new: UnsafePointer<Double>, _ newFactors: UnsafePointer<Double>, _ count: Int, _ width: Int,
    _ target: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<count {
      let (oldFactor, newFactor) = unsafe (oldFactors[index], newFactors[index])
      for channel in 0..<width {
        let place = index &* width &+ channel
        let sum = unsafe old[place] * oldFactor + new[place] * newFactor
        unsafe (target + place).initialize(to: sum)
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
