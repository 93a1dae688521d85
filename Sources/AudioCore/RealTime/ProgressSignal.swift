internal import Synchronization

/// Lets the thread at one end of a ring wait for the other, which pays for it only while somebody
/// waits, and never waits itself.
struct ProgressSignal: ~Copyable, Sendable {
  private let isAwaited = Atomic(false)
  private let wakeup = Wakeup()

  /// Says that something changed. Any thread.
  func notify() {
    // Pairs with the fence in `wait`: either this sees the waiting thread or that one sees the change.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isAwaited.load(ordering: .relaxed) { wakeup.signal() }
  }

  /// Waits until `isReady`, which is asked again after every ``notify()``. One thread at a time.
  ///
  /// - Parameter milliseconds: the longest wait; nil = for ever.
  /// - Returns: what `isReady` answered last.
  func wait(milliseconds: Int?, until isReady: () -> Bool) -> Bool {
    isAwaited.store(true, ordering: .relaxed)
    defer { isAwaited.store(false, ordering: .relaxed) }
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let begin = MonotonicTime.now
    while !isReady() {
      var slice = Self.longestSlice
      if let milliseconds {
        let left = Duration.milliseconds(milliseconds) - MonotonicTime.now.elapsed(since: begin)
        if left <= .zero { return false }
        slice = min(slice, 1 + Int(left / .milliseconds(1)))
      }
      wakeup.wait(milliseconds: slice)
    }
    return true
  }

  /// An arbitrary bound that keeps the deadline's arithmetic small.
  private static var longestSlice: Int { 60_000 }
}
