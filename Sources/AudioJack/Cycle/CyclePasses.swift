// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Tells whether a cycle of the server's thread runs, so that another thread can release what it has taken away from
/// later cycles.
///
/// A cycle writes that it runs and then reads its streams' slots; the other thread empties a slot and then reads whether
/// a cycle runs. One of the two has to see the other's write. Only a single order of all four accesses grants that:
/// with acquire and release alone, arm64 may read before its own earlier write is visible, and a stream would be released
/// while a cycle uses it. So these accesses, and those of ``StreamSlots``, are sequentially consistent.
struct CyclePasses: ~Copyable, Sendable {
  /// Odd while a cycle runs.
  private let count = Atomic<Int>(0)

  /// Server's thread only.
  @_noAllocation @_noLocks
  func begin() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Server's thread only.
  @_noAllocation @_noLocks
  func end() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Waits until no cycle can still see a stream that was removed before.
  ///
  /// - Returns: false if one still runs after `limit`.
  func waitForPresent(atMost limit: Duration) -> Bool {
    let pass = count.load(ordering: .sequentiallyConsistent)
    if pass.isMultiple(of: 2) { return true }
    let begin = MonotonicTime.now
    while count.load(ordering: .sequentiallyConsistent) == pass {
      if MonotonicTime.now.elapsed(since: begin) > limit { return false }
      nap(microseconds: 1_000)
    }
    return true
  }
}
