/// How far a device had come at an instant of the system's monotonic clock.
struct DeviceReading: BitwiseCopyable {
  /// Seconds since the clock's own zero.
  var time: Double
  /// How long the question took, in seconds: the device may have come so far this much earlier.
  var window: Double
  /// Samples per channel that the device held then.
  var available: Int
  /// Whether the device was at work: of one that had stopped, nobody knows when it stood there.
  var isRunning: Bool

  @_noAllocation @_noLocks
  init(time: Double, window: Double, available: Int, isRunning: Bool) {
    self.time = time
    self.window = window
    self.available = available
    self.isRunning = isRunning
  }

  /// Above this the thread was interrupted in between.
  static var longestCleanWindow: Double {
    @_noAllocation @_noLocks get { 100e-6 }
  }

  var isClean: Bool {
    @_noAllocation @_noLocks get { isRunning && window <= Self.longestCleanWindow }
  }
}
