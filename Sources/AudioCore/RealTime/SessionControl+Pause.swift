internal import Glibc

// What a program does before it is stopped (SIGTSTP) and after it goes on (SIGCONT).
extension SessionControl {
  /// Lets the session's devices stand still until ``resumeDevices()``.
  ///
  /// A device that plays loses nothing and counts no underrun for the pause: it is paused where it can be;
  /// otherwise it plays what its buffer holds and then waits. A device that is captured from records
  /// nothing meanwhile, which ``DeviceStatistics/pauses`` counts; the recording goes on without a gap in
  /// the file.
  ///
  /// Any thread; async-signal-safe.
  ///
  /// - Parameter milliseconds: the longest time to wait until all stand still.
  /// - Returns: whether they do.
  @discardableResult
  public func pauseDevices(waiting milliseconds: Int) -> Bool {
    wakeup.pause.make()
    for _ in 0..<max(milliseconds, 0) {
      if wakeup.pause.isFulfilled() { return true }
      usleep(1_000)
    }
    return wakeup.pause.isFulfilled()
  }

  /// Lets the devices go on. Any thread; async-signal-safe.
  public func resumeDevices() { wakeup.pause.withdraw() }
}
