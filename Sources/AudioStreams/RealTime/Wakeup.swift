// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The signal from a device thread, a pushing program or a signal handler to the session thread to look again, and the
/// requests that it brings.
public final class Wakeup: Sendable {
  private let semaphore = Semaphore()
  private let stop = StopRequest()
  /// The request to pause the devices of the session.
  package let pause = PauseRequest()
  private let asleep = SleepingSources()

  public init() {}

  /// Wakes the waiting thread, or lets its next `wait` return at once. Any thread; async-signal-safe.
  public func signal() { semaphore.signal() }

  /// Tells that a source can no longer wake the session, or can again. Session thread only.
  package func setCanWake(_ canWake: Bool) { asleep.add(canWake ? -1 : 1) }

  /// Whether every source without samples wakes the session once it has some.
  package var canAllWake: Bool { asleep.areNone }

  /// The request to end the session. Code that waits for data checks it, and if there is one gives up with an error of
  /// kind ``AudioError/Kind/interrupted``. Any thread.
  public var request: SessionControl.Request? { stop.strongest }

  /// Asks the session to end. A request that is stronger already stays. Any thread; async-signal-safe.
  package func request(_ request: SessionControl.Request) {
    stop.make(request)
    signal()
  }

  /// Waits for the next signal, or for `limit` at most. Signals that came in the meantime count as one.
  public func wait(atMost limit: Duration) { semaphore.wait(atMost: limit) }
}

/// The strongest request to end a session.
private struct StopRequest: ~Copyable, Sendable {
  private let stored = Atomic<UInt8>(0)

  var strongest: SessionControl.Request? {
    SessionControl.Request(rawValue: stored.load(ordering: .acquiring))
  }

  func make(_ request: SessionControl.Request) {
    stored.max(request.rawValue, ordering: .acquiringAndReleasing)
  }
}

/// The sources that cannot wake a session at present, and must be polled.
private struct SleepingSources: ~Copyable, Sendable {
  private let count = Atomic(0)

  var areNone: Bool { count.load(ordering: .relaxed) == 0 }

  func add(_ change: Int) { count.wrappingAdd(change, ordering: .relaxed) }
}
