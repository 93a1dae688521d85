// SPDX-License-Identifier: Apache-2.0
extension Double {
  /// Four sums of products in each lane, in vectors of 8 lanes: adjacent samples, each multiplied by four
  /// coefficients.
  ///
  /// Few roundings meet a large sum: products are added in pieces of eight, and the pieces around the centre on their
  /// own. A lane's sums depend on its own samples only.
  ///
  /// Multiplications and additions are never fused, so that the result does not depend on the processor.
  ///
  /// - Parameters:
  ///   - coefficients: four for each product.
  ///   - samples: the first lane.
  ///   - vectors: the number to compute; all their lanes are read at every offset.
  ///   - sums: the first lane of the first sum; the others follow every `stride` samples.
  /// - Returns: whether all sums are finite.
  @_noAllocation @_noLocks
  static func sumTile(
    _ coefficients: UnsafePointer<Double>, _ way: TileLayout, _ samples: UnsafePointer<Double>,
    vectors: Int, to sums: UnsafeMutablePointer<Double>, every stride: Int
  ) -> Bool {
    var lane = 0
    let end = vectors &* 8
    var isFinite = true
    while hasManyRegisters && lane &+ 8 < end {
      let isPairFinite = unsafe sumFourPairs(
        coefficients, way, samples + lane, to: sums + lane, every: stride)
      isFinite = isFinite && isPairFinite
      lane &+= 16
    }
    while lane < end {
      let (from, to) = unsafe (samples + lane, sums + lane)
      if hasWideRegisters {
        let areFinite = unsafe sumFour(coefficients, way, from, to: to, every: stride)
        isFinite = isFinite && areFinite
      } else {
        let areFinite = unsafe sumTwo(coefficients, way, from, to: to, every: stride)
        let areOthersFinite = unsafe sumTwo(
          coefficients + 2, way, from, to: to + stride &* 2, every: stride)
        isFinite = isFinite && areFinite && areOthersFinite
      }
      lane &+= 8
    }
    return isFinite
  }

  /// Two vectors at a time share the coefficients.
  @_noAllocation @_noLocks @inline(__always)
  private static func sumFourPairs(
    _ coefficients: UnsafePointer<Double>, _ way: TileLayout, _ samples: UnsafePointer<Double>,
    to sums: UnsafeMutablePointer<Double>, every stride: Int
  ) -> Bool {
    let zero = SIMD8<Double>(repeating: 0)
    var (left0, left1, left2, left3) = (zero, zero, zero, zero)
    var (right0, right1, right2, right3) = (zero, zero, zero, zero)
    var (leftCentre0, leftCentre1, leftCentre2, leftCentre3) = (zero, zero, zero, zero)
    var (rightCentre0, rightCentre1, rightCentre2, rightCentre3) = (zero, zero, zero, zero)
    var (factors, offsets) = unsafe (UnsafeRawPointer(coefficients), way.offsets)
    var piece = 0
    let (pieceCount, centre) = (way.pieceCount, way.centre)
    while piece < pieceCount {
      var (a0, a1, a2, a3) = (zero, zero, zero, zero)
      var (b0, b1, b2, b3) = (zero, zero, zero, zero)
      var index = 0
      while index < TileLayout.pieceLength {
        let from = unsafe UnsafeRawPointer(samples + offsets[index])
        let left = unsafe from.loadUnaligned(as: SIMD8<Double>.self)
        let right = unsafe from.loadUnaligned(fromByteOffset: 64, as: SIMD8<Double>.self)
        let factor0 = unsafe factors.load(fromByteOffset: 0, as: Double.self)
        let factor1 = unsafe factors.load(fromByteOffset: 8, as: Double.self)
        let factor2 = unsafe factors.load(fromByteOffset: 16, as: Double.self)
        let factor3 = unsafe factors.load(fromByteOffset: 24, as: Double.self)
        a0 += left * factor0
        a1 += left * factor1
        a2 += left * factor2
        a3 += left * factor3
        b0 += right * factor0
        b1 += right * factor1
        b2 += right * factor2
        b3 += right * factor3
        unsafe factors += 32
        index &+= 1
      }
      unsafe offsets += TileLayout.pieceLength
      if piece >= centre.lowerBound && piece < centre.upperBound {
        leftCentre0 += a0
        leftCentre1 += a1
        leftCentre2 += a2
        leftCentre3 += a3
        rightCentre0 += b0
        rightCentre1 += b1
        rightCentre2 += b2
        rightCentre3 += b3
      } else {
        left0 += a0
        left1 += a1
        left2 += a2
        left3 += a3
        right0 += b0
        right1 += b1
        right2 += b2
        right3 += b3
      }
      piece &+= 1
    }
    left0 += leftCentre0
    left1 += leftCentre1
    left2 += leftCentre2
    left3 += leftCentre3
    right0 += rightCentre0
    right1 += rightCentre1
    right2 += rightCentre2
    right3 += rightCentre3
    let first = UnsafeMutableRawPointer(sums)
    unsafe first.storeBytes(of: left0, as: SIMD8<Double>.self)
    unsafe first.storeBytes(of: right0, toByteOffset: 64, as: SIMD8<Double>.self)
    let second = unsafe UnsafeMutableRawPointer(sums + stride)
    unsafe second.storeBytes(of: left1, as: SIMD8<Double>.self)
    unsafe second.storeBytes(of: right1, toByteOffset: 64, as: SIMD8<Double>.self)
    let third = unsafe UnsafeMutableRawPointer(sums + stride &* 2)
    unsafe third.storeBytes(of: left2, as: SIMD8<Double>.self)
    unsafe third.storeBytes(of: right2, toByteOffset: 64, as: SIMD8<Double>.self)
    let fourth = unsafe UnsafeMutableRawPointer(sums + stride &* 3)
    unsafe fourth.storeBytes(of: left3, as: SIMD8<Double>.self)
    unsafe fourth.storeBytes(of: right3, toByteOffset: 64, as: SIMD8<Double>.self)
    return areFinite((left0, left1, left2, left3)) && areFinite((right0, right1, right2, right3))
  }

