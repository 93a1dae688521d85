// SPDX-License-Identifier: Apache-2.0
/// The clock of a sender, by the arrival of its packets. Session thread only.
final class NetworkClock: PacingClock {
  let name: String
  private nonisolated(unsafe) var link: NetworkLink?
  private nonisolated(unsafe) var opened: ClockTiming?
  private nonisolated(unsafe) var latest: ClockReading?

  /// - Parameter stream: the name of the stream. No two senders are known to share a clock.
  init(of stream: String) { name = "network:\(stream)" }

  func open(_ link: NetworkLink, _ timing: ClockTiming) {
    unsafe self.link = link
    unsafe opened = timing
  }

  /// Releases the stream; its timing stays known.
  func close() { unsafe link = nil }

  var timing: ClockTiming? { unsafe opened }

  func watch() { unsafe link?.watchClock() }

  func reading() -> ClockReading? {
    // Several observers may watch one clock.
    unsafe latest = link?.latestClockReading() ?? latest
    return unsafe latest
  }

  var samplesExchanged: Int64 { unsafe Int64(link?.ring.taken() ?? 0) }
}
