// SPDX-License-Identifier: Apache-2.0
extension Float {
  @_noAllocation @_noLocks
  static func add(
    _ samples: UnsafePointer<Float>, count: Int, to total: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      unsafe total[index] += samples[index]
    }
  }

  @_noAllocation @_noLocks
  static func scale(_ samples: UnsafeMutablePointer<Float>, count: Int, by factor: Double) {
    for index in 0..<count {
      unsafe samples[index] = Float(Double(samples[index]) * factor)
    }
  }

  /// Writes `samples`, multiplied by `factor` in double precision.
  @_noAllocation @_noLocks
  static func scale(
    _ samples: UnsafePointer<Float>, count: Int, by factor: Double,
    to target: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      unsafe (target + index).initialize(to: Float(Double(samples[index]) * factor))
    }
  }

  /// Replaces each sample of `target` by the mean of itself and of every second sample frame of `samples`.
  @_noAllocation @_noLocks
  static func addHalves(
    _ samples: UnsafePointer<Float>, count: Int, width: Int, to target: UnsafeMutablePointer<Float>
  ) {
    if width == 1 {
      for index in 0..<count {
        unsafe target[index] = (target[index] + samples[index &* 2]) * 0.5
      }
      return
    }
    for index in 0..<count {
      for channel in 0..<width {
        let place = index &* width &+ channel
        unsafe target[place] = (target[place] + samples[index &* 2 &* width &+ channel]) * 0.5
      }
    }
  }

  /// Writes or adds the samples at multiples of `stride`, multiplied by `factor`.
  @_noAllocation @_noLocks
  static func combine(
    _ samples: UnsafePointer<Float>, every stride: Int, count: Int, by factor: Float, adding: Bool,
    to target: UnsafeMutablePointer<Float>, every targetStride: Int
  ) {
    // Constant strides turn the loop into vector shuffles.
    switch (stride, targetStride) {
    case (2, 1): unsafe combineStrided(samples, 2, count, factor, adding, target, 1)
    case (1, 2): unsafe combineStrided(samples, 1, count, factor, adding, target, 2)
    case (2, 2): unsafe combineStrided(samples, 2, count, factor, adding, target, 2)
    default:
      unsafe combineStrided(samples, stride, count, factor, adding, target, targetStride)
    }
  }

  @_noAllocation @_noLocks @inline(__always)
  private static func combineStrided(
    _ samples: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ factor: Float, _ adding: Bool,
    _ target: UnsafeMutablePointer<Float>, _ targetStride: Int
  ) {
    if adding {
      for index in 0..<count {
        unsafe target[index &* targetStride] += samples[index &* stride] * factor
      }
    } else {
      for index in 0..<count {
        unsafe (target + index &* targetStride).initialize(to: samples[index &* stride] * factor)
      }
    }
  }
}

extension Double {
  @_noAllocation @_noLocks
  static func add(
    _ samples: UnsafePointer<Double>, count: Int, to total: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<count {
      unsafe total[index] += samples[index]
    }
  }

  @_noAllocation @_noLocks
  static func scale(_ samples: UnsafeMutablePointer<Double>, count: Int, by factor: Double) {
    for index in 0..<count {
      unsafe samples[index] *= factor
    }
  }

  /// Writes `samples`, multiplied by `factor` in double precision.
  @_noAllocation @_noLocks
  static func scale(
    _ samples: UnsafePointer<Double>, count: Int, by factor: Double,
    to target: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<count {
      unsafe (target + index).initialize(to: samples[index] * factor)
    }
  }

  /// Replaces each sample of `target` by the mean of itself and of every second sample frame of `samples`.
  @_noAllocation @_noLocks
  static func addHalves(
    _ samples: UnsafePointer<Double>, count: Int, width: Int,
    to target: UnsafeMutablePointer<Double>
  ) {
    if width == 1 {
      for index in 0..<count {
        unsafe target[index] = (target[index] + samples[index &* 2]) * 0.5
      }
      return
    }
    for index in 0..<count {
      for channel in 0..<width {
        let place = index &* width &+ channel
        unsafe target[place] = (target[place] + samples[index &* 2 &* width &+ channel]) * 0.5
      }
    }
  }

  /// Writes or adds the samples at multiples of `stride`, multiplied by `factor`.
  @_noAllocation @_noLocks
  static func combine(
    _ samples: UnsafePointer<Double>, every stride: Int, count: Int, by factor: Double,
    adding: Bool,
    to target: UnsafeMutablePointer<Double>, every targetStride: Int
  ) {
    // Constant strides turn the loop into vector shuffles.
    switch (stride, targetStride) {
    case (2, 1): unsafe combineStrided(samples, 2, count, factor, adding, target, 1)
    case (1, 2): unsafe combineStrided(samples, 1, count, factor, adding, target, 2)
    case (2, 2): unsafe combineStrided(samples, 2, count, factor, adding, target, 2)
    default:
      unsafe combineStrided(samples, stride, count, factor, adding, target, targetStride)
    }
  }

