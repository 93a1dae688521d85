// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Levels as factors and as decibels.
public enum Decibels {
  /// The factor that changes an amplitude by `decibels`: 10^(dB/20). 0 dB is exactly 1.
  public static func factor(_ decibels: Double) -> Double { pow(10, decibels / 20) }

  /// The level of an amplitude in dBFS: 20 · log₁₀ of it. 1 is exactly 0 dBFS, 0 is −∞.
  public static func level(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
}

extension Double {
  /// The factor of a gain in decibels: `gain: .decibels(-6)`.
  public static func decibels(_ decibels: Double) -> Double { Decibels.factor(decibels) }
}
