// SPDX-License-Identifier: Apache-2.0
/// Notices that a server begins no cycles. Time in which the watching thread did not run, such as while its process was
/// stopped, hardly counts.
struct Standstill {
  /// The longest interval between two looks of a running thread, in nanoseconds.
  private static let longestLook = 500_000_000

  private let limit: Int
  private var vainTime = 0
  private var lastCycle = MonotonicTime(nanoseconds: 0)
  private var lastLook: MonotonicTime?

  init(limit: Duration) { self.limit = limit.inNanoseconds }

  /// Whether no cycle began for longer than the limit.
  mutating func isOver(_ cycle: MonotonicTime, at now: MonotonicTime) -> Bool {
    defer { lastLook = now }
    guard cycle == lastCycle, let lastLook else {
      lastCycle = cycle
      vainTime = 0
      return false
    }
    vainTime += min(now.nanoseconds(since: lastLook), Self.longestLook)
    return vainTime > limit
  }
}
