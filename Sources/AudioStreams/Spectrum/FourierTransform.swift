// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The value type of a ``FourierTransform``: a complex number, or one in each lane.
package protocol TransformValue: Sendable {
  /// A complex number: its real and its imaginary part.
  associatedtype Factor: Sendable

  static func + (one: Self, other: Self) -> Self
  static func - (one: Self, other: Self) -> Self

  /// e^(i·`angle`).
  static func factor(_ angle: Double) -> Factor

  func times(_ factor: Factor) -> Self
}

/// One complex number.
///
/// `SIMD2` itself must not conform to a protocol of ours: the compiler would then suspect allocations in all its uses.
struct Complex: TransformValue {
  /// The real and the imaginary part.
  var parts = SIMD2<Double>()

  static func + (one: Complex, other: Complex) -> Complex {
    Complex(parts: one.parts + other.parts)
  }

  static func - (one: Complex, other: Complex) -> Complex {
    Complex(parts: one.parts - other.parts)
  }

  static func factor(_ angle: Double) -> SIMD2<Double> { SIMD2(cos(angle), sin(angle)) }

  func times(_ factor: SIMD2<Double>) -> Complex {
    Complex(
      parts: SIMD2(
        parts.x * factor.x - parts.y * factor.y, parts.x * factor.y + parts.y * factor.x))
  }
}

/// Eight complex numbers of eight signals: lanes never hold neighbours of one signal, so no stage of a transform has to
/// shuffle.
package struct ComplexLanes: TransformValue {
  package typealias Lanes = SIMD8<Float>

  package static let count = 8

  package var real = Lanes()
  package var imaginary = Lanes()

  package init(real: Lanes = Lanes(), imaginary: Lanes = Lanes()) {
    self.real = real
    self.imaginary = imaginary
  }

  @inline(__always)
  package static func + (one: ComplexLanes, other: ComplexLanes) -> ComplexLanes {
    ComplexLanes(real: one.real + other.real, imaginary: one.imaginary + other.imaginary)
  }

  @inline(__always)
  package static func - (one: ComplexLanes, other: ComplexLanes) -> ComplexLanes {
    ComplexLanes(real: one.real - other.real, imaginary: one.imaginary - other.imaginary)
  }

  package static func factor(_ angle: Double) -> SIMD2<Float> {
    SIMD2(Float(cos(angle)), Float(sin(angle)))
  }

  @inline(__always)
  package func times(_ factor: SIMD2<Float>) -> ComplexLanes {
    ComplexLanes(
      real: real * factor.x - imaginary * factor.y,
      imaginary: real * factor.y + imaginary * factor.x)
  }
}

/// The discrete Fourier transform; the number of values is a power of two.
///
/// Decimation in time, radix 2 (Cooley and Tukey 1965).
package struct FourierTransform<Value: TransformValue>: Sendable {
  let size: Int
  /// The place of each input value: its index with the bits in reverse order.
  package let places: [Int]
  /// e^(−2πik/size) for k below size/2.
  private let roots: [Value.Factor]

  /// - Parameter size: a power of two, at least 2.
  package init(size: Int) {
    precondition(size >= 2 && size & (size - 1) == 0)
    self.size = size
    let bits = size.trailingZeroBitCount
    places = (0..<size).map { index in
      var (rest, place) = (index, 0)
      for _ in 0..<bits {
        place = place << 1 | rest & 1
        rest >>= 1
      }
      return place
    }
    roots = (0..<size / 2).map { Value.factor(-2 * Double.pi * Double($0) / Double(size)) }
  }

  /// Transforms in place.
  ///
  /// - Parameter values: value n of the input at `places[n]`; afterwards the bins in order.
  @_specialize(where Value == Complex)
  @_specialize(where Value == ComplexLanes)
  package func apply(to values: inout [Value]) {
    var values = values.mutableSpan
    let roots = roots.span
    var half = 1
    while half < size {
      let step = size / (2 * half)
      var start = 0
      while start < size {
        for place in 0..<half {
          let turned = values[start + place + half].times(roots[place * step])
          let other = values[start + place]
          values[start + place] = other + turned
          values[start + place + half] = other - turned
        }
        start += 2 * half
      }
      half *= 2
    }
  }
}
