extension CaptureLoop {
  /// Stands still until the session goes on. What the device hears meanwhile is not recorded, on purpose.
  ///
  /// - Parameter position: where the stream is, in samples per channel.
  /// - Returns: 0, or the negative errno to recover from.
  @_noAllocation @_noLocks
  func pause(at position: Int64) -> Int {
    let stopped = readDevice()
    _ = handle.drop()
    channel.waitForResumption()
    let prepared = handle.prepare()
    if prepared < 0 { return handle.diagnose(prepared) }
    let started = handle.start()
    // What the device held is a part of the pause.
    let held = Double(stopped.available) / Double(parameters.format.sampleRate)
    let seconds = now() - stopped.time + held
    unsafe paused += seconds
    channel.pauses.append(DevicePause(position: position, seconds: seconds))
    return started < 0 ? handle.diagnose(started) : 0
  }
}
