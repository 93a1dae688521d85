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
      unsafe lanes += four.lanes(index) * lanesOf(samples, index)
      index &+= laneCount
    }
    var sum = lanes.sum
    while index < taps {
      unsafe sum += four.coefficient(index) * samples[index]
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
      unsafe lanes0 += four0.lanes(index) * lanesOf(samples.0, index)
      unsafe lanes1 += four1.lanes(index) * lanesOf(samples.1, index)
      index &+= laneCount
    }
    var (sum0, sum1) = (lanes0.sum, lanes1.sum)
    while index < taps {
      unsafe sum0 += four0.coefficient(index) * samples.0[index]
      unsafe sum1 += four1.coefficient(index) * samples.1[index]
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
      let factors = unsafe four.lanes(index)
      unsafe leftLanes += factors * lanesOf(left, index)
      unsafe rightLanes += factors * lanesOf(right, index)
      index &+= laneCount
    }
    var (leftSum, rightSum) = (leftLanes.sum, rightLanes.sum)
    while index < taps {
      let factor = unsafe four.coefficient(index)
      unsafe leftSum += factor * left[index]
      unsafe rightSum += factor * right[index]
      index &+= 1
    }
    return (leftSum, rightSum)
  }
}

/// Four rows of coefficients, and their weights.
@unsafe
private struct FourRows<Sample: KernelSample> {
  let first: UnsafePointer<Sample>
  let taps: Int
  let weights: Sample.Weights

  @inline(__always)
  init(_ first: UnsafePointer<Sample>, _ taps: Int, _ weights: Sample.Weights) {
    unsafe (self.first, self.taps, self.weights) = (first, taps, weights)
  }

  @inline(__always)
  func lanes(_ index: Int) -> Sample.Lanes {
    unsafe Sample.interpolate(
      (
        lanesOf(first, index), lanesOf(first, index &+ taps), lanesOf(first, index &+ 2 &* taps),
        lanesOf(first, index &+ 3 &* taps)
      ), weights)
  }

  @inline(__always)
  func coefficient(_ index: Int) -> Sample {
    unsafe Sample.interpolate(
      (
        first[index], first[index &+ taps], first[index &+ 2 &* taps], first[index &+ 3 &* taps]
      ), weights)
  }
}
