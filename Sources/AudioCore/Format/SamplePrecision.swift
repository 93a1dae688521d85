/// The type of sample that a session computes in.
public enum SamplePrecision: Int, Sendable, Hashable, Comparable {
  /// `Float`, 24 significant bits.
  case single
  /// `Double`, 53 significant bits.
  case double

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
