// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The time of a running session without a device's clock. Session thread only.
package protocol SessionTime: AnyObject {
  var now: MonotonicTime { get }

  /// Waits for a signal, at most `limit`.
  func wait(for wakeup: Wakeup, atMost limit: Duration)

  /// Waits for `duration`, regardless of signals.
  func rest(_ duration: Duration)
}

/// The machine's own time.
final class MachineTime: SessionTime {
  var now: MonotonicTime { .now }

  func wait(for wakeup: Wakeup, atMost limit: Duration) { wakeup.wait(atMost: limit) }

  func rest(_ duration: Duration) { usleep(UInt32(clamping: duration.inNanoseconds / 1_000)) }
}
