// SPDX-License-Identifier: Apache-2.0
extension Float {
  /// The sum of samples, each multiplied by an interpolated coefficient: the weighted sum of four rows' coefficients.
  /// In 16 lanes, which are then added pairwise; a shorter rest is added one by one.
  ///
  /// Multiplications and additions are never fused, so that the result does not depend on the processor.
  @_noAllocation @_noLocks @inline(__always)
  static func interpolatedProduct(
    _ rows: UnsafePointer<Float>, _ taps: Int, _ weights: SIMD4<Float>,
    _ samples: UnsafePointer<Float>
  ) -> Float {
    let four = unsafe FourRows(rows, taps)
    let whole = taps & ~15
    var lanes = SIMD16<Float>(repeating: 0)
    var index = 0
    while index < whole {
      let factors = unsafe four.lanes(index, weights)
      unsafe lanes += factors * lanesOf(samples, index)
      index &+= 16
    }
    var sum = sumOfLanes(lanes)
    while index < taps {
      let factor = unsafe four.coefficient(index, weights)
      unsafe sum += factor * samples[index]
      index &+= 1
    }
    return sum
  }

  /// Two such sums at once, so that neither waits for its own additions; each equals `interpolatedProduct` bit for
  /// bit.
  @_noAllocation @_noLocks @inline(__always)
  static func interpolatedProductPair(
    _ rows: (UnsafePointer<Float>, UnsafePointer<Float>), _ taps: Int,
    _ weights: (SIMD4<Float>, SIMD4<Float>), _ samples: (UnsafePointer<Float>, UnsafePointer<Float>)
  ) -> (Float, Float) {
    let (four0, four1) = unsafe (FourRows(rows.0, taps), FourRows(rows.1, taps))
    let whole = taps & ~15
    var lanes0 = SIMD16<Float>(repeating: 0)
    var lanes1 = SIMD16<Float>(repeating: 0)
    var index = 0
    while index < whole {
      unsafe lanes0 += four0.lanes(index, weights.0) * lanesOf(samples.0, index)
      unsafe lanes1 += four1.lanes(index, weights.1) * lanesOf(samples.1, index)
      index &+= 16
    }
    var sum0 = sumOfLanes(lanes0)
    var sum1 = sumOfLanes(lanes1)
    while index < taps {
      unsafe sum0 += four0.coefficient(index, weights.0) * samples.0[index]
      unsafe sum1 += four1.coefficient(index, weights.1) * samples.1[index]
      index &+= 1
    }
    return (sum0, sum1)
  }

  /// Two such sums that share the coefficients; each equals `interpolatedProduct` bit for bit.
  @_noAllocation @_noLocks @inline(__always)
  static func interpolatedProducts(
    _ rows: UnsafePointer<Float>, _ taps: Int, _ weights: SIMD4<Float>,
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>
  ) -> (left: Float, right: Float) {
    let four = unsafe FourRows(rows, taps)
    let whole = taps & ~15
    var leftLanes = SIMD16<Float>(repeating: 0)
    var rightLanes = SIMD16<Float>(repeating: 0)
    var index = 0
    while index < whole {
      let factors = unsafe four.lanes(index, weights)
      unsafe leftLanes += factors * lanesOf(left, index)
      unsafe rightLanes += factors * lanesOf(right, index)
      index &+= 16
    }
    var leftSum = sumOfLanes(leftLanes)
    var rightSum = sumOfLanes(rightLanes)
    while index < taps {
      let factor = unsafe four.coefficient(index, weights)
      unsafe leftSum += factor * left[index]
      unsafe rightSum += factor * right[index]
      index &+= 1
    }
    return (leftSum, rightSum)
  }
}

extension Double {
  /// The sum of samples, each multiplied by an interpolated coefficient: the weighted sum of four rows' coefficients.
  /// In 8 lanes, which are then added pairwise; a shorter rest is added one by one.
  ///
  /// Multiplications and additions are never fused, so that the result does not depend on the processor.
  @_noAllocation @_noLocks @inline(__always)
  static func interpolatedProduct(
    _ rows: UnsafePointer<Double>, _ taps: Int, _ weights: SIMD4<Double>,
    _ samples: UnsafePointer<Double>
  ) -> Double {
    let four = unsafe FourRows(rows, taps)
    let whole = taps & ~7
    var lanes = SIMD8<Double>(repeating: 0)
    var index = 0
    while index < whole {
      unsafe lanes += four.lanes(index, weights) * lanesOf(samples, index)
      index &+= 8
    }
    var sum = sumOfLanes(lanes)
    while index < taps {
      unsafe sum += four.coefficient(index, weights) * samples[index]
      index &+= 1
    }
    return sum
  }