  @_noAllocation @_noLocks @inline(__always)
  private static func sumFour(
    _ coefficients: UnsafePointer<Double>, _ way: TileLayout, _ samples: UnsafePointer<Double>,
    to sums: UnsafeMutablePointer<Double>, every stride: Int
  ) -> Bool {
    let zero = SIMD8<Double>(repeating: 0)
    var (sum0, sum1, sum2, sum3) = (zero, zero, zero, zero)
    var (centre0, centre1, centre2, centre3) = (zero, zero, zero, zero)
    var (factors, offsets) = unsafe (UnsafeRawPointer(coefficients), way.offsets)
    var piece = 0
    let (pieceCount, centre) = (way.pieceCount, way.centre)
    while piece < pieceCount {
      var (part0, part1, part2, part3) = (zero, zero, zero, zero)
      var index = 0
      while index < TileLayout.pieceLength {
        let from = unsafe UnsafeRawPointer(samples + offsets[index])
        let lanes = unsafe from.loadUnaligned(as: SIMD8<Double>.self)
        unsafe part0 += lanes * factors.load(fromByteOffset: 0, as: Double.self)
        unsafe part1 += lanes * factors.load(fromByteOffset: 8, as: Double.self)
        unsafe part2 += lanes * factors.load(fromByteOffset: 16, as: Double.self)
        unsafe part3 += lanes * factors.load(fromByteOffset: 24, as: Double.self)
        unsafe factors += 32
        index &+= 1
      }
      unsafe offsets += TileLayout.pieceLength
      if piece >= centre.lowerBound && piece < centre.upperBound {
        centre0 += part0
        centre1 += part1
        centre2 += part2
        centre3 += part3
      } else {
        sum0 += part0
        sum1 += part1
        sum2 += part2
        sum3 += part3
      }
      piece &+= 1
    }
    let target = UnsafeMutableRawPointer(sums)
    sum0 += centre0
    sum1 += centre1
    sum2 += centre2
    sum3 += centre3
    unsafe target.storeBytes(of: sum0, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum1, toByteOffset: stride &* 8, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum2, toByteOffset: stride &* 16, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum3, toByteOffset: stride &* 24, as: SIMD8<Double>.self)
    return areFinite((sum0, sum1, sum2, sum3))
  }

  /// For a processor with too few registers for four sums and four parts.
  @_noAllocation @_noLocks @inline(__always)
  private static func sumTwo(
    _ coefficients: UnsafePointer<Double>, _ way: TileLayout, _ samples: UnsafePointer<Double>,
    to sums: UnsafeMutablePointer<Double>, every stride: Int
  ) -> Bool {
    let zero = SIMD8<Double>(repeating: 0)
    var (sum0, sum1) = (zero, zero)
    var (centre0, centre1) = (zero, zero)
    var (factors, offsets) = unsafe (UnsafeRawPointer(coefficients), way.offsets)
    var piece = 0
    let (pieceCount, centre) = (way.pieceCount, way.centre)
    while piece < pieceCount {
      var (part0, part1) = (zero, zero)
      var index = 0
      while index < TileLayout.pieceLength {
        let from = unsafe UnsafeRawPointer(samples + offsets[index])
        let lanes = unsafe from.loadUnaligned(as: SIMD8<Double>.self)
        unsafe part0 += lanes * factors.load(fromByteOffset: 0, as: Double.self)
        unsafe part1 += lanes * factors.load(fromByteOffset: 8, as: Double.self)
        unsafe factors += 32
        index &+= 1
      }
      unsafe offsets += TileLayout.pieceLength
      if piece >= centre.lowerBound && piece < centre.upperBound {
        centre0 += part0
        centre1 += part1
      } else {
        sum0 += part0
        sum1 += part1
      }
      piece &+= 1
    }
    let target = UnsafeMutableRawPointer(sums)
    sum0 += centre0
    sum1 += centre1
    unsafe target.storeBytes(of: sum0, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum1, toByteOffset: stride &* 8, as: SIMD8<Double>.self)
    return areFinite((sum0, sum1, sum0, sum1))
  }
}

/// Whether every lane of four vectors is finite.
@_noAllocation @_noLocks @inline(__always)
private func areFinite(_ four: (SIMD8<Double>, SIMD8<Double>, SIMD8<Double>, SIMD8<Double>)) -> Bool
{
  // A finite number less itself is 0; infinity and NaN give NaN.
  let rest = ((four.0 - four.0) + (four.1 - four.1)) + ((four.2 - four.2) + (four.3 - four.3))
  return sumOfLanes(rest) == 0
}
