extension AlsaSink: ClockedDevice {
  func watchClock() { loop?.channel.clock.watch() }

  func clockReading() -> ClockReading? { loop?.channel.clock.latest() }

  var samplesExchanged: Int64 { loop.map { Int64($0.channel.ring.given()) } ?? 0 }
}
