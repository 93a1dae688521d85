// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The counts of a device thread; any thread may read them at any time.
struct DeviceCounters: ~Copyable, Sendable {
  /// Samples per channel read from or written to the device.
  let moved = Atomic<Int>(0)
  /// Samples per channel that were heard from a playing device, and the uncertainty of that count either way.
  let heard = Atomic<Int>(0)
  let heardUncertainty = Atomic<Int>(0)
  let xruns = Atomic<Int>(0)
  let suspends = Atomic<Int>(0)
  let faults = Atomic<Int>(0)
  /// How often, and how long in all, the device stood still because the program was stopped.
  let pauses = Atomic<Int>(0)
  let pausedNanoseconds = Atomic<Int>(0)
  /// How often the ring was full, and the samples per channel that the device delivered meanwhile.
  let overflows = Atomic<Int>(0)
  let overflowed = Atomic<Int>(0)
  /// Samples of all channels that a quantiser saturated; written by the session thread.
  let clipped = Atomic<Int>(0)
  /// NaN samples of all channels; written by the session thread.
  let notNumbers = Atomic<Int>(0)

  func statistics() -> DeviceStatistics {
    var statistics = DeviceStatistics()
    statistics.samplesMoved = Int64(moved.load(ordering: .relaxed))
    statistics.xruns = xruns.load(ordering: .relaxed)
    statistics.suspends = suspends.load(ordering: .relaxed)
    statistics.faults = faults.load(ordering: .relaxed)
    statistics.pauses = pauses.load(ordering: .relaxed)
    statistics.pausedTime = .nanoseconds(pausedNanoseconds.load(ordering: .relaxed))
    statistics.overflows = overflows.load(ordering: .relaxed)
    statistics.samplesOverflowed = Int64(overflowed.load(ordering: .relaxed))
    statistics.samplesClipped = Int64(clipped.load(ordering: .relaxed))
    statistics.samplesNotNumbers = Int64(notNumbers.load(ordering: .relaxed))
    return statistics
  }
}

/// The drift of a device's clock, written by the device thread at its end and read by any thread.
struct DriftRecord: ~Copyable, Sendable {
  /// A ``ClockDrift`` as the device thread holds it.
  struct Measurement: BitwiseCopyable {
    var partsPerMillion: Double
    var uncertainty: Double
    /// Seconds.
    var span: Double

    @_noAllocation @_noLocks
    init(partsPerMillion: Double, uncertainty: Double, span: Double) {
      self.partsPerMillion = partsPerMillion
      self.uncertainty = uncertainty
      self.span = span
    }
  }

  private let partsPerMillion = Atomic<UInt64>(0)
  private let uncertainty = Atomic<UInt64>(0)
  /// 0 until a drift is known; stored last.
  private let span = Atomic<UInt64>(0)

  /// Device thread only.
  @_noAllocation @_noLocks
  func store(_ drift: Measurement?) {
    guard let drift else { return }
    partsPerMillion.store(drift.partsPerMillion.bitPattern, ordering: .relaxed)
    uncertainty.store(drift.uncertainty.bitPattern, ordering: .relaxed)
    span.store(drift.span.bitPattern, ordering: .releasing)
  }

  /// Any thread.
  func load() -> ClockDrift? {
    let span = Double(bitPattern: span.load(ordering: .acquiring))
    guard span > 0 else { return nil }
    return ClockDrift(
      partsPerMillion: Double(bitPattern: partsPerMillion.load(ordering: .relaxed)),
      uncertainty: Double(bitPattern: uncertainty.load(ordering: .relaxed)),
      span: .seconds(span))
  }
}
