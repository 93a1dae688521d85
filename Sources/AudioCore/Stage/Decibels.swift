internal import Glibc

/// Levels as factors and as decibels.
public enum Decibels {
  /// The factor of an amplitude that is changed by `decibels`: 10^(dB/20). 0 dB is exactly 1.
  public static func factor(_ decibels: Double) -> Double { pow(10, decibels / 20) }
}
