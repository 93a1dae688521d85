/// The sum of samples from `offset` on, each multiplied by a coefficient that is interpolated: the sum of four
/// rows' coefficients, weighted.
///
/// The order of summation depends only on the rows' length.
///
/// - Parameter rows: four rows of coefficients, one after the other.
@inline(__always)
func interpolatedProduct<Sample: AudioSample>(
  _ rows: Span<Sample>, _ weights: SIMD4<Double>, _ samples: Span<Sample>, from offset: Int
) -> Sample {
  let taps = rows.count / 4
  precondition(offset >= 0 && offset + taps <= samples.count)
  return unsafe rows.withUnsafeBytes { rows in
    unsafe samples.withUnsafeBytes { samples in
      guard let factors = rows.baseAddress, let from = samples.baseAddress else { return 0 }
      switch Sample.precision {
      case .single:
        return unsafe Sample(
          Float.interpolatedProduct(
            factors.assumingMemoryBound(to: Float.self), taps, SIMD4<Float>(weights),
            from.assumingMemoryBound(to: Float.self) + offset))
      case .double:
        return unsafe Sample(
          Double.interpolatedProduct(
            factors.assumingMemoryBound(to: Double.self), taps, weights,
            from.assumingMemoryBound(to: Double.self) + offset))
      }
    }
  }
}

/// Two sums at once that share the coefficients; each is bit for bit what ``interpolatedProduct`` gives.
@inline(__always)
func interpolatedProducts<Sample: AudioSample>(
  _ rows: Span<Sample>, _ weights: SIMD4<Double>, _ left: Span<Sample>, _ right: Span<Sample>,
  from offset: Int
) -> (left: Sample, right: Sample) {
  let taps = rows.count / 4
  precondition(offset >= 0 && offset + taps <= min(left.count, right.count))
  return unsafe rows.withUnsafeBytes { rows in
    unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        guard let factors = rows.baseAddress, let left = left.baseAddress,
          let right = right.baseAddress
        else { return (0, 0) }
        switch Sample.precision {
        case .single:
          let sums = unsafe Float.interpolatedProducts(
            factors.assumingMemoryBound(to: Float.self), taps, SIMD4<Float>(weights),
            left.assumingMemoryBound(to: Float.self) + offset,
            right.assumingMemoryBound(to: Float.self) + offset)
          return (Sample(sums.left), Sample(sums.right))
        case .double:
          let sums = unsafe Double.interpolatedProducts(
            factors.assumingMemoryBound(to: Double.self), taps, weights,
            left.assumingMemoryBound(to: Double.self) + offset,
            right.assumingMemoryBound(to: Double.self) + offset)
          return (Sample(sums.left), Sample(sums.right))
        }
      }
    }
  }
}

extension Float {
  /// The kernel of `interpolatedProduct`, in 16 lanes, which are then added pairwise; a rest shorter than that
  /// one by one.
  ///
  /// Separate multiplications and additions, never fused, so that the result does not depend on the
  /// processor.
  @_noAllocation @_noLocks
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

  /// The kernel of `interpolatedProducts`; each is bit for bit what `interpolatedProduct` gives.
  @_noAllocation @_noLocks
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
  /// The kernel of `interpolatedProduct`, in 8 lanes, which are then added pairwise; a rest shorter than that
  /// one by one.
  ///
  /// Separate multiplications and additions, never fused, so that the result does not depend on the
  /// processor.
  @_noAllocation @_noLocks
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

  /// The kernel of `interpolatedProducts`; each is bit for bit what `interpolatedProduct` gives.
  @_noAllocation @_noLocks
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
  /// Four rows of coefficients, to be interpolated between.
  ///
  /// The weights add up to 1. So a coefficient is that of one row and a small difference, whose roundings are
  /// smaller still.
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
  /// Four rows of coefficients, to be interpolated between.
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
