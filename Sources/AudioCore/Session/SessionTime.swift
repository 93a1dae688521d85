// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The time by which a session without a device's clock goes on: the machine's, unless ``Session/time`` is replaced.
/// Session thread.
public protocol SessionTime: AnyObject {
  /// The present.
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

/// A time that passes only while the session waits, and then at once: a test runs an hour of a live session in a moment,
/// with the same gaps and the same late samples each time.
///
/// ```swift
/// session.time = VirtualTime()
/// ```
///
/// Sources of the test ask ``now`` for the samples that are due. Session thread.
public final class VirtualTime: SessionTime {
  /// A second at first, then as long as the session has waited more.
  public private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
  /// Called after every wait.
  public var onWait: () -> Void = {}

  public init() {}

  public func wait(for wakeup: Wakeup, atMost limit: Duration) { rest(limit) }

  public func rest(_ duration: Duration) {
    now.nanoseconds += duration.inNanoseconds
    onWait()
  }
}
