// SPDX-License-Identifier: Apache-2.0
// What a playing device needs by now, from where its clock is. Session thread only.
extension PacingClock {
  /// How many samples per channel have to be written by now, so that a quarter of the device's buffer, at
  /// least two periods, is still filled; all of it where the device waits for that to start. Nil where
  /// the device is not open.
  ///
  /// The ring before a device that is followed is nearly empty and says nothing of that.
  func demand(at now: MonotonicTime = .now) -> Int64? {
    guard let timing else { return nil }
    guard let reading = reading() else { return Int64(timing.bufferSize) }
    guard reading.isRunning else { return reading.position + Int64(timing.bufferSize) }
    return reading.position + passed(since: reading, at: now, timing) + margin(timing)
  }

  /// The same, but nil where the device does not play: it has not begun yet, ran dry, or stands still for a
  /// while, of which nothing is known but that it did not ask for anything.
  func demandWhilePlaying(at now: MonotonicTime = .now) -> Int64? {
    guard let timing, let reading = reading(), reading.isRunning else { return nil }
    let passed = passed(since: reading, at: now, timing)
    return passed > timing.bufferSize ? nil : reading.position + passed + margin(timing)
  }

  private func margin(_ timing: ClockTiming) -> Int64 {
    Int64(max(timing.bufferSize / 4, 2 * timing.periodSize))
  }

  private func passed(since reading: ClockReading, at now: MonotonicTime, _ timing: ClockTiming)
    -> Int64
  {
    Int64(now.seconds(since: reading.time) * Double(timing.sampleRate))
  }
}