  @_noAllocation @_noLocks @inline(__always)
  private static func combineStrided(
    _ samples: UnsafePointer<Double>, _ stride: Int, _ count: Int, _ factor: Double, _ adding: Bool,
    _ target: UnsafeMutablePointer<Double>, _ targetStride: Int
  ) {
    if adding {
      for index in 0..<count {
        unsafe target[index &* targetStride] += samples[index &* stride] * factor
      }
    } else {
      for index in 0..<count {
        unsafe (target + index &* targetStride).initialize(to: samples[index &* stride] * factor)
      }
    }
  }
}

extension Float {
  /// The sum of products in 16 lanes, which are then added pairwise; a shorter rest is added one by one.
  ///
  /// Multiplications and additions are never fused, so that the result does not depend on the processor.
  @_noAllocation @_noLocks @inline(__always)
  package static func dotProduct(
    _ coefficients: UnsafePointer<Float>, _ samples: UnsafePointer<Float>, count: Int
  ) -> Float {
    let whole = count & ~15
    var lanes = SIMD16<Float>(repeating: 0)
    var index = 0
    while index < whole {
      unsafe lanes += lanesOf(coefficients, index) * lanesOf(samples, index)
      index &+= 16
    }
    var sum = sumOfLanes(lanes)
    while index < count {
      unsafe sum += coefficients[index] * samples[index]
      index &+= 1
    }
    return sum
  }

  /// Two sums of products that share the loads of their coefficients; each equals `dotProduct` bit for bit.
  @_noAllocation @_noLocks @inline(__always)
  package static func dotProducts(
    _ coefficients: UnsafePointer<Float>, _ left: UnsafePointer<Float>,
    _ right: UnsafePointer<Float>,
    count: Int
  ) -> (left: Float, right: Float) {
    let whole = count & ~15
    var leftLanes = SIMD16<Float>(repeating: 0)
    var rightLanes = SIMD16<Float>(repeating: 0)
    var index = 0
    while index < whole {
      let factors = unsafe lanesOf(coefficients, index)
      unsafe leftLanes += factors * lanesOf(left, index)
      unsafe rightLanes += factors * lanesOf(right, index)
      index &+= 16
    }
    var leftSum = sumOfLanes(leftLanes)
    var rightSum = sumOfLanes(rightLanes)
    while index < count {
      unsafe leftSum += coefficients[index] * left[index]
      unsafe rightSum += coefficients[index] * right[index]
      index &+= 1
    }
    return (leftSum, rightSum)
  }
}

extension Double {
  /// The sum of products in 8 lanes, which are then added pairwise; a shorter rest is added one by one.
  ///
  /// Multiplications and additions are never fused, so that the result does not depend on the processor.
  @_noAllocation @_noLocks @inline(__always)
  package static func dotProduct(
    _ coefficients: UnsafePointer<Double>, _ samples: UnsafePointer<Double>, count: Int
  ) -> Double {
    let whole = count & ~7
    var lanes = SIMD8<Double>(repeating: 0)
    var index = 0
    while index < whole {
      unsafe lanes += lanesOf(coefficients, index) * lanesOf(samples, index)
      index &+= 8
    }
    var sum = sumOfLanes(lanes)
    while index < count {
      unsafe sum += coefficients[index] * samples[index]
      index &+= 1
    }
    return sum
  }

  /// Two sums of products that share the loads of their coefficients; each equals `dotProduct` bit for bit.
  @_noAllocation @_noLocks @inline(__always)
  package static func dotProducts(
    _ coefficients: UnsafePointer<Double>, _ left: UnsafePointer<Double>,
    _ right: UnsafePointer<Double>,
    count: Int
  ) -> (left: Double, right: Double) {
    let whole = count & ~7
    var leftLanes = SIMD8<Double>(repeating: 0)
    var rightLanes = SIMD8<Double>(repeating: 0)
    var index = 0
    while index < whole {
      let factors = unsafe lanesOf(coefficients, index)
      unsafe leftLanes += factors * lanesOf(left, index)
      unsafe rightLanes += factors * lanesOf(right, index)
      index &+= 8
    }
    var leftSum = sumOfLanes(leftLanes)
    var rightSum = sumOfLanes(rightLanes)
    while index < count {
      unsafe leftSum += coefficients[index] * left[index]
      unsafe rightSum += coefficients[index] * right[index]
      index &+= 1
    }
    return (leftSum, rightSum)
  }
}
