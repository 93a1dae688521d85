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
  /// How late the device thread woke.
  public var wakeUps = WakeUpStatistics()

  /// Nothing has happened yet.
  public init() {}
}
