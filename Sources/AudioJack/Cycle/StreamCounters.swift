// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The counts of a port stream. The server's thread writes them, and any thread may read them at any time.
struct StreamCounters: ~Copyable, Sendable {
  /// Samples per channel that passed the ports.
  let moved = Atomic<Int>(0)
  /// Gaps of any cause, for the readings of the clock.
  let gaps = Atomic<Int>(0)
  /// Underruns of a playback.
  let xruns = Atomic<Int>(0)
  /// How often the client missed cycles in a row.
  let missed = Atomic<Int>(0)
  let overflows = Atomic<Int>(0)
  let overflowed = Atomic<Int>(0)
  let pauses = Atomic<Int>(0)
  let pausedNanoseconds = Atomic<Int>(0)

  func statistics() -> DeviceStatistics {
    var statistics = DeviceStatistics()
    statistics.samplesMoved = Int64(moved.load(ordering: .relaxed))
    statistics.xruns = xruns.load(ordering: .relaxed) + missed.load(ordering: .relaxed)
    statistics.overflows = overflows.load(ordering: .relaxed)
    statistics.samplesOverflowed = Int64(overflowed.load(ordering: .relaxed))
    statistics.pauses = pauses.load(ordering: .relaxed)
    statistics.pausedTime = .nanoseconds(pausedNanoseconds.load(ordering: .relaxed))
    return statistics
  }
}

/// A gap that lasts until a sample comes through again. Server's thread only.
struct PendingGap {
  private var cause = DeviceGap.Cause.cycle
  private(set) var occurrences = 0
  /// Samples per channel.
  private(set) var lost: Int64 = 0
  private var uncertainty: Int64 = 0

  @_noAllocation @_noLocks
  init() {}

  var isOpen: Bool {
    @_noAllocation @_noLocks get { occurrences > 0 }
  }

  /// - Parameter isNew: false if the present cause only continues.
  @_noAllocation @_noLocks
  mutating func add(_ cause: DeviceGap.Cause, _ count: Int, uncertainty: Int = 0, isNew: Bool) {
    if !isOpen { self.cause = cause }
    if isNew || !isOpen { occurrences += 1 }
    lost += Int64(count)
    self.uncertainty += Int64(uncertainty)
  }

  /// - Parameters:
  ///   - position: of its beginning in the stream.
  ///   - ringPosition: samples per channel that go through the ring before it.
  @_noAllocation @_noLocks
  func mark(at position: Int64, ringPosition: Int64) -> GapMark {
    GapMark(
      gap: DeviceGap(
        cause: cause, position: position, lostSamples: lost, uncertainty: uncertainty,
        occurrences: occurrences),
      ringPosition: ringPosition)
  }
}
