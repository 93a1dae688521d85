// SPDX-License-Identifier: Apache-2.0
/// The places of a rate conversion's outputs whose sums of products are computed one after the other.
///
/// Untyped in its samples, since it comes by its address.
@safe
package struct RowPoints {
  package let count: Int
  /// For each output: the index of its first coefficient in the table. Rows are contiguous.
  package let rows: UnsafePointer<Int>
  /// For each output: the index of its first input sample.
  package let starts: UnsafePointer<Int>
  /// The distance of consecutive outputs in the target.
  package let stride: Int

  package init(count: Int, rows: UnsafePointer<Int>, starts: UnsafePointer<Int>, stride: Int) {
    self.count = count
    unsafe self.rows = rows
    unsafe self.starts = starts
    self.stride = stride
  }
}

extension KernelSample {
  /// Sums of samples, each multiplied by a coefficient of its row.
  ///
  /// The order of summation depends on `taps` only.
  ///
  /// - Parameters:
  ///   - coefficients: rows of `taps`.
  ///   - left: the samples of one channel.
  ///   - right: the samples of a second channel, each output of which follows the first channel's; nil if there is
  ///     none.
  @inline(__always)
  static func sumRows(
    _ coefficients: UnsafePointer<Self>, _ taps: Int, _ points: RowPoints,
    _ left: UnsafePointer<Self>, _ right: UnsafePointer<Self>?,
    to target: UnsafeMutablePointer<Self>
  ) {
    let (rows, starts) = unsafe (points.rows, points.starts)
    var output = 0
    if let right = unsafe right {
      while output < points.count {
        let (row, start) = unsafe (coefficients + rows[output], starts[output])
        let sums = unsafe dotProducts(row, left + start, right + start, count: taps)
        let to = unsafe target + output &* points.stride
        unsafe to.initialize(to: sums.left)
        unsafe (to + 1).initialize(to: sums.right)
        output &+= 1
      }
      return
    }
    while output < points.count {
      unsafe (target + output &* points.stride).initialize(
        to: dotProduct(coefficients + rows[output], left + starts[output], count: taps))
      output &+= 1
    }
  }

  /// Sums of samples, each multiplied by an interpolated coefficient: the weighted sum of the row's and the next
  /// three rows' coefficients.
  ///
  /// - Parameter weights: four for each output.
  @inline(__always)
  static func interpolateRows(
    _ coefficients: UnsafePointer<Self>, _ taps: Int, _ points: RowPoints,
    _ weights: UnsafePointer<SIMD4<Double>>,
    _ left: UnsafePointer<Self>, _ right: UnsafePointer<Self>?,
    to target: UnsafeMutablePointer<Self>
  ) {
    let (rows, starts) = unsafe (points.rows, points.starts)
    var output = 0
    if let right = unsafe right {
      while output < points.count {
        let (row, start) = unsafe (coefficients + rows[output], starts[output])
        let four = unsafe Self.weights(weights[output])
        let sums = unsafe interpolatedProducts(row, taps, four, left + start, right + start)
        let to = unsafe target + output &* points.stride
        unsafe to.initialize(to: sums.left)
        unsafe (to + 1).initialize(to: sums.right)
        output &+= 1
      }
      return
    }
    while output &+ 1 < points.count {
      let next = output &+ 1
      let sums = unsafe interpolatedProductPair(
        (coefficients + rows[output], coefficients + rows[next]), taps,
        (Self.weights(weights[output]), Self.weights(weights[next])),
        (left + starts[output], left + starts[next]))
      unsafe (target + output &* points.stride).initialize(to: sums.0)
      unsafe (target + next &* points.stride).initialize(to: sums.1)
      output &+= 2
    }
    if output < points.count {
      let four = unsafe Self.weights(weights[output])
      unsafe (target + output &* points.stride).initialize(
        to: interpolatedProduct(
          coefficients + rows[output], taps, four, left + starts[output]))
    }
  }
}
