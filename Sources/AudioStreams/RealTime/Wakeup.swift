// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
internal import Synchronization

/// How a device thread, a pushing program or a signal handler tells the session thread to look again.
///
/// A POSIX semaphore: `signal()` may be called on any thread and in a signal handler.
@safe
public final class Wakeup: Sendable {
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>
  /// Whether the devices of the session are to stand still.
  package let pause = PauseRequest()
  /// How many sources cannot wake the session at present, and are to be asked again soon.
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

  /// A source that cannot wake the session any more, or can again. Session thread only.
  package func setCanWake(_ canWake: Bool) {
    asleep.wrappingAdd(canWake ? -1 : 1, ordering: .relaxed)
  }

  /// Whether every source that has nothing wakes the session when it has.
  package var canAllWake: Bool { asleep.load(ordering: .relaxed) == 0 }

  /// How the session is asked to end, if it is. Whoever waits for data looks at it, and gives up with an
  /// error of kind ``AudioError/Kind/interrupted`` where it is not `none`. Any thread.
  public var request: SessionControl.Request {
    SessionControl.Request(rawValue: stored.load(ordering: .acquiring)) ?? .none
  }

  func request(_ request: SessionControl.Request) {
    stored.store(request.rawValue, ordering: .releasing)
    signal()
  }

  /// Waits for the next signal, or for `limit` at most. Signals that came in the meantime count as one.
  public func wait(atMost limit: Duration) {
    let limit = max(limit.inNanoseconds, 0)
    var deadline = timespec()
    // Not by the clock of the day, which may be set meanwhile.
    unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
    deadline.tv_nsec += limit % 1_000_000_000
    deadline.tv_sec += limit / 1_000_000_000 + deadline.tv_nsec / 1_000_000_000
    deadline.tv_nsec %= 1_000_000_000
    if unsafe rawaudio_wait(semaphore, &deadline) == 0 {
      while unsafe sem_trywait(semaphore) == 0 {}
    }
  }
}

/// Lets the thread at one end of a ring wait for the other, which pays for it only while somebody
/// waits, and never waits itself.
package struct ProgressSignal: ~Copyable, Sendable {
  private let isAwaited = Atomic(false)
  private let wakeup = Wakeup()

  package init() {}

  /// Says that something changed. Any thread.
  package func notify() {
    // Pairs with the fence in `wait`: either this sees the waiting thread or that one sees the change.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isAwaited.load(ordering: .relaxed) { wakeup.signal() }
  }

  /// Waits until `isReady`, which is asked again after every ``notify()``. One thread at a time.
  ///
  /// - Parameter limit: the longest wait; nil = for ever.
  /// - Returns: what `isReady` answered last.
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
