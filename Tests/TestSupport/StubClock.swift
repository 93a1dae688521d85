// SPDX-License-Identifier: Apache-2.0
/// The clock of a device that never tells its position.
package final class StubClock: PacingClock {
  package let name: String
  package let timing: ClockTiming?

  package init(_ name: String, timing: ClockTiming? = nil) {
    self.name = name
    self.timing = timing
  }

  package var exchangedSamplesPerChannel: Int64 { 0 }
  package func watch() {}
  package func reading() -> ClockReading? { nil }
}
