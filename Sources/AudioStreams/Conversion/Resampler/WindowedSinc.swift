// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The impulse response of an ideal low-pass, cut to its length by a window.
struct WindowedSinc {
  private let taps: Int
  /// The cutoff as a fraction of the input's Nyquist frequency.
  private let cutoff: Double
  private let window: KaiserWindow
  /// The sine and the cosine of π × cutoff × tap, for every tap.
  private var sines: [SIMD8<Double>] = []
  private var cosines: [SIMD8<Double>] = []

  /// - Parameter taps: a multiple of 8.
  init(taps: Int, cutoff: Double, window: KaiserWindow) {
    self.taps = taps
    self.cutoff = cutoff
    self.window = window
    for tap in stride(from: 0, to: taps, by: 8) {
      var (sine, cosine) = (SIMD8<Double>(), SIMD8<Double>())
      for lane in 0..<8 {
        let angle = Double.pi * cutoff * Double(tap + lane)
        sine[lane] = sin(angle)
        cosine[lane] = cos(angle)
      }
      sines.append(sine)
      cosines.append(cosine)
    }
  }

  /// Writes h(t) at t = `point` + taps/2 − 1 − j for every tap j, in units of input samples.
  func write(at point: Double, to row: UnsafeMutableBufferPointer<Double>) {
    let first = point + Double(taps / 2 - 1)
    let (sine, cosine) = (sin(Double.pi * cutoff * first), cos(Double.pi * cutoff * first))
    for eight in sines.indices {
      let times = first - (SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7) + Double(eight * 8))
      // sin(a − b) = sin a cos b − cos a sin b
      let waves = sine * cosines[eight] - cosine * sines[eight]
      let sinc = (waves / (Double.pi * times)).replacing(with: cutoff, where: times .== 0)
      let values = sinc * window.values(at: times / Double(taps / 2))
      for lane in 0..<8 {
        unsafe row.initializeElement(at: eight * 8 + lane, to: values[lane])
      }
    }
  }
}

/// The Kaiser window and the rules for its two parameters.
///
/// J. F. Kaiser, "Nonrecursive Digital Filter Design Using the I0-sinh Window Function", Proc. IEEE
/// ISCAS 1974; formulas as in A. V. Oppenheim, R. W. Schafer, "Discrete-Time Signal Processing",
/// section 7.5.3 (7.75 and 7.76 in the third edition).
struct KaiserWindow {
  let beta: Double
  /// 1 / k², from the last k on.
  private let factors: [Double]
  /// I0(β).
  private var middle = SIMD8<Double>(repeating: 1)

  /// - Parameter attenuation: the stop-band attenuation in dB, above 50.
  init(attenuation: Double) {
    beta = 0.1102 * (attenuation - 8.7)
    // From k = 1.5 β + 20 on, the terms are below 2^-53 of the sum for every β in use.
    let last = Int(1.5 * beta) + 20
    factors = (0..<last).map { 1 / Double((last - $0) * (last - $0)) }
    middle = besselSum(SIMD8(repeating: beta * beta / 4))
  }

  /// The order (length − 1) that a filter needs for `attenuation` dB over a transition band of `transition` radians per
  /// sample.
  static func order(attenuation: Double, transition: Double) -> Double {
    (attenuation - 8) / (2.285 * transition)
  }

  /// The attenuation that a filter of this order reaches: the inverse of `order`.
  static func attenuation(order: Double, transition: Double) -> Double {
    order * 2.285 * transition + 8
  }

  /// The window at `points`, from −1 to 1 across it: 1 in the middle, 0 outside and at the edges themselves, so that a
  /// response with a tap at only one edge is symmetrical, too.
  func values(at points: SIMD8<Double>) -> SIMD8<Double> {
    let quarter = SIMD8<Double>(repeating: beta * beta / 4)
    let arguments = quarter * (1 - points) * (1 + points)
    let inside = points .> -1 .& points .< 1
    return (besselSum(arguments) / middle).replacing(with: 0, where: .!inside)
  }

  /// I0(x) of x = 2 √`argument`: Σ ((x/2)²)^k / k!², by Horner's rule; all terms are positive, so nothing
  /// cancels.
  private func besselSum(_ argument: SIMD8<Double>) -> SIMD8<Double> {
    var sum = SIMD8<Double>(repeating: 1)
    for factor in factors { sum = 1 + sum * (argument * factor) }
    return sum
  }
}
