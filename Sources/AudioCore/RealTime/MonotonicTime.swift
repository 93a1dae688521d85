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

// The clock as device threads read it: exits from the code that the compiler proves free of allocation
// and locks, like those of libasound.

/// Milliseconds of the monotonic clock. The corresponding C function is `clock_gettime`.
@_semantics("no_performance_analysis")
func monotonicMilliseconds() -> Int {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000 + now.tv_nsec / 1_000_000
}

/// Nanoseconds of the monotonic clock. The corresponding C function is `clock_gettime`.
@_semantics("no_performance_analysis")
func monotonicNanoseconds() -> Int {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// Seconds of the monotonic clock. The corresponding C function is `clock_gettime`.
@_semantics("no_performance_analysis")
func monotonicSeconds() -> Double {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return now.seconds
}

extension timespec {
  var seconds: Double {
    @_noAllocation @_noLocks get { Double(tv_sec) + Double(tv_nsec) * 1e-9 }
  }
}
