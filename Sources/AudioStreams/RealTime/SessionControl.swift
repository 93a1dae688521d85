// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Ends a running session from outside: from another thread or from a signal handler.
public final class SessionControl: Sendable {
  /// How a session is asked to end.
  public enum Request: UInt8, Sendable {
    /// It is not: go on.
    case none
    /// Take no more input, deliver what was taken and complete every file.
    case finish
    /// Drop everything and remove what is incomplete.
    case abandon
  }

  package let wakeup = Wakeup()

  public init() {}

  /// What was asked for so far.
  public var request: Request { wakeup.request }

  /// Asks the session to end. Any thread; also async-signal-safe.
  public func requestStop(_ request: Request) {
    wakeup.request(request)
  }
}

// What a program does before it is stopped (SIGTSTP) and after it goes on (SIGCONT).
extension SessionControl {
  /// Lets the session's devices stand still until ``resumeDevices()``.
  ///
  /// A device that plays loses nothing and counts no underrun for the pause: it is paused where it can be;
  /// otherwise it plays what its buffer holds and then waits. A device that is captured from records
  /// nothing meanwhile, which ``DeviceStatistics/pauses`` counts; the recording goes on without a gap in
  /// the file.
  ///
  /// Any thread; async-signal-safe.
  ///
  /// - Parameter limit: the longest time to wait until all stand still.
  /// - Returns: whether they do.
  @discardableResult
  public func pauseDevices(waiting limit: Duration) -> Bool {
    wakeup.pause.make()
    for _ in 0..<max(limit.inNanoseconds / 1_000_000, 0) {
      if wakeup.pause.isFulfilled() { return true }
      usleep(1_000)
    }
    return wakeup.pause.isFulfilled()
  }

  /// Lets the devices go on. Any thread; async-signal-safe.
  public func resumeDevices() { wakeup.pause.withdraw() }
}

/// The wish that a session's devices stand still for a while, and how many device threads follow it.
package struct PauseRequest: ~Copyable, Sendable {
  private let isMade = Atomic<Bool>(false)
  private let running = Atomic<Int>(0)
  private let paused = Atomic<Int>(0)

  /// A device thread begins. That thread only.
  package func enter() { running.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// A device thread ends. That thread only.
  package func leave() { running.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

  /// Whether devices are to stand still. Any thread.
  @_noAllocation @_noLocks
  package func isActive() -> Bool { isMade.load(ordering: .acquiring) }

  /// The calling thread's device stands still now.
  @_noAllocation @_noLocks
  package func beginPause() { paused.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// The calling thread's device goes on.
  @_noAllocation @_noLocks
  package func endPause() { paused.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

  /// Whether every device stands still. Any thread; async-signal-safe.
  func isFulfilled() -> Bool {
    paused.load(ordering: .acquiring) >= running.load(ordering: .acquiring)
  }

  /// Any thread; async-signal-safe.
  func make() { isMade.store(true, ordering: .releasing) }

  /// Any thread; async-signal-safe.
  func withdraw() { isMade.store(false, ordering: .releasing) }
}
