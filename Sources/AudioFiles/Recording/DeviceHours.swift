// SPDX-License-Identifier: Apache-2.0
/// The hours in which a scheduled recording needs its device: a little more than its windows, so that the device has
/// begun when a window does. One thread at a time.
package final class DeviceHours {
  /// A card needs a second to open; one that is missing is told before the window.
  private static let lead = 5
  /// The samples of a window's end are still on their way.
  private static let lag = 2

  private var present: ScheduleReader
  private var past: ScheduleReader

  package init(_ schedule: RecordingSchedule) {
    present = ScheduleReader(schedule)
    past = ScheduleReader(schedule)
  }

  /// - Parameter time: the time of day in nanoseconds since 1970.
  package func areNow(_ time: Int64 = WallTime.now) -> Bool {
    let second = Int(time.dividedDown(by: 1_000_000_000))
    if past.state(at: second - Self.lag).isOpen { return true }
    switch present.state(at: second) {
    case .open: return true
    case .closed(until: let begin): return begin.map { $0 - second <= Self.lead } ?? false
    }
  }
}
