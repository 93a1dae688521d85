/// How far a device had come at an instant of the machine's clock, as its thread read it: what those go by
/// who follow the device's clock. How a capture keeps account of its own is ``CaptureReading``.
struct ClockReading: Sendable, Hashable, BitwiseCopyable {
  /// Nanoseconds of the monotonic clock.
  var time: Int
  /// Samples per channel that have passed the converter: captured, read by the thread or not; or played.
  var position: Int64
  /// How often the device has been interrupted: by an xrun, a suspend or a fault.
  var interruptions: Int
  /// Whether samples pass the converter; not before the start, nor between an underrun and the next one.
  var isRunning: Bool

  @_noAllocation @_noLocks
  init(time: Int, position: Int64, interruptions: Int, isRunning: Bool) {
    self.time = time
    self.position = position
    self.interruptions = interruptions
    self.isRunning = isRunning
  }
}
