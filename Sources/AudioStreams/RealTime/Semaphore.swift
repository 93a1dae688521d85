// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc
internal import Synchronization

/// A POSIX semaphore, on which one thread waits.
@safe
package struct Semaphore: ~Copyable, Sendable {
  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Wakes the waiting thread, or lets its next `wait` return at once. Any thread; async-signal-safe.
  package func signal() {
    unsafe sem_post(semaphore)
  }

  /// Waits for the next signal, or for `limit` at most. Signals that came in the meantime count as one.
  package func wait(atMost limit: Duration) {
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
  private let semaphore = Semaphore()

  package init() {}

  /// Tells that the state has changed. Any thread.
  package func notify() {
    // Pairs with the fence in `wait`: either this thread sees the waiting one, or that one sees the change.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isAwaited.load(ordering: .relaxed) { semaphore.signal() }
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
      semaphore.wait(atMost: slice)
    }
    return true
  }

  /// An arbitrary bound that keeps the deadline's arithmetic small.
  private static var longestSlice: Duration { .seconds(60) }
}
