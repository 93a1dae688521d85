// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A pause of a stream because the program is stopped. Server's thread only.
struct StreamPause {
  private(set) var isActive = false
  private var began = MonotonicTime(nanoseconds: 0)

  @_noAllocation @_noLocks
  init() {}

  /// Does nothing within a pause.
  @_noAllocation @_noLocks
  mutating func begin(_ link: borrowing PortStream, at time: MonotonicTime) {
    if isActive { return }
    isActive = true
    began = time
    link.beginPause()
  }

  /// - Returns: the length in nanoseconds.
  @_noAllocation @_noLocks
  mutating func end(_ link: borrowing PortStream, at time: MonotonicTime) -> Int {
    isActive = false
    link.endPause()
    let nanoseconds = time.nanoseconds(since: began)
    link.counters.pauses.wrappingAdd(1, ordering: .relaxed)
    link.counters.pausedNanoseconds.wrappingAdd(nanoseconds, ordering: .relaxed)
    return nanoseconds
  }
}
