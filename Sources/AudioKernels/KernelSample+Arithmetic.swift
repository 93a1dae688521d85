// SPDX-License-Identifier: Apache-2.0
extension KernelSample {
  @inline(__always)
  static func add(
    _ samples: UnsafePointer<Self>, count: Int, to total: UnsafeMutablePointer<Self>
  ) {
    for index in 0..<count {
      unsafe total[index] += samples[index]
    }
  }

  /// Multiplies samples by `factor` in double precision.
  @inline(__always)
  static func scale(_ samples: UnsafeMutablePointer<Self>, count: Int, by factor: Double) {
    for index in 0..<count {
      unsafe samples[index] = Self(samples[index].asDouble * factor)
    }
  }

  /// Writes `samples`, multiplied by `factor` in double precision. `target` is other memory.
  @inline(__always)
  static func scale(
    _ samples: UnsafePointer<Self>, count: Int, by factor: Double,
    to target: UnsafeMutablePointer<Self>
  ) {
    for index in 0..<count {
      unsafe (target + index).initialize(to: Self(samples[index].asDouble * factor))
    }
  }

  /// Writes or adds the samples at multiples of `stride`, multiplied by `factor`.
  @inline(__always)
  static func combine(
    _ samples: UnsafePointer<Self>, every stride: Int, count: Int, by factor: Self, adding: Bool,
    to target: UnsafeMutablePointer<Self>, every targetStride: Int
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

  @inline(__always)
  private static func combineStrided(
    _ samples: UnsafePointer<Self>, _ stride: Int, _ count: Int, _ factor: Self, _ adding: Bool,
    _ target: UnsafeMutablePointer<Self>, _ targetStride: Int
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

  /// The sum of products in lanes, which are then added pairwise; a shorter rest is added one by one.
  ///
  /// Multiplications and additions are never fused, so that the result does not depend on the processor.
  @inline(__always)
  static func dotProduct(
    _ coefficients: UnsafePointer<Self>, _ samples: UnsafePointer<Self>, count: Int
  ) -> Self {
    let whole = count & ~(laneCount &- 1)
    var lanes = Lanes(repeating: 0)
    var index = 0
    while index < whole {
      unsafe lanes.add(lanesOf(coefficients, index), times: lanesOf(samples, index))
      index &+= laneCount
    }
    var sum = lanes.sum
    while index < count {
      unsafe sum += coefficients[index] * samples[index]
      index &+= 1
    }
    return sum
  }

  /// Two sums of products that share the loads of their coefficients; each equals `dotProduct` bit for bit.
  @inline(__always)
  static func dotProducts(
    _ coefficients: UnsafePointer<Self>, _ left: UnsafePointer<Self>, _ right: UnsafePointer<Self>,
    count: Int
  ) -> (left: Self, right: Self) {
    let whole = count & ~(laneCount &- 1)
    var (leftLanes, rightLanes) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var index = 0
    while index < whole {
      let factors = unsafe lanesOf(coefficients, index)
      unsafe leftLanes.add(factors, times: lanesOf(left, index))
      unsafe rightLanes.add(factors, times: lanesOf(right, index))
      index &+= laneCount
    }
    var (leftSum, rightSum) = (leftLanes.sum, rightLanes.sum)
    while index < count {
      unsafe leftSum += coefficients[index] * left[index]
      unsafe rightSum += coefficients[index] * right[index]
      index &+= 1
    }
    return (leftSum, rightSum)
  }
}
