// SPDX-License-Identifier: Apache-2.0
/// A sample type of the kernels: `Float` or `Double`.
///
/// Kernels are generic functions, inlined into the functions of ``SampleKernels``. Those name the type, so the compiler
/// proves of each that it neither allocates nor locks. Requirements whose standard counterparts are generic (a
/// conversion, an operator of vectors) are here once more: the standard ones turn into loops over lanes.
protocol KernelSample: BinaryFloatingPoint, BitwiseCopyable {
  /// 64 bytes of samples.
  associatedtype Lanes: KernelLanes where Lanes.Sample == Self
  /// Four numbers for adjacent rows.
  typealias Weights = (Self, Self, Self, Self)
  /// An integer of the sample's size.
  associatedtype Word: FixedWidthInteger & SignedInteger

  static var laneCount: Int { get }

  init(integer: Int32)
  init(magnitudeBits: Word)
  var asFloat: Float { get }
  var asDouble: Double { get }
  /// The sample's bits without its sign.
  ///
  /// Magnitudes have the order of their bits: finite ones, infinity, NaN.
  var magnitudeBits: Word { get }

  /// The weighted sum of four coefficients; the weights add up to 1.
  static func interpolate(_ four: (Self, Self, Self, Self), _ weights: Weights) -> Self
  static func interpolate(_ four: (Lanes, Lanes, Lanes, Lanes), _ weights: Weights) -> Lanes

  /// Encodes samples as integers of 8 or 16 bits and of full scale `scale`; returns the number out of range.
  static func encodeNarrow(
    _ source: UnsafePointer<Self>, _ count: Int, _ stride: Int, _ scale: Double,
    _ target: UnsafeMutableRawPointer, _ store: (Int32, UnsafeMutableRawPointer) -> Void
  ) -> Int
}

/// A vector of samples. Its operators work lane by lane.
protocol KernelLanes: BitwiseCopyable {
  associatedtype Sample
  init(repeating: Sample)
  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  static func * (left: Self, right: Self) -> Self
  static func * (lanes: Self, factor: Sample) -> Self
  static func += (left: inout Self, right: Self)
  /// The sum of all lanes, pair by pair.
  var sum: Sample { get }
}

extension Float: KernelSample {
  typealias Lanes = SIMD16<Float>

  @inline(__always) static var laneCount: Int { 16 }

  @inline(__always)
  init(integer: Int32) { self.init(integer) }

  @inline(__always)
  init(magnitudeBits: Int32) { self.init(bitPattern: UInt32(bitPattern: magnitudeBits)) }

  @inline(__always) var asFloat: Float { self }
  @inline(__always) var asDouble: Double { Double(self) }
  @inline(__always) var magnitudeBits: Int32 { Int32(bitPattern: bitPattern & 0x7FFF_FFFF) }

  // One coefficient plus small differences, whose roundings are even smaller.

  @inline(__always)
  static func interpolate(_ four: (Float, Float, Float, Float), _ weights: Weights) -> Float {
    let outer = (four.0 - four.1) * weights.0 + (four.3 - four.1) * weights.3
    return four.1 + ((four.2 - four.1) * weights.2 + outer)
  }

  @inline(__always)
  static func interpolate(_ four: (Lanes, Lanes, Lanes, Lanes), _ weights: Weights) -> Lanes {
    let outer = (four.0 - four.1) * weights.0 + (four.3 - four.1) * weights.3
    return four.1 + ((four.2 - four.1) * weights.2 + outer)
  }
}

extension Double: KernelSample {
  typealias Lanes = SIMD8<Double>

  @inline(__always) static var laneCount: Int { 8 }

  @inline(__always)
  init(integer: Int32) { self.init(integer) }

  @inline(__always)
  init(magnitudeBits: Int64) { self.init(bitPattern: UInt64(bitPattern: magnitudeBits)) }

  @inline(__always) var asFloat: Float { Float(self) }
  @inline(__always) var asDouble: Double { self }
  @inline(__always) var magnitudeBits: Int64 {
    Int64(bitPattern: bitPattern & 0x7FFF_FFFF_FFFF_FFFF)
  }

  @inline(__always)
  static func interpolate(
    _ four: (Double, Double, Double, Double), _ weights: Weights
  ) -> Double {
    let outer = four.0 * weights.0 + four.3 * weights.3
    return (four.1 * weights.1 + four.2 * weights.2) + outer
  }

  @inline(__always)
  static func interpolate(_ four: (Lanes, Lanes, Lanes, Lanes), _ weights: Weights) -> Lanes {
    let outer = four.0 * weights.0 + four.3 * weights.3
    return (four.1 * weights.1 + four.2 * weights.2) + outer
  }
}

extension SIMD16: KernelLanes where Scalar == Float {
  typealias Sample = Float

  @inline(__always) var sum: Float {
    let eight = lowHalf + highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}

extension SIMD8: KernelLanes where Scalar == Double {
  typealias Sample = Double

  @inline(__always) var sum: Double {
    let four = lowHalf + highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}

/// The lanes of 64 bytes of samples from `index` on.
@inline(__always)
func lanesOf<Sample: KernelSample>(_ samples: UnsafePointer<Sample>, _ index: Int) -> Sample.Lanes {
  unsafe UnsafeRawPointer(samples + index).loadUnaligned(as: Sample.Lanes.self)
}
