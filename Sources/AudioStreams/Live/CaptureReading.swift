// SPDX-License-Identifier: Apache-2.0
/// The position of a capturing device at an instant, with its uncertainty: the basis of a capture's sample
/// account. Observers of a device's clock get a ``ClockReading`` instead.
package struct CaptureReading: BitwiseCopyable {
  /// The instant, on the monotonic clock; a ``CaptureLoop`` subtracts the time for which the device was
  /// paused.
  package var time: MonotonicTime
  /// The duration of the question, in seconds: the device may have been at this position this much earlier.
  package var window: Double
  /// Samples per channel that the device held then.
  package var available: Int
  /// Whether the device was running: for a stopped device, the time of the position is unknown.
  package var isRunning: Bool

  @_noAllocation @_noLocks
  package init(time: MonotonicTime, window: Double, available: Int, isRunning: Bool) {
    self.time = time
    self.window = window
    self.available = available
    self.isRunning = isRunning
  }

  /// A longer window means that the thread was interrupted.
  package static let longestCleanWindow = 100e-6

  package var isClean: Bool {
    @_noAllocation @_noLocks get { isRunning && window <= Self.longestCleanWindow }
  }

  /// The most samples per channel that the device may have held at `earlier`, before the question.
  ///
  /// Subtracts the samples that certainly came since: if the thread was interrupted, the answer may be as old as the
  /// question; the device's clock may be slow, and its position may lag behind by a step. A device that stopped since may
  /// have stopped at once.
  ///
  /// - Parameter step: the samples per channel by which the position moves at most at a time.
  @_noAllocation @_noLocks
  package func mostHeld(at earlier: MonotonicTime, sampleRate: Int, step: Int) -> Int {
    guard isRunning else { return available }
    let seconds = time.seconds(since: earlier) - window
    let come = seconds * Double(sampleRate) * (1 - Self.mostSlowness) - Double(step)
    return available - Int(max(come, 0))
  }

  /// No clock is further off than 0.2 %, in proportion.
  private static let mostSlowness = 2e-3
}
