internal import Synchronization

/// The wish that a session's devices stand still for a while, and how many device threads follow it.
struct PauseRequest: ~Copyable, Sendable {
  private let isMade = Atomic<Bool>(false)
  private let running = Atomic<Int>(0)
  private let paused = Atomic<Int>(0)

  /// A device thread begins. That thread only.
  func enter() { running.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// A device thread ends. That thread only.
  func leave() { running.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

  /// Whether devices are to stand still. Any thread.
  @_noAllocation @_noLocks
  func isActive() -> Bool { isMade.load(ordering: .acquiring) }

  /// The calling thread's device stands still now.
  @_noAllocation @_noLocks
  func beginPause() { paused.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// The calling thread's device goes on.
  @_noAllocation @_noLocks
  func endPause() { paused.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

  /// Whether every device stands still. Any thread; async-signal-safe.
  func isFulfilled() -> Bool {
    paused.load(ordering: .acquiring) >= running.load(ordering: .acquiring)
  }

  /// Any thread; async-signal-safe.
  func make() { isMade.store(true, ordering: .releasing) }

  /// Any thread; async-signal-safe.
  func withdraw() { isMade.store(false, ordering: .releasing) }
}
