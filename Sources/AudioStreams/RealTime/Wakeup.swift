// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
internal import Synchronization

/// The signal from a device thread, a pushing program or a signal handler to the session thread to look again.
///
/// A POSIX semaphore: `signal()` may be called on any thread and in a signal handler.
@safe
public final class Wakeup: Sendable {
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>
  /// The request to pause the devices of the session.
  package let pause = PauseRequest()
  /// How many sources cannot wake the session at present, and must be polled.
  private let asleep = Atomic(0)
  private let stored = Atomic(SessionControl.Request.none.rawValue)

  public init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Wakes the waiting thread, or lets its next `wait` return at once.
  public func signal() {
    unsafe sem_post(semaphore)
  }

  /// Tells that a source can no longer wake the session, or can again. Session thread only.
  package func setCanWake(_ canWake: Bool) {
    asleep.wrappingAdd(canWake ? -1 : 1, ordering: .relaxed)
  }

  /// Whether every source without samples wakes the session once it has some.
  package var canAllWake: Bool { asleep.load(ordering: .relaxed) == 0 }

  /// The request to end the session. Code that waits for data checks it, and unless it is `none` gives up with an error
  /// of kind ``AudioError/Kind/interrupted``. Any thread.
  public var request: SessionControl.Request {
    SessionControl.Request(rawValue: stored.load(ordering: .acquiring)) ?? .none
  }

  /// Asks the session to end. A request that is stronger already stays.
  func request(_ request: SessionControl.Request) {
    stored.max(request.rawValue, ordering: .acquiringAndReleasing)
    signal()
  }

  /// Waits for the next signal, or for `limit` at most. Signals that came in the meantime count as one.
  public func wait(atMost limit: Duration) {
    let limit = max(limit.inNanoseconds, 0)
    var deadline = timespec()
    // Not the wall clock, which may be set meanwhile.
    unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
    deadline.tv_nsec += limit % 1_000_000_000
    deadline.tv_sec += limit / 1_000_000_000 + deadline.tv_nsec / 1_000_000_000
    deadline.tv_nsec %= 1_000_000_000
    if unsafe rawaudio_wait(semaphore, &deadline) == 0 {
      while unsafe sem_trywait(semaphore) == 0 {}
    }
  }
}

/// Lets the thread at one end of a ring wait for the other thread, which never waits itself and pays for a wake-up only
/// during a wait.
package struct ProgressSignal: ~Copyable, Sendable {
  private let isAwaited = Atomic(false)
  private let wakeup = Wakeup()

  package init() {}

  /// Tells that the state has changed. Any thread.
  package func notify() {
    // Pairs with the fence in `wait`: either this thread sees the waiting one, or that one sees the change.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isAwaited.load(ordering: .relaxed) { wakeup.signal() }
  }

  /// Waits until `isReady`, which is asked again after every ``notify()``. One thread at a time.
  ///
  /// - Parameter limit: the longest wait; nil = for ever.
  /// - Returns: the last answer of `isReady`.
  package func wait(atMost limit: Duration?, until isReady: () -> Bool) -> Bool {
    isAwaited.store(true, ordering: .relaxed)
    defer { isAwaited.store(false, ordering: .relaxed) }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let begin = MonotonicTime.now
    while !isReady() {
      var slice = Self.longestSlice
      if let limit {
        let left = limit - MonotonicTime.now.elapsed(since: begin)
        if left <= .zero { return false }
        slice = min(slice, left + .milliseconds(1))
      }
      wakeup.wait(atMost: slice)
    }
    return true
  }

  /// An arbitrary bound that keeps the deadline's arithmetic small.
  private static var longestSlice: Duration { .seconds(60) }
}
