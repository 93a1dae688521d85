internal import Synchronization

/// What a device thread counts; any thread may read it at any time.
struct DeviceCounters: ~Copyable, Sendable {
  /// Samples per channel read from or written to the device.
  let moved = Atomic<Int>(0)
  /// Samples per channel that a playing device let be heard, and by how much that may be wrong either way.
  let heard = Atomic<Int>(0)
  let heardUncertainty = Atomic<Int>(0)
  let xruns = Atomic<Int>(0)
  let suspends = Atomic<Int>(0)
  let faults = Atomic<Int>(0)
  /// How often, and how long in all, the device stood still because the program was to be stopped.
  let pauses = Atomic<Int>(0)
  let pausedMilliseconds = Atomic<Int>(0)
  /// How often the ring was full, and samples per channel that the device gave meanwhile.
  let overflows = Atomic<Int>(0)
  let overflowed = Atomic<Int>(0)
  /// Samples of all channels that a quantiser saturated; written by the session thread.
  let clipped = Atomic<Int>(0)

  func statistics() -> DeviceStatistics {
    var statistics = DeviceStatistics()
    statistics.samplesMoved = Int64(moved.load(ordering: .relaxed))
    statistics.xruns = xruns.load(ordering: .relaxed)
    statistics.suspends = suspends.load(ordering: .relaxed)
    statistics.faults = faults.load(ordering: .relaxed)
    statistics.pauses = pauses.load(ordering: .relaxed)
    statistics.pausedTime = .milliseconds(pausedMilliseconds.load(ordering: .relaxed))
    statistics.overflows = overflows.load(ordering: .relaxed)
    statistics.samplesOverflowed = Int64(overflowed.load(ordering: .relaxed))
    statistics.samplesClipped = Int64(clipped.load(ordering: .relaxed))
    return statistics
  }
}
