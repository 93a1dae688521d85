/// How far a capturing device had come at an instant, and how well that is known: what a capture keeps
/// account of its samples by. Those who follow a device's clock get a ``ClockReading`` instead.
struct CaptureReading: BitwiseCopyable {
  /// In seconds, of a monotonic clock that stands still while the device is paused.
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
