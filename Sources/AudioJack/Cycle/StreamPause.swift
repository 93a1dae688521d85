// SPDX-License-Identifier: Apache-2.0
/// A pause of a stream because the program is stopped. Server's thread only.
struct StreamPause {
  private(set) var isActive = false
  private var began = MonotonicTime(nanoseconds: 0)

  @_noAllocation @_noLocks
  init() {}

  /// Does nothing within a pause.
  @_noAllocation @_noLocks
  mutating func begin(_ live: borrowing LiveRing, at time: MonotonicTime) {
    if isActive { return }
    isActive = true
    began = time
    live.session.pause.beginPause()
  }

  /// - Returns: the length in nanoseconds.
  @_noAllocation @_noLocks
  mutating func end(_ live: borrowing LiveRing, at time: MonotonicTime) -> Int {
    isActive = false
    live.session.pause.endPause()
    let nanoseconds = time.nanoseconds(since: began)
    live.counters.addPause(nanoseconds: nanoseconds)
    return nanoseconds
  }
}
