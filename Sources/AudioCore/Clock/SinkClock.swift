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
    let since = Double(now - reading.time) * 1e-9 * Double(parameters.format.sampleRate)
    let margin = max(parameters.bufferSize / 4, 2 * parameters.periodSize)
    return reading.position + Int64(since) + Int64(margin)
  }
}
