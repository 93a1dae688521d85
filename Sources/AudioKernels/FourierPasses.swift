// SPDX-License-Identifier: Apache-2.0
/// Four complex numbers of four signals. Lanes never hold neighbours of one signal, so no pass of a transform has to
/// shuffle.
struct FourComplex: BitwiseCopyable {
  var real: SIMD4<Double>
  var imaginary: SIMD4<Double>

  @inline(__always)
  init(_ real: SIMD4<Double>, _ imaginary: SIMD4<Double>) {
    self.real = real
    self.imaginary = imaginary
  }

  @inline(__always)
  static func + (one: FourComplex, other: FourComplex) -> FourComplex {
    FourComplex(one.real + other.real, one.imaginary + other.imaginary)
  }

  @inline(__always)
  static func - (one: FourComplex, other: FourComplex) -> FourComplex {
    FourComplex(one.real - other.real, one.imaginary - other.imaginary)
  }

  @inline(__always)
  static func * (number: Double, four: FourComplex) -> FourComplex {
    FourComplex(four.real * number, four.imaginary * number)
  }

  @inline(__always)
  func times(_ factors: Factors) -> FourComplex {
    let (x, y) = unsafe (factors.real[0], factors.imaginary[0])
    return FourComplex(real * x - imaginary * y, real * y + imaginary * x)
  }

  /// The product with the conjugate.
  @inline(__always)
  func timesConjugate(of factors: Factors) -> FourComplex {
    let (x, y) = unsafe (factors.real[0], factors.imaginary[0])
    return FourComplex(real * x + imaginary * y, imaginary * x - real * y)
  }

  /// The sum with −i times the other number.
  @inline(__always)
  func plusTurned(_ other: FourComplex) -> FourComplex {
    FourComplex(real + other.imaginary, imaginary - other.real)
  }

  /// The difference from −i times the other number.
  @inline(__always)
  func minusTurned(_ other: FourComplex) -> FourComplex {
    FourComplex(real - other.imaginary, imaginary + other.real)
  }

  /// The imaginary part in place of the real one, and the reverse. The inverse of a transform is the transform between
  /// two exchanges.
  @inline(__always) var exchanged: FourComplex { FourComplex(imaginary, real) }
}

/// Values of four signals: all real parts, then all imaginary ones. Apart from each other, neither the compiler nor the
/// processor takes them for pairs.
@unsafe
struct FourSignals {
  let real: UnsafeMutablePointer<SIMD4<Double>>
  let imaginary: UnsafeMutablePointer<SIMD4<Double>>

  /// - Parameter count: the number of values.
  @inline(__always)
  init(_ values: UnsafeMutableRawPointer, count: Int) {
    unsafe real = values.assumingMemoryBound(to: SIMD4<Double>.self)
    unsafe imaginary = real + count
  }

  @inline(__always)
  private init(
    _ real: UnsafeMutablePointer<SIMD4<Double>>, _ imaginary: UnsafeMutablePointer<SIMD4<Double>>
  ) {
    unsafe self.real = real
    unsafe self.imaginary = imaginary
  }

  subscript(index: Int) -> FourComplex {
    @inline(__always) get { unsafe FourComplex(real[index], imaginary[index]) }
    @inline(__always) nonmutating set {
      unsafe real[index] = newValue.real
      unsafe imaginary[index] = newValue.imaginary
    }
  }

  @inline(__always)
  static func + (values: FourSignals, offset: Int) -> FourSignals {
    unsafe FourSignals(values.real + offset, values.imaginary + offset)
  }
}

/// Complex numbers: all real parts, then all imaginary ones.
@unsafe
struct Factors {
  let real: UnsafePointer<Double>
  let imaginary: UnsafePointer<Double>

  @inline(__always)
  init(_ real: UnsafePointer<Double>, _ imaginary: UnsafePointer<Double>) {
    unsafe self.real = real
    unsafe self.imaginary = imaginary
  }

  @inline(__always)
  static func + (factors: Factors, offset: Int) -> Factors {
    unsafe Factors(factors.real + offset, factors.imaginary + offset)
  }
}

