internal import Glibc
internal import Synchronization

extension CaptureLoop {
  /// How far the device is, and when; asked again where the thread was interrupted meanwhile.
  @_noAllocation @_noLocks
  func readDevice() -> CaptureReading {
    let longest = 1e9
    var best = CaptureReading(time: 0, window: longest, available: 0, isRunning: false)
    var attempts = 0
    while attempts < 4, !best.isClean {
      attempts += 1
      let before = monotonicSeconds()
      let code = handle.read(into: status)
      let after = monotonicSeconds()
      if code < 0 || after - before >= best.window { continue }
      var time = timespec()
      status.copyTime(to: &time)
      // Not every plugin states a time, or one of this clock.
      let isStated = time.seconds >= before && time.seconds <= after
      best = CaptureReading(
        time: isStated ? time.seconds : after, window: after - before,
        available: status.available(), isRunning: status.isRunning())
    }
    if best.window == longest {
      return CaptureReading(time: now(), window: 0, available: 0, isRunning: false)
    }
    unsafe best.time -= paused
    return best
  }

  /// Seconds of a clock that stands still while the device is paused.
  @_noAllocation @_noLocks
  func now() -> Double { unsafe monotonicSeconds() - paused }

  /// Loses what the device had written over before it was read.
  ///
  /// The device's buffer holds what lies within its own length behind its pointer. Samples that lay further
  /// behind when reading had ended may not be what they were.
  ///
  /// - Parameters:
  ///   - count: samples per channel that were read.
  ///   - read: when that had ended, in seconds.
  ///   - reading: the device's state after that.
  /// - Returns: how many of the `count` samples per channel, from the first, are lost.
  @_noAllocation @_noLocks
  func loseOverwritten(
    _ count: Int, read: Double, _ reading: CaptureReading, _ timeline: inout CaptureTimeline
  ) -> Int {
    if timeline.isUnpaced { return 0 }
    let since = max(reading.time - read, 0) * Double(parameters.format.sampleRate)
    let excess = reading.available - Int(since) + count - parameters.bufferSize
    if excess <= 0 { return 0 }
    // DMA may have written so many samples per channel further than the device's pointer says.
    let burst = 64
    let isNew = !timeline.isLosing
    if isNew { channel.count(.xrun) }
    let overwritten = min(excess + burst, count)
    let unread = excess - count
    let skipped = unread > 0 ? max(handle.skip(unread), 0) : 0
    timeline.lose(overwritten + skipped, .xrun, isNew: isNew)
    return overwritten
  }
}
