// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The position of a capturing device at an instant, with its uncertainty: the basis of a capture's sample
/// account. Observers of a device's clock get a ``ClockReading`` instead.
struct CaptureReading: BitwiseCopyable {
  /// The instant, on the monotonic clock; a ``CaptureLoop`` subtracts the time for which the device was
  /// paused.
  var time: MonotonicTime
  /// The duration of the question, in seconds: the device may have been at this position this much earlier.
  var window: Double
  /// Samples per channel that the device held then.
  var available: Int
  /// Whether the device was running: for a stopped device, the time of the position is unknown.
  var isRunning: Bool

  /// A longer window means that the thread was interrupted.
  static let longestCleanWindow = 100e-6

  var isClean: Bool {
    @_noAllocation @_noLocks get { isRunning && window <= Self.longestCleanWindow }
  }

  /// The most samples per channel that the device may have held at `earlier`, before the question.
  ///
  /// Subtracts the samples of the time that certainly passed since: if the thread was interrupted, the answer
  /// may be as old as the question. A device that stopped since may have stopped at once.
  @_noAllocation @_noLocks
  func mostHeld(at earlier: MonotonicTime, sampleRate: Int) -> Int {
    guard isRunning else { return available }
    let seconds = time.seconds(since: earlier) - window
    return available - Int(max(seconds, 0) * Double(sampleRate))
  }
}

extension PCMHandle {
  /// The device's position and its time; asked again if the thread was interrupted.
  ///
  /// - Parameter status: the memory for the device's answer.
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
      // Some plugins state no time, or the time of another clock.
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
