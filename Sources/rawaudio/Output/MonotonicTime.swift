internal import Glibc

/// Milliseconds of the monotonic clock. Any thread; async-signal-safe. The corresponding C function is
/// `clock_gettime`.
func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}
