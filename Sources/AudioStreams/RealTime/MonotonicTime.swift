// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// An instant of the machine's monotonic clock (`CLOCK_MONOTONIC`), which stops while the machine sleeps.
///
/// It holds only a number, so that device threads may compare and pass on instants. They take the time between two
/// instants as a plain number, because `Duration` might allocate memory.
public struct MonotonicTime: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// Nanoseconds since an instant before the start of this program.
  public var nanoseconds: Int

  /// - Parameter nanoseconds: since the clock's beginning.
  @_noAllocation @_noLocks
  public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

  /// The present instant. Any thread; async-signal-safe. The corresponding C function is `clock_gettime`.
  public static var now: MonotonicTime {
    // An exit from the code that the compiler proves free of allocation and locks, like those of libasound.
    @_semantics("no_performance_analysis")
    get {
      var time = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
      return MonotonicTime(time)
    }
  }

  public static func < (first: MonotonicTime, second: MonotonicTime) -> Bool {
    first.nanoseconds < second.nanoseconds
  }

  /// The time since `earlier`.
  public func elapsed(since earlier: MonotonicTime) -> Duration {
    .nanoseconds(nanoseconds(since: earlier))
  }

  @_noAllocation @_noLocks
  package func nanoseconds(since earlier: MonotonicTime) -> Int {
    nanoseconds - earlier.nanoseconds
  }

  @_noAllocation @_noLocks
  package func seconds(since earlier: MonotonicTime) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}

extension MonotonicTime {
  @_noAllocation @_noLocks
  package init(_ time: timespec) {
    self.init(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds, limited to the range of `Int`.
  package var inNanoseconds: Int {
    let (seconds, attoseconds) = components
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds) / 1_000_000_000
    return Int(clamping: nanoseconds)
  }

  /// `10 s`, `50 ms`.
  package var inWords: String {
    let milliseconds = inNanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  /// The duration of `count` samples per channel at `rate` hertz, rounded up to nanoseconds.
  package static func samples(_ count: Int, at rate: Int) -> Duration {
    let billions = Int128(count) * 1_000_000_000
    return .nanoseconds(Int64(clamping: (billions + Int128(rate - 1)) / Int128(rate)))
  }

  /// The duration in samples per channel at `rate` hertz, rounded up.
  package func samples(at rate: Int) -> Int64 {
    Int64(clamping: (Int128(inNanoseconds) * Int128(rate) + 999_999_999) / 1_000_000_000)
  }
}

/// The time of day, in nanoseconds since 1970 began in UTC. Any thread.
package enum WallTime {
  package static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  /// Converts the time of a file system or of a device.
  package static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