/// A discrete Fourier transform of four complex signals.
///
/// Decimation in frequency, radix after radix (Cooley and Tukey 1965): the values come in order, and the bins stand in
/// the order of their digits.
@safe
package struct TransformPlan {
  package let size: Int
  /// Each 2, 3, 4, 5 or 7; their product is ``size``.
  package let radices: UnsafePointer<Int>
  package let passCount: Int
  /// For each pass and each place within its length ÷ radix: the roots of unity of the outputs 1 up to the radix; all
  /// real parts, then all imaginary ones.
  package let factors: UnsafePointer<Double>
  package let factorCount: Int

  package init(
    size: Int, radices: UnsafePointer<Int>, passCount: Int, factors: UnsafePointer<Double>,
    factorCount: Int
  ) {
    self.size = size
    unsafe self.radices = radices
    self.passCount = passCount
    unsafe self.factors = factors
    self.factorCount = factorCount
  }

  /// Transforms in place.
  func apply(to values: FourSignals) {
    unsafe apply(to: values, size, pass: 0, Factors(factors, factors + factorCount))
  }

  /// The values that stay in a core's nearest cache.
  private static var fewValues: Int { @inline(__always) get { 256 } }

  /// Transforms `length` values from this pass on.
  private func apply(
    to values: FourSignals, _ length: Int, pass: Int,
    _ factors: Factors
  ) {
    var (pass, length, factors) = unsafe (pass, length, factors)
    let count = length
    while pass < passCount {
      let radix = unsafe radices[pass]
      unsafe transformPass(values, count, length, radix, factors)
      let step = length / radix
      unsafe factors = factors + step &* (radix &- 1)
      pass &+= 1
      if count > Self.fewValues {
        for part in 0..<radix {
          unsafe apply(to: values + part &* step, step, pass: pass, factors)
        }
        return
      }
      length = step
    }
  }
}

/// One pass over `count` values, in groups of `length`.
private func transformPass(
  _ values: FourSignals, _ count: Int, _ length: Int, _ radix: Int,
  _ factors: Factors
) {
  switch radix {
  case 2: unsafe eachPlace(values, count, length, 2, factors) { unsafe transformTwo($0, $1, $2) }
  case 3: unsafe eachPlace(values, count, length, 3, factors) { unsafe transformThree($0, $1, $2) }
  case 4: unsafe eachPlace(values, count, length, 4, factors) { unsafe transformFour($0, $1, $2) }
  case 5: unsafe eachPlace(values, count, length, 5, factors) { unsafe transformFive($0, $1, $2) }
  default:
    unsafe eachPlace(values, count, length, 7, factors) { unsafe transformSeven($0, $1, $2) }
  }
}

@inline(__always)
private func eachPlace(
  _ values: FourSignals, _ count: Int, _ length: Int, _ radix: Int,
  _ factors: Factors,
  _ transform: (FourSignals, Int, Factors) -> Void
) {
  let step = length / radix
  var group = 0
  while group < count {
    var place = 0
    while place < step {
      unsafe transform(values + (group &+ place), step, factors + place &* (radix &- 1))
      place &+= 1
    }
    group &+= length
  }
}

@inline(__always)
private func transformTwo(
  _ values: FourSignals, _ step: Int,
  _ factors: Factors
) {
  let (one, two) = unsafe (values[0], values[step])
  unsafe values[0] = one + two
  unsafe values[step] = (one - two).times(factors)
}

@inline(__always)
private func transformFour(
  _ values: FourSignals, _ step: Int,
  _ factors: Factors
) {
  let (one, two) = unsafe (values[0], values[step])
  let (three, four) = unsafe (values[2 &* step], values[3 &* step])
  let (even, odd) = (one + three, two + four)
  let (difference, other) = (one - three, two - four)
  unsafe values[0] = even + odd
  unsafe values[step] = difference.plusTurned(other).times(factors)
  unsafe values[2 &* step] = (even - odd).times(factors + 1)
  unsafe values[3 &* step] = difference.minusTurned(other).times(factors + 2)
}

// Odd radices after S. Winograd, "On computing the discrete Fourier transform", Mathematics of Computation 1978: the
// cosines meet the sums of opposite values, the sines their differences.

