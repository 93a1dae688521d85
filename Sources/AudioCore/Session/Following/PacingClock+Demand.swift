// SPDX-License-Identifier: Apache-2.0
// The present demand of a playing device, from its clock. Session thread only.
extension PacingClock {
  /// Returns the samples per channel to be written by now, so that a quarter of the device's buffer, at least two
  /// periods, is still filled; all of it if the device waits for that to start. Nil if the device is not open.
  ///
  /// The ring in front of a followed device is nearly empty and does not show this demand.
  func demand(at now: MonotonicTime = .now) -> Int64? {
    guard let timing else { return nil }
    guard let reading = reading() else { return Int64(timing.bufferSize) }
    guard reading.isRunning else { return reading.position + Int64(timing.bufferSize) }
    return reading.position + passed(since: reading, at: now, timing) + margin(timing)
  }

  /// Like ``demand(at:)``, but nil while the device does not play: before its start, after an underrun, or in a stall
  /// of more than its buffer.
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
