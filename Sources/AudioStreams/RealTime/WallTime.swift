// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// The time of day, in nanoseconds since 1970 began in UTC. Any thread.
package enum WallTime {
  /// The present time.
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
