// SPDX-License-Identifier: Apache-2.0
/// The samples that passed a device, and its failures.
public struct DeviceStatistics: Sendable, Hashable {
  /// Samples per channel read from or written to the device.
  public var movedSamplesPerChannel: Int64 = 0
  /// The number of overruns (capture) or underruns (playback) of the device's buffer.
  public var xruns = 0
  /// How often a sound server stood still: no sample passed it meanwhile, and none was lost.
  public var standstills = 0
  /// How often a system sleep suspended the device.
  public var suspends = 0
  /// How often the device was restarted after an input/output error.
  public var faults = 0
  /// How often a capture lost its device and waited for it.
  public var losses = 0
  /// How often the device stood still because the program was stopped. A capture recorded nothing meanwhile; a
  /// playback continued at its place.
  public var pauses = 0
  /// The total time of these pauses.
  public var pausedTime = Duration.zero
  /// How often samples were dropped because the session thread left the ring full.
  public var overflows = 0
  /// Samples per channel dropped because the session thread left the ring full.
  public var overflowedSamplesPerChannel: Int64 = 0
  /// Samples of all channels that lay outside the device's integer range and were saturated.
  public var clippedSamples: Int64 = 0
  /// NaN samples of all channels; an integer device got silence for them.
  public var notANumberSamples: Int64 = 0
  /// The wake-up delays of the device thread.
  package var wakeUps = WakeUpStatistics()

  /// Statistics without any count.
  public init() {}

  /// Adds the counts of the device after it was reopened.
  package mutating func add(_ later: DeviceStatistics) {
    movedSamplesPerChannel += later.movedSamplesPerChannel
    xruns += later.xruns
    standstills += later.standstills
    suspends += later.suspends
    faults += later.faults
    losses += later.losses
    pauses += later.pauses
    pausedTime += later.pausedTime
    overflows += later.overflows
    overflowedSamplesPerChannel += later.overflowedSamplesPerChannel
    clippedSamples += later.clippedSamples
    notANumberSamples += later.notANumberSamples
    wakeUps.add(later.wakeUps)
  }
}

/// A pause of a capture's device because the program was stopped.
package struct DevicePause: Sendable, Hashable, BitwiseCopyable {
  /// The place of the omitted time, in samples per channel of the stream.
  package var position: Int64
  /// The omitted time of the device, including the samples in its buffer at the stop.
  package var nanoseconds: Int

  @_noAllocation @_noLocks
  package init(position: Int64, nanoseconds: Int) {
    self.position = position
    self.nanoseconds = nanoseconds
  }

  package var duration: Duration { .nanoseconds(nanoseconds) }
}

/// The excess of a device's rate over the nominal rate, measured by the system's monotonic clock, which follows the
/// time of day but for its leaps.
package struct ClockDrift: Sendable, Hashable, BitwiseCopyable {
  /// Above 0 if the device is fast.
  package var partsPerMillion: Double
  /// The uncertainty either way, in 999 of 1,000 cases.
  package var uncertainty: Double
  /// The duration of the measurement.
  package var seconds: Double

  @_noAllocation @_noLocks
  package init(partsPerMillion: Double, uncertainty: Double, seconds: Double) {
    self.partsPerMillion = partsPerMillion
    self.uncertainty = uncertainty
    self.seconds = seconds
  }

  package var span: Duration { .seconds(seconds) }
}
