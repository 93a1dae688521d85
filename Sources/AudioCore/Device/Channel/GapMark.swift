/// A gap on its way from the device thread to the session thread.
struct GapMark: BitwiseCopyable, Equatable {
  var gap: DeviceGap
  /// Samples per channel that go through the ring before the gap.
  var ringPosition: Int64

  @_noAllocation @_noLocks
  init(gap: DeviceGap, ringPosition: Int64) {
    self.gap = gap
    self.ringPosition = ringPosition
  }
}
