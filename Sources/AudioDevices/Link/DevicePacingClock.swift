// SPDX-License-Identifier: Apache-2.0
/// The clock of a device's thread as a session sees it. Session thread only.
protocol ClockedLoop: AnyObject {
  func watchClock()
  /// The latest reading since the last call; nil if there is none.
  func latestClockReading() -> ClockReading?
  /// Samples per channel that passed from the ring to the session, or from the session into the ring.
  var samplesExchanged: Int64 { get }
}

/// The clock of an ALSA device, as its thread reads it. Session thread only.
final class DevicePacingClock: PacingClock {
  let name: String
  private nonisolated(unsafe) var loop: (any ClockedLoop)?
  private nonisolated(unsafe) var opened: ClockTiming?
  private nonisolated(unsafe) var latest: ClockReading?

  init(_ device: String) { name = device }

  func open(_ loop: any ClockedLoop, _ parameters: DeviceParameters) {
    unsafe self.loop = loop
    unsafe opened = ClockTiming(
      sampleRate: parameters.format.sampleRate, periodSize: parameters.periodSize,
      bufferSize: parameters.bufferSize)
  }

  /// Releases the device; its timing stays known.
  func close() { unsafe loop = nil }

  var timing: ClockTiming? { unsafe opened }

  func watch() { unsafe loop?.watchClock() }

  func reading() -> ClockReading? {
    // Several observers may watch one device.
    unsafe latest = loop?.latestClockReading() ?? latest
    return unsafe latest
  }

  var samplesExchanged: Int64 { unsafe loop?.samplesExchanged ?? 0 }
}

extension CaptureLoop: ClockedLoop {
  func watchClock() { link.watchClock() }
  func latestClockReading() -> ClockReading? { link.latestClockReading() }
  var samplesExchanged: Int64 { Int64(link.ring.taken()) }
}

extension PlaybackLoop: ClockedLoop {
  func watchClock() { link.watchClock() }
  func latestClockReading() -> ClockReading? { link.latestClockReading() }
  var samplesExchanged: Int64 { Int64(link.ring.given()) }
}