  /// Two such sums at once, so that neither waits for its own additions; each equals `interpolatedProduct` bit for
  /// bit.
  @_noAllocation @_noLocks @inline(__always)
  static func interpolatedProductPair(
    _ rows: (UnsafePointer<Double>, UnsafePointer<Double>), _ taps: Int,
    _ weights: (SIMD4<Double>, SIMD4<Double>),
    _ samples: (UnsafePointer<Double>, UnsafePointer<Double>)
  ) -> (Double, Double) {
    let (four0, four1) = unsafe (FourRows(rows.0, taps), FourRows(rows.1, taps))
    let whole = taps & ~7
    var lanes0 = SIMD8<Double>(repeating: 0)
    var lanes1 = SIMD8<Double>(repeating: 0)
    var index = 0
    while index < whole {
      unsafe lanes0 += four0.lanes(index, weights.0) * lanesOf(samples.0, index)
      unsafe lanes1 += four1.lanes(index, weights.1) * lanesOf(samples.1, index)
      index &+= 8
    }
    var sum0 = sumOfLanes(lanes0)
    var sum1 = sumOfLanes(lanes1)
    while index < taps {
      unsafe sum0 += four0.coefficient(index, weights.0) * samples.0[index]
      unsafe sum1 += four1.coefficient(index, weights.1) * samples.1[index]
      index &+= 1
    }
    return (sum0, sum1)
  }

  /// Two such sums that share the coefficients; each equals `interpolatedProduct` bit for bit.
  @_noAllocation @_noLocks @inline(__always)
  static func interpolatedProducts(
    _ rows: UnsafePointer<Double>, _ taps: Int, _ weights: SIMD4<Double>,
    _ left: UnsafePointer<Double>, _ right: UnsafePointer<Double>
  ) -> (left: Double, right: Double) {
    let four = unsafe FourRows(rows, taps)
    let whole = taps & ~7
    var leftLanes = SIMD8<Double>(repeating: 0)
    var rightLanes = SIMD8<Double>(repeating: 0)
    var index = 0
    while index < whole {
      let factors = unsafe four.lanes(index, weights)
      unsafe leftLanes += factors * lanesOf(left, index)
      unsafe rightLanes += factors * lanesOf(right, index)
      index &+= 8
    }
    var leftSum = sumOfLanes(leftLanes)
    var rightSum = sumOfLanes(rightLanes)
    while index < taps {
      let factor = unsafe four.coefficient(index, weights)
      unsafe leftSum += factor * left[index]
      unsafe rightSum += factor * right[index]
      index &+= 1
    }
    return (leftSum, rightSum)
  }
}

extension Float {
  /// Four rows of coefficients for interpolation.
  ///
  /// The weights add up to 1. So a coefficient is one row's plus a small difference with even smaller roundings.
  @unsafe
  fileprivate struct FourRows {
    let row0: UnsafePointer<Float>
    let row1: UnsafePointer<Float>
    let row2: UnsafePointer<Float>
    let row3: UnsafePointer<Float>

    @_noAllocation @_noLocks @inline(__always)
    init(_ rows: UnsafePointer<Float>, _ taps: Int) {
      unsafe (row0, row1) = (rows, rows + taps)
      unsafe (row2, row3) = (rows + 2 &* taps, rows + 3 &* taps)
    }

    @_noAllocation @_noLocks @inline(__always)
    func lanes(_ index: Int, _ weights: SIMD4<Float>) -> SIMD16<Float> {
      let near = unsafe lanesOf(row1, index)
      let outer =
        unsafe (lanesOf(row0, index) - near) * weights.x + (lanesOf(row3, index) - near) * weights.w
      return unsafe near + ((lanesOf(row2, index) - near) * weights.z + outer)
    }

    @_noAllocation @_noLocks @inline(__always)
    func coefficient(_ index: Int, _ weights: SIMD4<Float>) -> Float {
      let near = unsafe row1[index]
      let outer = unsafe (row0[index] - near) * weights.x + (row3[index] - near) * weights.w
      return unsafe near + ((row2[index] - near) * weights.z + outer)
    }
  }
}

extension Double {
  /// Four rows of coefficients for interpolation.
  @unsafe
  fileprivate struct FourRows {
    let row0: UnsafePointer<Double>
    let row1: UnsafePointer<Double>
    let row2: UnsafePointer<Double>
    let row3: UnsafePointer<Double>

    @_noAllocation @_noLocks @inline(__always)
    init(_ rows: UnsafePointer<Double>, _ taps: Int) {
      unsafe (row0, row1) = (rows, rows + taps)
      unsafe (row2, row3) = (rows + 2 &* taps, rows + 3 &* taps)
    }

    @_noAllocation @_noLocks @inline(__always)
    func lanes(_ index: Int, _ weights: SIMD4<Double>) -> SIMD8<Double> {
      let outer = unsafe lanesOf(row0, index) * weights.x + lanesOf(row3, index) * weights.w
      let inner = unsafe lanesOf(row1, index) * weights.y + lanesOf(row2, index) * weights.z
      return inner + outer
    }

    @_noAllocation @_noLocks @inline(__always)
    func coefficient(_ index: Int, _ weights: SIMD4<Double>) -> Double {
      let outer = unsafe row0[index] * weights.x + row3[index] * weights.w
      let inner = unsafe row1[index] * weights.y + row2[index] * weights.z
      return inner + outer
    }
  }
}
