import Glibc

/// An instant of the machine's monotonic clock.
struct MonotonicTime {
  private let seconds: Int
  private let nanoseconds: Int

  static var now: MonotonicTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }

  /// The time since `earlier`.
  func elapsed(since earlier: MonotonicTime) -> Duration {
    .seconds(seconds - earlier.seconds) + .nanoseconds(nanoseconds - earlier.nanoseconds)
  }
}
