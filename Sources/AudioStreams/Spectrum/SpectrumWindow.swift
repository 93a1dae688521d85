// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The window that a stretch of sound is multiplied by before its spectrum is taken.
///
/// Sources: Harris, "On the use of windows for harmonic analysis with the discrete Fourier transform" (1978), for
/// all but `kaiser`; Kaiser and Schafer (1980) for that, with β = 14 (side lobes below −100 dB).
@nonexhaustive
public enum SpectrumWindow: String, Sendable, Hashable, CaseIterable {
  case hann
  case hamming
  /// Blackman-Harris of four terms: side lobes below −92 dB.
  case blackman
  case kaiser
  case rectangular

  /// The values for a transform of `size` samples (periodic), scaled so that they sum up to 2: a sine of amplitude 1 has
  /// magnitude 1 at its bin.
  package func values(_ size: Int) -> [Double] {
    let values = (0..<size).map { value(at: Double($0) / Double(size)) }
    let sum = values.reduce(0, +)
    return values.map { 2 * $0 / sum }
  }

  /// - Parameter place: 0 at the beginning, 1 at the end.
  private func value(at place: Double) -> Double {
    func cosine(_ multiple: Double) -> Double { cos(2 * Double.pi * multiple * place) }
    switch self {
    case .hann: return 0.5 - 0.5 * cosine(1)
    case .hamming: return 0.54 - 0.46 * cosine(1)
    case .blackman:
      return 0.35875 - 0.48829 * cosine(1) + 0.14128 * cosine(2) - 0.01168 * cosine(3)
    case .kaiser:
      let offset = 2 * place - 1
      return Self.bessel(14 * (1 - offset * offset).squareRoot()) / Self.bessel(14)
    case .rectangular: return 1
    }
  }

  /// The modified Bessel function of the first kind and order 0, by its series (Abramowitz and Stegun, 9.6.12).
  static func bessel(_ x: Double) -> Double {
    var (sum, term, k) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= (x / (2 * k)) * (x / (2 * k))
      sum += term
      k += 1
    }
    return sum
  }
}
