// SPDX-License-Identifier: Apache-2.0
/// What went through a device and what went wrong on the way.
public struct DeviceStatistics: Sendable, Hashable {
  /// Samples per channel read from or written to the device.
  public var samplesMoved: Int64 = 0
  /// How often the device's buffer ran over (capture) or empty (playback).
  public var xruns = 0
  /// How often the system's sleep suspended the device.
  public var suspends = 0
  /// How often the device was started again after an input/output error.
  public var faults = 0
  /// How often a capture lost its device and waited for it.
  public var losses = 0
  /// How often the device stood still because the program was stopped. A capture recorded nothing
  /// meanwhile; a playback went on where it was.
  public var pauses = 0
  /// How long it stood still in all.
  public var pausedTime = Duration.zero
  /// How often samples were dropped because the session thread left the ring full.
  public var overflows = 0
  /// Samples per channel dropped because the session thread left the ring full.
  public var samplesOverflowed: Int64 = 0
  /// Samples of all channels that lay outside the device's integer range and were saturated.
  public var samplesClipped: Int64 = 0
  /// Samples of all channels that were not numbers (NaN), for which an integer device got silence.
  public var samplesNotNumbers: Int64 = 0
  /// How late the device thread woke.
  package var wakeUps = WakeUpStatistics()

  /// Nothing has happened yet.
  public init() {}

  /// Adds what happened to the same device after it was opened again.
  mutating func add(_ later: DeviceStatistics) {
    samplesMoved += later.samplesMoved
    xruns += later.xruns
    suspends += later.suspends
    faults += later.faults
    losses += later.losses
    pauses += later.pauses
    pausedTime += later.pausedTime
    overflows += later.overflows
    samplesOverflowed += later.samplesOverflowed
    samplesClipped += later.samplesClipped
    samplesNotNumbers += later.samplesNotNumbers
    wakeUps.add(later.wakeUps)
  }
}

/// A time for which a capture's device stood still because the program was stopped.
package struct DevicePause: Sendable, Hashable {
  /// Where the stream leaves the time out, in samples per channel of the stream.
  package var position: Int64
  /// How much of the device's time is left out: what its buffer held when it was stopped is a part of it.
  package var duration: Duration

  package init(position: Int64, duration: Duration) {
    self.position = position
    self.duration = duration
  }
}

/// How much faster than its nominal rate a device runs by the system's monotonic clock, which follows the
/// time of day but for its leaps.
package struct ClockDrift: Sendable, Hashable {
  /// Above 0 where the device is fast.
  package var partsPerMillion: Double
  /// By how much that may be wrong either way, in 999 of 1,000 cases.
  package var uncertainty: Double
  /// Over how long it was measured.
  package var span: Duration
}
