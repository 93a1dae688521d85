// SPDX-License-Identifier: Apache-2.0
/// A sample type of the kernels: `Float` or `Double`.
///
/// Kernels are generic functions, inlined into the functions of ``SampleKernels``. Those name the type, so the compiler
/// proves of each that it neither allocates nor locks. Conversions are requirements because the standard library's are
/// generic, and slow without specialisation.
protocol KernelSample: BinaryFloatingPoint, BitwiseCopyable {
  /// 64 bytes of samples.
  associatedtype Lanes: KernelLanes where Lanes.Sample == Self
  /// Four numbers for adjacent rows.
  associatedtype Weights
  /// An integer of the sample's size.
  associatedtype Word: FixedWidthInteger & SignedInteger

  static var laneCount: Int { get }

  init(integer: Int32)
  init(magnitudeBits: Word)
  init(rounding: Double)
  var asFloat: Float { get }
  var asDouble: Double { get }
  /// The sample's bits without its sign.
  ///
  /// Magnitudes have the order of their bits: finite ones, infinity, NaN.
  var magnitudeBits: Word { get }

  static func weights(_ four: SIMD4<Double>) -> Weights

  /// The weighted sums of four rows' coefficients, in lanes; the weights add up to 1.
  static func factors(of rows: FourRows<Self>, _ index: Int) -> Lanes
  /// The weighted sum of four coefficients.
  static func coefficient(of rows: FourRows<Self>, _ index: Int) -> Self

  /// Encodes samples as integers of 8 or 16 bits and of full scale `scale`; returns the number out of range.
  static func encodeNarrow(
    _ source: UnsafePointer<Self>, _ count: Int, _ stride: Int, _ scale: Double,
    _ target: UnsafeMutableRawPointer, _ store: (Int32, UnsafeMutableRawPointer) -> Void
  ) -> Int
}

/// A vector of samples.
///
/// It has methods in place of operators. Swift prefers a protocol's operator to the vector's own one, even if the type
/// is known.
protocol KernelLanes: BitwiseCopyable {
  associatedtype Sample
  init(repeating: Sample)
  mutating func add(_ others: Self)
  mutating func add(_ lanes: Self, times factors: Self)
  mutating func add(_ lanes: Self, times factor: Sample)
  /// 0 in each lane that is finite, else NaN.
  var rest: Self { get }
  /// The sum of all lanes, pair by pair.
  var sum: Sample { get }
}

extension Float: KernelSample {
  typealias Lanes = SIMD16<Float>
  typealias Weights = SIMD4<Float>

  @inline(__always) static var laneCount: Int { 16 }

  @_noAllocation @_noLocks @inline(__always)
  init(integer: Int32) { self.init(integer) }

  @_noAllocation @_noLocks @inline(__always)
  init(magnitudeBits: Int32) { self.init(bitPattern: UInt32(bitPattern: magnitudeBits)) }

  @_noAllocation @_noLocks @inline(__always)
  init(rounding double: Double) { self.init(double) }

  @inline(__always) var asFloat: Float { self }
  @inline(__always) var asDouble: Double { Double(self) }
  @inline(__always) var magnitudeBits: Int32 { Int32(bitPattern: bitPattern & 0x7FFF_FFFF) }

  @_noAllocation @_noLocks @inline(__always)
  static func weights(_ four: SIMD4<Double>) -> SIMD4<Float> { SIMD4(four) }

  // One coefficient plus small differences, whose roundings are even smaller.

  @_noAllocation @_noLocks @inline(__always)
  static func factors(of rows: FourRows<Float>, _ index: Int) -> Lanes {
    let near = unsafe lanesOf(rows.row1, index)
    let first = unsafe (lanesOf(rows.row0, index) - near) * rows.weights.x
    let outer = unsafe first + (lanesOf(rows.row3, index) - near) * rows.weights.w
    return unsafe near + ((lanesOf(rows.row2, index) - near) * rows.weights.z + outer)
  }

  @_noAllocation @_noLocks @inline(__always)
  static func coefficient(of rows: FourRows<Float>, _ index: Int) -> Float {
    let near = unsafe rows.row1[index]
    let first = unsafe (rows.row0[index] - near) * rows.weights.x
    let outer = unsafe first + (rows.row3[index] - near) * rows.weights.w
    return unsafe near + ((rows.row2[index] - near) * rows.weights.z + outer)
  }
}

extension Double: KernelSample {
  typealias Lanes = SIMD8<Double>
  typealias Weights = SIMD4<Double>

  @inline(__always) static var laneCount: Int { 8 }

  @_noAllocation @_noLocks @inline(__always)
  init(integer: Int32) { self.init(integer) }

  @_noAllocation @_noLocks @inline(__always)
  init(magnitudeBits: Int64) { self.init(bitPattern: UInt64(bitPattern: magnitudeBits)) }

  @_noAllocation @_noLocks @inline(__always)
  init(rounding double: Double) { self = double }

  @inline(__always) var asFloat: Float { Float(self) }
  @inline(__always) var asDouble: Double { self }
  @inline(__always) var magnitudeBits: Int64 {
    Int64(bitPattern: bitPattern & 0x7FFF_FFFF_FFFF_FFFF)
  }

  @_noAllocation @_noLocks @inline(__always)
  static func weights(_ four: SIMD4<Double>) -> SIMD4<Double> { four }

  @_noAllocation @_noLocks @inline(__always)
  static func factors(of rows: FourRows<Double>, _ index: Int) -> Lanes {
    let (weights, row0, row3) = unsafe (rows.weights, rows.row0, rows.row3)
    let outer = unsafe lanesOf(row0, index) * weights.x + lanesOf(row3, index) * weights.w
    let (row1, row2) = unsafe (rows.row1, rows.row2)
    let inner = unsafe lanesOf(row1, index) * weights.y + lanesOf(row2, index) * weights.z
    return inner + outer
  }

  @_noAllocation @_noLocks @inline(__always)
  static func coefficient(of rows: FourRows<Double>, _ index: Int) -> Double {
    let weights = unsafe rows.weights
    let outer = unsafe rows.row0[index] * weights.x + rows.row3[index] * weights.w
    let inner = unsafe rows.row1[index] * weights.y + rows.row2[index] * weights.z
    return inner + outer
  }
}

extension SIMD16: KernelLanes where Scalar == Float {
  typealias Sample = Float

  @_noAllocation @_noLocks @inline(__always)
  mutating func add(_ others: Self) { self += others }

  @_noAllocation @_noLocks @inline(__always)
  mutating func add(_ lanes: Self, times factors: Self) { self += lanes * factors }

  @_noAllocation @_noLocks @inline(__always)
  mutating func add(_ lanes: Self, times factor: Float) { self += lanes * factor }

  @inline(__always) var rest: Self { self - self }

  @inline(__always) var sum: Float {
    let eight = lowHalf + highHalf
    let four = eight.lowHalf + eight.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}

extension SIMD8: KernelLanes where Scalar == Double {
  typealias Sample = Double

  @_noAllocation @_noLocks @inline(__always)
  mutating func add(_ others: Self) { self += others }

  @_noAllocation @_noLocks @inline(__always)
  mutating func add(_ lanes: Self, times factors: Self) { self += lanes * factors }

  @_noAllocation @_noLocks @inline(__always)
  mutating func add(_ lanes: Self, times factor: Double) { self += lanes * factor }

  @inline(__always) var rest: Self { self - self }

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
