// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The counts of a live end. Its thread writes them, and any thread may read them at any time.
package struct LiveCounters: ~Copyable, Sendable {
  /// Samples per channel that passed the end.
  package let moved = RunningCount()
  /// Overruns or underruns, missed cycles, losses of packets.
  private let xruns = RunningCount()
  private let suspends = RunningCount()
  private let faults = RunningCount()
  private let pauses = RunningCount()
  private let pausedNanoseconds = RunningCount()
  /// How often the ring was full, and the samples per channel that came meanwhile.
  private let overflows = RunningCount()
  package let overflowed = RunningCount()
  /// Samples of all channels that a quantiser saturated; written by the session thread.
  package let clipped = RunningCount()
  /// NaN samples of all channels; written by the session thread.
  package let notANumberSamples = RunningCount()

  /// Counts a loss by its cause. The session thread counts that of a device.
  @_noAllocation @_noLocks
  package func add(_ cause: DeviceGap.Cause) {
    switch cause {
    case .xrun, .cycle, .network: xruns.add(1)
    case .suspend: suspends.add(1)
    case .fault: faults.add(1)
    case .ringOverflow: overflows.add(1)
    case .deviceLost: break
    }
  }

  /// Counts a time for which the end stood still because the program was stopped.
  @_noAllocation @_noLocks
  package func addPause(nanoseconds: Int) {
    pauses.add(1)
    pausedNanoseconds.add(Int64(nanoseconds))
  }

  /// Of samples on their way through the end.
  @_noAllocation @_noLocks
  func interruptions() -> Int { Int(xruns.total + suspends.total + faults.total) }

  func statistics() -> DeviceStatistics {
    var statistics = DeviceStatistics()
    statistics.movedSamplesPerChannel = moved.total
    statistics.xruns = Int(xruns.total)
    statistics.suspends = Int(suspends.total)
    statistics.faults = Int(faults.total)
    statistics.pauses = Int(pauses.total)
    statistics.pausedTime = .nanoseconds(pausedNanoseconds.total)
    statistics.overflows = Int(overflows.total)
    statistics.overflowedSamplesPerChannel = overflowed.total
    statistics.clippedSamples = clipped.total
    statistics.notANumberSamples = notANumberSamples.total
    return statistics
  }
}

/// The drift of an end's clock, written by its thread and read by any thread.
package struct DriftRecord: ~Copyable, Sendable {
  private let partsPerMillion = Atomic<UInt64>(0)
  private let uncertainty = Atomic<UInt64>(0)
  /// 0 until a drift is known; stored last.
  private let seconds = Atomic<UInt64>(0)

  /// End's thread only.
  @_noAllocation @_noLocks
  package func store(_ drift: ClockDrift?) {
    guard let drift else { return }
    partsPerMillion.store(drift.partsPerMillion.bitPattern, ordering: .relaxed)
    uncertainty.store(drift.uncertainty.bitPattern, ordering: .relaxed)
    seconds.store(drift.seconds.bitPattern, ordering: .releasing)
  }

  /// Any thread.
  package func load() -> ClockDrift? {
    let seconds = Double(bitPattern: seconds.load(ordering: .acquiring))
    guard seconds > 0 else { return nil }
    return ClockDrift(
      partsPerMillion: Double(bitPattern: partsPerMillion.load(ordering: .relaxed)),
      uncertainty: Double(bitPattern: uncertainty.load(ordering: .relaxed)),
      seconds: seconds)
  }
}
