// SPDX-License-Identifier: Apache-2.0
extension KernelSample {
  /// The sum of samples, each multiplied by an interpolated coefficient: the weighted sum of four rows' coefficients.
  /// In lanes, which are then added pairwise; a shorter rest is added one by one.
  ///
  /// Multiplications and additions are never fused, so that the result does not depend on the processor.
  @inline(__always)
  static func interpolatedProduct(
    _ rows: UnsafePointer<Self>, _ taps: Int, _ weights: Weights,
    _ samples: UnsafePointer<Self>
  ) -> Self {
    let four = unsafe FourRows(rows, taps, weights)
    let whole = taps & ~(laneCount &- 1)
    var lanes = Lanes(repeating: 0)
    var index = 0
    while index < whole {
      unsafe lanes.add(factors(of: four, index), times: lanesOf(samples, index))
      index &+= laneCount
    }
    var sum = lanes.sum
    while index < taps {
      unsafe sum += coefficient(of: four, index) * samples[index]
      index &+= 1
    }
    return sum
  }

  /// Two such sums at once, so that neither waits for its own additions; each equals `interpolatedProduct` bit for
  /// bit.
  @inline(__always)
  static func interpolatedProductPair(
    _ rows: (UnsafePointer<Self>, UnsafePointer<Self>), _ taps: Int,
    _ weights: (Weights, Weights), _ samples: (UnsafePointer<Self>, UnsafePointer<Self>)
  ) -> (Self, Self) {
    let four0 = unsafe FourRows(rows.0, taps, weights.0)
    let four1 = unsafe FourRows(rows.1, taps, weights.1)
    let whole = taps & ~(laneCount &- 1)
    var (lanes0, lanes1) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var index = 0
    while index < whole {
      unsafe lanes0.add(factors(of: four0, index), times: lanesOf(samples.0, index))
      unsafe lanes1.add(factors(of: four1, index), times: lanesOf(samples.1, index))
      index &+= laneCount
    }
    var (sum0, sum1) = (lanes0.sum, lanes1.sum)
    while index < taps {
      unsafe sum0 += coefficient(of: four0, index) * samples.0[index]
      unsafe sum1 += coefficient(of: four1, index) * samples.1[index]
      index &+= 1
    }
    return (sum0, sum1)
  }

  /// Two such sums that share the coefficients; each equals `interpolatedProduct` bit for bit.
  @inline(__always)
  static func interpolatedProducts(
    _ rows: UnsafePointer<Self>, _ taps: Int, _ weights: Weights,
    _ left: UnsafePointer<Self>, _ right: UnsafePointer<Self>
  ) -> (left: Self, right: Self) {
    let four = unsafe FourRows(rows, taps, weights)
    let whole = taps & ~(laneCount &- 1)
    var (leftLanes, rightLanes) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var index = 0
    while index < whole {
      let factors = unsafe Self.factors(of: four, index)
      unsafe leftLanes.add(factors, times: lanesOf(left, index))
      unsafe rightLanes.add(factors, times: lanesOf(right, index))
      index &+= laneCount
    }
    var (leftSum, rightSum) = (leftLanes.sum, rightLanes.sum)
    while index < taps {
      let factor = unsafe coefficient(of: four, index)
      unsafe leftSum += factor * left[index]
      unsafe rightSum += factor * right[index]
      index &+= 1
    }
    return (leftSum, rightSum)
  }
}

/// Four rows of coefficients, and their weights.
@unsafe
struct FourRows<Sample: KernelSample> {
  let row0: UnsafePointer<Sample>
  let row1: UnsafePointer<Sample>
  let row2: UnsafePointer<Sample>
  let row3: UnsafePointer<Sample>
  let weights: Sample.Weights

  @inline(__always)
  init(_ rows: UnsafePointer<Sample>, _ taps: Int, _ weights: Sample.Weights) {
    unsafe (row0, row1) = (rows, rows + taps)
    unsafe (row2, row3) = (rows + 2 &* taps, rows + 3 &* taps)
    unsafe self.weights = weights
  }
}
