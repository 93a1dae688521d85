internal import Glibc

/// The discrete Fourier transform of a power of two, of eight signals at once: a lane each.
///
/// Decimation in time, radix 2 (Cooley and Tukey 1965). What fills the lanes of a processor is eight signals, not
/// neighbours in one, so no stage has to shuffle.
struct LaneTransform {
  typealias Lanes = SIMD8<Float>

  /// How many signals one call transforms.
  static let laneCount = 8
  static let sizes = 16...(1 << 16)

  let size: Int
  /// Where each value of the input has to stand: its index with the bits in reverse order.
  let places: [Int]
  /// e^(−2πik/size) for k of the first half.
  private let cosines: [Float]
  private let sines: [Float]

  /// - Parameter size: a power of two in ``sizes``.
  init(size: Int) {
    precondition(Self.sizes.contains(size) && size & (size - 1) == 0)
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
    let angles = (0..<size / 2).map { -2 * Double.pi * Double($0) / Double(size) }
    cosines = angles.map { Float(cos($0)) }
    sines = angles.map { Float(sin($0)) }
  }

  /// Transforms in place.
  ///
  /// - Parameters:
  ///   - real: the real parts, value n of the input at `places[n]`; afterwards those of the bins in order.
  ///   - imaginary: likewise.
  func transform(_ real: inout [Lanes], _ imaginary: inout [Lanes]) {
    var re = real.mutableSpan
    var im = imaginary.mutableSpan
    let cosines = cosines.span
    let sines = sines.span
    var half = 1
    while half < size {
      let step = size / (2 * half)
      for offset in 0..<half {
        let (c, s) = (cosines[offset * step], sines[offset * step])
        var low = offset
        while low < size {
          let high = low + half
          let (a, b) = (re[high], im[high])
          let turnedRe = a * c - b * s
          let turnedIm = a * s + b * c
          let (p, q) = (re[low], im[low])
          re[high] = p - turnedRe
          im[high] = q - turnedIm
          re[low] = p + turnedRe
          im[low] = q + turnedIm
          low += 2 * half
        }
      }
      half *= 2
    }
  }
}
