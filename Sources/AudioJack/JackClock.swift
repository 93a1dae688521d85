// SPDX-License-Identifier: Apache-2.0
/// The clock of a JACK server. All ends of one server share it, so their streams never drift apart. Session thread only.
final class JackClock: PacingClock {
  let name: String
  private nonisolated(unsafe) var watched: (() -> Void)?
  private nonisolated(unsafe) var read: (() -> ClockReading?)?
  private nonisolated(unsafe) var exchanged: (() -> Int64)?
  private nonisolated(unsafe) var opened: ClockTiming?
  private nonisolated(unsafe) var latest: ClockReading?

  /// - Parameter client: the name of the client, of which a process has one for each server.
  init(of client: String) { name = "jack:\(client)" }

  func open(_ stream: CaptureStream, _ timing: ClockTiming) {
    unsafe opened = timing
    unsafe watched = { stream.link.watchClock() }
    unsafe read = { stream.link.latestClockReading() }
    unsafe exchanged = { Int64(stream.link.ring.taken()) }
  }

  func open(_ stream: PlaybackStream, _ timing: ClockTiming) {
    unsafe opened = timing
    unsafe watched = { stream.link.watchClock() }
    unsafe read = { stream.link.latestClockReading() }
    unsafe exchanged = { Int64(stream.link.ring.given()) }
  }

  /// Releases the stream; its timing stays known.
  func close() {
    unsafe watched = nil
    unsafe read = nil
    unsafe exchanged = nil
  }

  var timing: ClockTiming? { unsafe opened }

  func watch() { unsafe watched?() }

  func reading() -> ClockReading? {
    // Several observers may watch one clock.
    unsafe latest = read?() ?? latest
    return unsafe latest
  }

  var samplesExchanged: Int64 { unsafe exchanged?() ?? 0 }
}
