// SPDX-License-Identifier: Apache-2.0
extension KernelSample {
  /// Four sums of products in each lane, in vectors of 64 bytes: adjacent samples, each multiplied by four
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
  @inline(__always)
  static func sumTile(
    _ coefficients: UnsafePointer<Self>, _ layout: TileLayout, _ samples: UnsafePointer<Self>,
    vectors: Int, to sums: UnsafeMutablePointer<Self>, every stride: Int
  ) -> Bool {
    var lane = 0
    let end = vectors &* laneCount
    var isFinite = true
    while hasManyRegisters && lane &+ laneCount < end {
      let arePairsFinite = unsafe FourPairs.sum(
        coefficients, layout, samples + lane, to: sums + lane, every: stride)
      isFinite = isFinite && arePairsFinite
      lane &+= 2 &* laneCount
    }
    while lane < end {
      let (from, to) = unsafe (samples + lane, sums + lane)
      if hasWideRegisters {
        let areFinite = unsafe FourSums.sum(coefficients, layout, from, to: to, every: stride)
        isFinite = isFinite && areFinite
      } else {
        let areFinite = unsafe TwoSums.sum(coefficients, layout, from, to: to, every: stride)
        let areOthersFinite = unsafe TwoSums.sum(
          coefficients + 2, layout, from, to: to + stride &* 2, every: stride)
        isFinite = isFinite && areFinite && areOthersFinite
      }
      lane &+= laneCount
    }
    return isFinite
  }

}

/// Sums of products that are computed in registers at once.
private protocol TileSums {
  associatedtype Sample: KernelSample
  init()
  /// Adds the products of the lanes at `samples` and of each of the sums' coefficients.
  mutating func add(_ samples: UnsafePointer<Sample>, times factors: UnsafePointer<Sample>)
  mutating func add(_ others: Self)
  func store(to target: UnsafeMutablePointer<Sample>, every stride: Int)
  var areFinite: Bool { get }
}

extension TileSums {
  /// Computes the sums of one place.
  ///
  /// - Returns: whether all of them are finite.
  @inline(__always)
  static func sum(
    _ coefficients: UnsafePointer<Sample>, _ layout: TileLayout, _ samples: UnsafePointer<Sample>,
    to target: UnsafeMutablePointer<Sample>, every stride: Int
  ) -> Bool {
    var (sums, centreSums) = (Self(), Self())
    var (factors, offsets) = unsafe (coefficients, layout.offsets)
    var piece = 0
    let (pieceCount, centre) = (layout.pieceCount, layout.centre)
    while piece < pieceCount {
      var part = Self()
      var index = 0
      while index < TileLayout.pieceLength {
        unsafe part.add(samples + offsets[index], times: factors)
        unsafe factors += 4
        index &+= 1
      }
      unsafe offsets += TileLayout.pieceLength
      if piece >= centre.lowerBound && piece < centre.upperBound {
        centreSums.add(part)
      } else {
        sums.add(part)
      }
      piece &+= 1
    }
    sums.add(centreSums)
    unsafe sums.store(to: target, every: stride)
    return sums.areFinite
  }
}

/// For a processor with too few registers for four sums and four parts.
private struct TwoSums<Sample: KernelSample>: TileSums {
  var first = Sample.Lanes(repeating: 0)
  var second = Sample.Lanes(repeating: 0)

  @inline(__always)
  mutating func add(_ samples: UnsafePointer<Sample>, times factors: UnsafePointer<Sample>) {
    let lanes = unsafe lanesOf(samples, 0)
    unsafe first.add(lanes, times: factors[0])
    unsafe second.add(lanes, times: factors[1])
  }

  @inline(__always)
  mutating func add(_ others: TwoSums) {
    first.add(others.first)
    second.add(others.second)
  }

  @inline(__always)
  func store(to target: UnsafeMutablePointer<Sample>, every stride: Int) {
    unsafe UnsafeMutableRawPointer(target).storeBytes(of: first, as: Sample.Lanes.self)
    unsafe UnsafeMutableRawPointer(target + stride).storeBytes(of: second, as: Sample.Lanes.self)
  }

  @inline(__always) var areFinite: Bool {
    var rest = first.rest
    rest.add(second.rest)
    return rest.sum == 0
  }
}

private struct FourSums<Sample: KernelSample>: TileSums {
  var low = TwoSums<Sample>()
  var high = TwoSums<Sample>()

  @inline(__always)
  mutating func add(_ samples: UnsafePointer<Sample>, times factors: UnsafePointer<Sample>) {
    unsafe low.add(samples, times: factors)
    unsafe high.add(samples, times: factors + 2)
  }

  @inline(__always)
  mutating func add(_ others: FourSums) {
    low.add(others.low)
    high.add(others.high)
  }

  @inline(__always)
  func store(to target: UnsafeMutablePointer<Sample>, every stride: Int) {
    unsafe low.store(to: target, every: stride)
    unsafe high.store(to: target + stride &* 2, every: stride)
  }

  @inline(__always) var areFinite: Bool { low.areFinite && high.areFinite }
}

/// Two vectors of lanes that share the coefficients.
private struct FourPairs<Sample: KernelSample>: TileSums {
  var left = FourSums<Sample>()
  var right = FourSums<Sample>()

  @inline(__always)
  mutating func add(_ samples: UnsafePointer<Sample>, times factors: UnsafePointer<Sample>) {
    unsafe left.add(samples, times: factors)
    unsafe right.add(samples + Sample.laneCount, times: factors)
  }

  @inline(__always)
  mutating func add(_ others: FourPairs) {
    left.add(others.left)
    right.add(others.right)
  }

  @inline(__always)
  func store(to target: UnsafeMutablePointer<Sample>, every stride: Int) {
    unsafe left.store(to: target, every: stride)
    unsafe right.store(to: target + Sample.laneCount, every: stride)
  }

  @inline(__always) var areFinite: Bool { left.areFinite && right.areFinite }
}
