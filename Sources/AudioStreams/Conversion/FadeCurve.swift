// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The curve of a fade's factor from silence to the full level.
///
/// The place in the fade is x, from 0 to 1:
///
/// | curve | factor | at x = ½ | for |
/// |---|---|---|---|
/// | ``linear`` | x | −6 dB | short fades; two of the same sound add up to it |
/// | ``equalPower`` | sin(π⁄2 · x) | −3 dB | crossfades: the powers of both add up to 1 |
/// | ``raisedCosine`` | (1 − cos(π · x)) ⁄ 2 | −6 dB | long fades without a corner at either end |
/// | ``logarithmic`` | 10^(−5 · (1 − x)), 0 at x = 0 | −50 dB | 100 dB in a straight line of decibels |
///
/// sox calls them t, q, h and l, ffmpeg tri, qsin, hsin and (nearly) exp.
@nonexhaustive
public enum FadeCurve: String, Sendable, Hashable, CaseIterable {
  case linear
  case equalPower = "equal-power"
  case raisedCosine = "raised-cosine"
  case logarithmic

  /// The factor at a place in the fade.
  ///
  /// - Parameter place: from 0, silence, to 1, the full level; a place outside counts as the nearer end.
  public func factor(at place: Double) -> Double {
    if place <= 0 { return 0 }
    if place >= 1 { return 1 }
    return switch self {
    case .linear: place
    case .equalPower: sin(place * .pi / 2)
    case .raisedCosine: (1 - cos(place * .pi)) / 2
    case .logarithmic: pow(10, -5 * (1 - place))
    }
  }
  /// Writes the factors of successive places: first ⁄ whole, (first + 1) ⁄ whole, and so on.
  ///
  /// - Parameters:
  ///   - factors: the first `count` of them are replaced.
  ///   - isFalling: whether each place x becomes 1 − x.
  func fill(
    _ factors: inout [Double], _ count: Int, from first: Int64, of whole: Int64,
    isFalling: Bool = false
  ) {
    precondition(count <= factors.count)
    unsafe factors.withUnsafeMutableBufferPointer { factors in
      guard let start = factors.baseAddress else { return }
      unsafe KernelTable.current.ramp(Double(first), Double(whole), isFalling, count, start)
      if self == .linear { return }
      for index in 0..<count { unsafe factors[index] = factor(at: factors[index]) }
    }
  }
}
