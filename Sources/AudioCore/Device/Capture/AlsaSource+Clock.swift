extension AlsaSource: ClockedDevice {
  func watchClock() { loop?.channel.clock.watch() }

  func clockReading() -> ClockReading? {
    // Several may watch one device.
    latestClockReading = loop?.channel.clock.latest() ?? latestClockReading
    return latestClockReading
  }

  var samplesExchanged: Int64 { loop.map { Int64($0.channel.ring.taken()) } ?? 0 }
}
