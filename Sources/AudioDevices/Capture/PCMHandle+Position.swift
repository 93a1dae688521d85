// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