@inline(__always)
private func transformThree(_ values: FourSignals, _ step: Int, _ factors: Factors) {
  let first = unsafe values[0]
  let (one, two) = unsafe (values[step], values[2 &* step])
  let (sum, difference) = (one + two, one - two)
  let even = first + -0.5 * sum
  let odd = 0.866_025_403_784_438_6 * difference
  unsafe values[0] = first + sum
  unsafe values[step] = even.plusTurned(odd).times(factors)
  unsafe values[2 &* step] = even.minusTurned(odd).times(factors + 1)
}

@inline(__always)
private func transformFive(_ values: FourSignals, _ step: Int, _ factors: Factors) {
  let first = unsafe values[0]
  let (one, four) = unsafe (values[step], values[4 &* step])
  let (two, three) = unsafe (values[2 &* step], values[3 &* step])
  let (sum1, sum2) = (one + four, two + three)
  let (difference1, difference2) = (one - four, two - three)
  let sum = sum1 + sum2
  unsafe values[0] = first + sum
  // √5/4, and with u = 2π/5: sin u, sin u − sin 2u, sin u + sin 2u.
  let middle = first + -0.25 * sum
  let half = 0.559_016_994_374_947_5 * (sum1 - sum2)
  let common = 0.951_056_516_295_153_5 * (difference1 + difference2)
  let odd1 = common - 0.363_271_264_002_680_45 * difference2
  let odd2 = 1.538_841_768_587_626_8 * difference1 - common
  let (even1, even2) = (middle + half, middle - half)
  unsafe values[step] = even1.plusTurned(odd1).times(factors)
  unsafe values[4 &* step] = even1.minusTurned(odd1).times(factors + 3)
  unsafe values[2 &* step] = even2.plusTurned(odd2).times(factors + 1)
  unsafe values[3 &* step] = even2.minusTurned(odd2).times(factors + 2)
}

@inline(__always)
private func transformSeven(_ values: FourSignals, _ step: Int, _ factors: Factors) {
  let first = unsafe values[0]
  let (one, six) = unsafe (values[step], values[6 &* step])
  let (two, five) = unsafe (values[2 &* step], values[5 &* step])
  let (three, four) = unsafe (values[3 &* step], values[4 &* step])
  let (sum1, sum2, sum3) = (one + six, two + five, three + four)
  let (difference1, difference2, difference3) = (one - six, two - five, four - three)
  let sum = sum1 + sum2 + sum3
  unsafe values[0] = first + sum
  // With u = 2π/7: (2 cos u − cos 2u − cos 3u)/3, (cos u − 2 cos 2u + cos 3u)/3, (cos u + cos 2u − 2 cos 3u)/3.
  // The sum of the three cosines is −1/2.
  let middle = first + -0.166_666_666_666_666_66 * sum
  let even31 = 0.790_156_468_525_400_2 * (sum1 - sum3)
  let even32 = 0.055_854_267_289_647_735 * (sum3 - sum2)
  let even21 = 0.734_302_201_235_752_4 * (sum2 - sum1)
  let (even1, even2) = (middle + even31 + even32, middle - even31 - even21)
  let even4 = middle - even32 + even21
  // (sin u + sin 2u − sin 3u)/3, (2 sin u − sin 2u + sin 3u)/3, (sin u − 2 sin 2u − sin 3u)/3,
  // (sin u + sin 2u + 2 sin 3u)/3.
  let common = 0.440_958_551_844_098_43 * (difference1 + difference2 + difference3)
  let odd31 = 0.340_872_930_623_931_37 * (difference1 - difference3)
  let odd32 = -0.533_969_360_337_725_1 * (difference3 - difference2)
  let odd21 = 0.874_842_290_961_656_6 * (difference2 - difference1)
  let (odd1, odd2) = (common + odd31 + odd32, common - odd31 - odd21)
  let odd4 = common - odd32 + odd21
  unsafe values[step] = even1.plusTurned(odd1).times(factors)
  unsafe values[6 &* step] = even1.minusTurned(odd1).times(factors + 5)
  unsafe values[2 &* step] = even2.plusTurned(odd2).times(factors + 1)
  unsafe values[5 &* step] = even2.minusTurned(odd2).times(factors + 4)
  unsafe values[4 &* step] = even4.plusTurned(odd4).times(factors + 3)
  unsafe values[3 &* step] = even4.minusTurned(odd4).times(factors + 2)
}
