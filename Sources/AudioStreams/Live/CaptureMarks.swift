// SPDX-License-Identifier: Apache-2.0
/// A gap on its way from the thread of a live end to the session thread.
package struct GapMark: BitwiseCopyable, Equatable {
  package var gap: DeviceGap
  /// Samples per channel that go through the ring before the gap.
  package var ringPosition: Int64
  /// Whether samples were lost. Otherwise the sender meant the silence.
  package var isLoss: Bool

  @_noAllocation @_noLocks
  package init(gap: DeviceGap, ringPosition: Int64, isLoss: Bool = true) {
    self.gap = gap
    self.ringPosition = ringPosition
    self.isLoss = isLoss
  }
}

/// A ``DevicePause`` on its way from the thread of a live end to the session thread.
package struct PauseMark: BitwiseCopyable {
  /// In samples per channel of the stream.
  package var position: Int64
  package var nanoseconds: Int

  @_noAllocation @_noLocks
  package init(position: Int64, nanoseconds: Int) {
    self.position = position
    self.nanoseconds = nanoseconds
  }
}
