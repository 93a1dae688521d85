// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// A simulated year of hourly parts: both changes of summer time, a clock that is set, restarts, lost devices.
///
/// Every part of the year begins and ends at its time on the clock. Only the first and the last moments of each hour
/// are written; the rest is skipped, as by a trigger, so a year is a few megabytes.
@Suite struct RecordedYearTests {
  let scratch = ScratchDirectory()

  private static let rate = 1_000
  private static let begin = CivilTime.utc2026(1, 1, 0, 20)
  private static let end = CivilTime.utc2026(12, 31, 22, 30)

  /// An event, and its time in seconds since 1970 on a clock that is never set.
  private enum Happening {
    case set(by: Int)
    case restart(after: Int)
    case loss(for: Int)
  }

  private static let happenings: [(time: Int, what: Happening)] = [
    (CivilTime.utc2026(2, 3, 4, 20), .restart(after: 7)),
    (CivilTime.utc2026(4, 10, 12, 10), .loss(for: 5_000)),
    (CivilTime.utc2026(5, 5, 5, 40), .set(by: 3_600)),
    // A restart within the same second, as after a crash.
    (CivilTime.utc2026(6, 6, 6, 6), .restart(after: 0)),
    (CivilTime.utc2026(7, 7, 7, 20), .set(by: -3_600)),
    (CivilTime.utc2026(9, 9, 9, 59), .loss(for: 90)),
    // In the repeated hour.
    (CivilTime.utc2026(10, 25, 0, 30), .restart(after: 8)),
  ]

  private final class Year {
    var parts: [SplittingSink.Part] = []
    var gaps: [String] = []
    var steps: [ClockStep] = []
    var areWhole = true
  }

  @Test func everyHourOfAYear() throws {
    let clock = FakeWallClock(at: Self.begin)
    // The time of a clock that is never set.
    let offset = Int64(Self.begin) * 1_000_000_000 - Int64(clock.now.monotonic.nanoseconds)
    func trueTime() -> Double { Double(Int64(clock.now.monotonic.nanoseconds) + offset) / 1e9 }
    let year = Year()
    var recording = try record(by: clock)
    var happenings = Self.happenings[...]
    while true {
      let now = trueTime()
      if now >= Double(Self.end) { break }
      // The next boundary of any clock that differs by whole hours, or an earlier event.
      let hour = (Int(now.rounded(.down)) / 3_600 + 1) * 3_600
      let next = happenings.first.map { min($0.time, hour) } ?? hour
      try leaveOut(until: Double(min(next, Self.end)) - 0.05, in: recording, now)
      try recording.take(100)
      try forget(recording, in: year)
      guard let happening = happenings.first, happening.time == next else { continue }
      happenings.removeFirst()
      switch happening.what {
      case .set(let seconds): clock.set(by: Int64(seconds) * 1_000_000_000)
      case .restart(let seconds):
        try finish(recording, in: year)
        year.gaps.append("restart after \(seconds) s")
        clock.pass(nanoseconds: Int64(seconds) * 1_000_000_000)
        recording = try record(by: clock)
      case .loss(let seconds):
        // The device is lost for that time and found again: a new part, with a reported gap.
        recording.requestPart()
        year.gaps.append("\(seconds) s without a device")
        try recording.leaveOut(Int64(Double(seconds * Self.rate) * 1.00004))
      }
      try recording.take(100)
    }
    try finish(recording, in: year)
    #expect(year.areWhole)
    try expect(year)
  }

  private func record(by clock: FakeWallClock) throws -> ClockedRecording {
    let recording = try ClockedRecording(
      scratch.file("%Y/%m/%d/%H%M%S.raw"), [.clock(.hour)], at: 0, rate: Self.rate, clock: clock)
    recording.partsPerMillion = 40
    try recording.begin()
    try recording.take(100)
    return recording
  }

  private func leaveOut(until time: Double, in recording: ClockedRecording, _ now: Double) throws {
    let count = Int64((time - now) * Double(Self.rate) * 1.00004)
    if count > 0 { try recording.leaveOut(count) }
  }

  /// Checks the complete parts.
  private func forget(_ recording: ClockedRecording, in year: Year) throws {
    if try !recording.areWhole() { year.areWhole = false }
  }

  private func finish(_ recording: ClockedRecording, in year: Year) throws {
    try recording.end()
    try forget(recording, in: year)
    #expect(recording.isComplete)
    year.parts += recording.parts
    year.steps += recording.steps
  }

  private func expect(_ year: Year) throws {
    let names = year.parts.map { String($0.path.dropFirst(scratch.path.count + 1)) }
    #expect(Set(names).count == names.count)
    let onDisk = try FileManager.default.subpathsOfDirectory(atPath: scratch.path)
      .filter { $0.hasSuffix(".raw") }
    #expect(Set(onDisk) == Set(names))
    #expect(year.steps.map(\.nanoseconds) == [3_600_000_000_000, -3_600_000_000_000])
    #expect(year.gaps.count == 5)
    let odd = [
      // The beginning, three restarts, two devices found again, and two set clocks. After a clock that was set back,
      // names repeat the hour before; so do the names of the repeated hour.
      "2026/01/01/012000.raw", "2026/02/03/052007.raw", "2026/04/10/153320.raw",
      "2026/05/05/084000.raw", "2026/06/06/090600.raw", "2026/07/07/092000.raw",
      "2026/07/07/100001.raw", "2026/09/09/120030.raw", "2026/10/25/023008.raw",
      "2026/10/25/020001.raw",
    ]
    // Every other part begins with an hour on the clock, by a table independent of the system's zones.
    var hours: [String] = []
    for time in stride(from: Self.begin / 3_600 * 3_600 + 3_600, to: Self.end, by: 3_600) {
      // The recorder or its device was away.
      if time == CivilTime.utc2026(4, 10, 13) || time == CivilTime.utc2026(9, 9, 10) { continue }
      let isSummer = time >= 1_774_746_000 && time < 1_792_890_000
      let isSet =
        time > CivilTime.utc2026(5, 5, 5, 40) && time <= CivilTime.utc2026(7, 7, 7, 20)
      let shown = time + (isSummer ? 7_200 : 3_600) + (isSet ? 3_600 : 0)
      let name = CivilTime.utc.text("%Y/%m/%d/%H0000.raw", at: shown)
      if name != hours.last { hours.append(name) }
    }
    #expect(names.count == 8_764)
    #expect(names.filter { !odd.contains($0) }.elementsEqual(hours.uniqued()))
    #expect(Set(odd).isSubset(of: Set(names)))
  }
}

extension [String] {
  /// Removes all but the first of equal names.
  fileprivate func uniqued() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
