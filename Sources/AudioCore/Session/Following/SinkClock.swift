/// What a playing device needs by now, from where it is. Session thread only.
///
/// The ring before a device that is followed is nearly empty, and says nothing of that.
struct SinkClock {
  let device: any ClockedDevice
  let parameters: AlsaParameters

  /// How many samples per channel have to be written by now, so that a quarter of the device's buffer, at
  /// least two periods, is still filled; all of it where the device waits for that to start.
  func demand(at now: Int = monotonicNanoseconds()) -> Int64 {
    guard let reading = device.clockReading() else { return Int64(parameters.bufferSize) }
    guard reading.isRunning else { return reading.position + Int64(parameters.bufferSize) }
    return reading.position + passed(since: reading, at: now) + margin
  }

  /// The same, but nil where the device does not play: it has not begun yet, ran dry, or stands still for a
  /// while, of which nothing is known but that it did not ask for anything.
  func demandWhilePlaying(at now: Int = monotonicNanoseconds()) -> Int64? {
    guard let reading = device.clockReading(), reading.isRunning else { return nil }
    let passed = passed(since: reading, at: now)
    return passed > parameters.bufferSize ? nil : reading.position + passed + margin
  }

  private var margin: Int64 {
    Int64(max(parameters.bufferSize / 4, 2 * parameters.periodSize))
  }

  private func passed(since reading: ClockReading, at now: Int) -> Int64 {
    Int64(Double(now - reading.time) * 1e-9 * Double(parameters.format.sampleRate))
  }
}
