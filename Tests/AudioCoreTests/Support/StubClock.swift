// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// The clock of a device that never tells where it is.
final class StubClock: PacingClock {
  let name: String
  let timing: ClockTiming?

  init(_ name: String, timing: ClockTiming? = nil) {
    self.name = name
    self.timing = timing
  }

  var samplesExchanged: Int64 { 0 }
  func watch() {}
  func reading() -> ClockReading? { nil }
}
