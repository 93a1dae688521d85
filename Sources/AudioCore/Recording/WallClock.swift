import Glibc

/// The time of day.
enum WallClock {
  /// Seconds since 1970 in UTC.
  static var seconds: Int { time(nil) }
}
