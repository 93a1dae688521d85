// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The time by which a running session goes where no device tells it. Session thread only.
package protocol SessionTime: AnyObject {
  var now: MonotonicTime { get }

  /// Waits for a signal, or for `limit` at most.
  func wait(for wakeup: Wakeup, atMost limit: Duration)

  /// Waits for so long, whatever is signalled.
  func rest(_ duration: Duration)
}

/// The machine's own time.
final class MachineTime: SessionTime {
  var now: MonotonicTime { .now }

  func wait(for wakeup: Wakeup, atMost limit: Duration) { wakeup.wait(atMost: limit) }

  func rest(_ duration: Duration) { usleep(UInt32(clamping: duration.inNanoseconds / 1_000)) }
}
