// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Ends a running session from outside: from another thread or from a signal handler.
public final class SessionControl: Sendable {
  /// How a session is asked to end. A later request is the stronger one.
  public enum Request: UInt8, Sendable {
    /// Take no more input, deliver the input so far and complete every file. If the reader of a pipe or a socket takes
    /// nothing for ten seconds, the session ends with an error of kind ``AudioError/Kind/unavailable``, which names the
    /// sink and states the samples that the reader took.
    case finish = 1
    /// Drop everything and remove incomplete files. No reader and no writer of a pipe or a socket is waited for.
    case abandon
  }

  package let wakeup = Wakeup()

  public init() {}

  /// The request so far; nil if there is none.
  public var request: Request? { wakeup.request }

  /// Asks the session to end. Of several requests the strongest counts, in any order: `abandon` is never weakened to
  /// `finish`. Any thread; also async-signal-safe.
  public func requestStop(_ request: Request) {
    wakeup.request(request)
  }
}

// For a program that is about to stop (SIGTSTP), and that goes on (SIGCONT).
extension SessionControl {
  /// Pauses the session's devices until ``resumeDevices()``.
  ///
  /// A playback device loses no samples and counts no underrun for the pause: it pauses if it can, otherwise it plays
  /// its buffer to the end and waits. A capture device records nothing meanwhile, which ``DeviceStatistics/pauses``
  /// counts; the recording goes on without a gap in the file.
  ///
  /// Any thread; async-signal-safe.
  ///
  /// - Parameter limit: the longest wait until all are paused.
  /// - Returns: whether all are paused.
  @discardableResult
  public func pauseDevices(waiting limit: Duration) -> Bool {
    wakeup.pause.make()
    for _ in 0..<max(limit.inNanoseconds / 1_000_000, 0) {
      if wakeup.pause.isFulfilled() { return true }
      usleep(1_000)
    }
    return wakeup.pause.isFulfilled()
  }

  /// Resumes the devices. Any thread; async-signal-safe.
  public func resumeDevices() { wakeup.pause.withdraw() }
}

/// A request to pause a session's devices, and the number of device threads that follow it.
package struct PauseRequest: ~Copyable, Sendable {
  private let isMade = Atomic<Bool>(false)
  private let running = Atomic<Int>(0)
  private let paused = Atomic<Int>(0)

  /// Counts a device thread that begins. That thread only.
  package func enter() { running.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Discounts a device thread that ends. That thread only.
  package func leave() { running.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

  /// Whether devices are to pause. Any thread.
  @_noAllocation @_noLocks
  package func isActive() -> Bool { isMade.load(ordering: .acquiring) }

  /// Tells that the calling thread's device is paused now.
  @_noAllocation @_noLocks
  package func beginPause() { paused.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Tells that the calling thread's device goes on.
  @_noAllocation @_noLocks
  package func endPause() { paused.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

  /// Whether every device is paused. Any thread; async-signal-safe.
  func isFulfilled() -> Bool {
    paused.load(ordering: .acquiring) >= running.load(ordering: .acquiring)
  }

  /// Makes the request. Any thread; async-signal-safe.
  func make() { isMade.store(true, ordering: .releasing) }

  /// Withdraws the request. Any thread; async-signal-safe.
  func withdraw() { isMade.store(false, ordering: .releasing) }
}
