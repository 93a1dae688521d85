// SPDX-License-Identifier: Apache-2.0
/// A number as an integer count of 2^−122, within ±32: exact sums and products of audio samples and gains.
package struct FixedPoint {
  package private(set) var count: Int128

  /// The exact product of `factors`, which must be a multiple of 2^−122.
  package init(_ factors: Double...) {
    var significand: Int128 = 1
    var exponent = 122
    for factor in factors {
      if factor == 0 { significand = 0 }
      guard significand != 0 else { continue }
      let bits = Int128(factor.significandBitPattern | 1 << 52)
      let zeros = bits.trailingZeroBitCount
      significand *= (factor < 0 ? -bits : bits) >> Int128(zeros)
      exponent += Int(factor.exponent) - 52 + zeros
    }
    precondition(significand == 0 || exponent >= 0, "not a multiple of 2^-122")
    count = significand << Int128(significand == 0 ? 0 : exponent)
  }

  /// 2^`exponent`, for exponents from −122 on.
  package init(powerOf2 exponent: Int) { count = Int128(1) << Int128(122 + exponent) }

  package static func += (left: inout Self, right: Self) { left.count += right.count }

  /// Returns the distance to `other`, in units of 2^−122.
  package func distance(to other: Self) -> Int128 { Int128((count - other.count).magnitude) }

  /// Returns the nearest number in ±1 that a sample of `layout` can have.
  package func saturated(as layout: SampleLayout) -> Self {
    guard let bits = layout.integerBits else { return self }
    let one = Self(powerOf2: 0).count
    var result = self
    result.count = min(max(count, -one), one - Self(powerOf2: 1 - bits).count)
    return result
  }
}

extension SampleLayout {
  /// The bits of an integer layout; nil for floating-point and logarithmic ones.
  fileprivate var integerBits: Int? { Self.integers.first { $0.layout == self }?.bits }

  /// Returns half a unit of the last bit of `output`, a sample of this layout, as an exponent of 2: its largest
  /// distance from an exact result.
  package func halfUnit(at output: Double) -> Int {
    if let integerBits { return -integerBits }
    return storage == .f32
      ? Int(max(Float(output).ulp, 0x1p-118).exponent) - 1
      : Int(max(output.ulp, 0x1p-118).exponent) - 1
  }

  /// Returns the number of `outputs` further from the exact results than half a unit of their last bit.
  ///
  /// - Parameter slack: the distance allowed beyond it, as an exponent of 2.
  package func countOfInexact(_ outputs: [Double], _ exact: [FixedPoint], slack: Int? = nil) -> Int
  {
    zip(outputs, exact).count { output, exact in
      var limit = FixedPoint(powerOf2: halfUnit(at: output))
      if let slack { limit += FixedPoint(powerOf2: slack) }
      return FixedPoint(output).distance(to: exact.saturated(as: self)) > limit.count
    }
  }
}
