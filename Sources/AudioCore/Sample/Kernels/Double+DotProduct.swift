extension Double {
  /// The sum of products in 8 lanes, which are then added pairwise; a rest shorter than that one by one.
  ///
  /// Separate multiplications and additions, never fused, so that the result does not depend on the
  /// processor.
  @_noAllocation @_noLocks @inline(__always)
  static func dotProduct(
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

  /// Two sums of products that share the loads of their coefficients; each is bit for bit what
  /// `dotProduct` gives.
  @_noAllocation @_noLocks @inline(__always)
  static func dotProducts(
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

@_noAllocation @_noLocks @inline(__always)
private func lanesOf(_ samples: UnsafePointer<Double>, _ index: Int) -> SIMD8<Double> {
  unsafe UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD8<Double>.self)
}

@_noAllocation @_noLocks @inline(__always)
private func sumOfLanes(_ lanes: SIMD8<Double>) -> Double {
  let four = lanes.lowHalf + lanes.highHalf
  let two = four.lowHalf + four.highHalf
  return two.x + two.y
}
