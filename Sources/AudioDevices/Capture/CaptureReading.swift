// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How far a capturing device had come at an instant, and how well that is known: what a capture keeps
/// account of its samples by. Those who follow a device's clock get a ``ClockReading`` instead.
struct CaptureReading: BitwiseCopyable {
  /// The instant, on the monotonic clock; a ``CaptureLoop`` takes off how long the device was paused.
  var time: MonotonicTime
  /// How long the question took, in seconds: the device may have come so far this much earlier.
  var window: Double
  /// Samples per channel that the device held then.
  var available: Int
  /// Whether the device was at work: of one that had stopped, nobody knows when it stood there.
  var isRunning: Bool

  @_noAllocation @_noLocks
  init(time: MonotonicTime, window: Double, available: Int, isRunning: Bool) {
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

  /// How many samples per channel the device may have held at `earlier`, before it was asked.
  ///
  /// What came since then is known from the time that passed for certain: where the thread was interrupted while it
  /// asked, the answer may be as old as the question. A device that has stopped since may have done so at once.
  @_noAllocation @_noLocks
  func mostHeld(at earlier: MonotonicTime, sampleRate: Int) -> Int {
    guard isRunning else { return available }
    let seconds = time.seconds(since: earlier) - window
    return available - Int(max(seconds, 0) * Double(sampleRate))
  }
}

extension PCMHandle {
  /// How far the device is, and when; asked again where the thread was interrupted meanwhile.
  ///
  /// - Parameter status: where the device's answer goes.
  @_noAllocation @_noLocks
  borrowing func readPosition(_ status: borrowing DeviceStatus) -> CaptureReading {
    let longest = 1e9
    var best = CaptureReading(
      time: MonotonicTime(nanoseconds: 0), window: longest, available: 0, isRunning: false)
    var attempts = 0
    while attempts < 4, !best.isClean {
      attempts += 1
      let before = MonotonicTime.now
      let failure = read(into: status)
      let after = MonotonicTime.now
      let window = after.seconds(since: before)
      if case .some = failure { continue }
      if window >= best.window { continue }
      var stamp = timespec()
      status.copyTime(to: &stamp)
      let time = MonotonicTime(stamp)
      // Not every plugin states a time, or one of this clock.
      let isStated =
        time.nanoseconds >= before.nanoseconds && time.nanoseconds <= after.nanoseconds
      best = CaptureReading(
        time: isStated ? time : after, window: window, available: status.available(),
        isRunning: status.isRunning())
    }
    if best.window == longest {
      return CaptureReading(time: .now, window: 0, available: 0, isRunning: false)
    }
    return best
  }
}
