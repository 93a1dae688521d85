// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioFiles

@Suite struct UpdateScheduleTests {
  /// Returns a schedule with an interval longer than any test, after its first update.
  private func begun() -> UpdateSchedule {
    var schedule = UpdateSchedule()
    schedule.interval = .seconds(1_000_000)
    let isFirst = schedule.isDue(isResting: true)
    #expect(isFirst)
    return schedule
  }

  @Test func waitsForItsInterval() {
    var schedule = begun()
    let answers = [
      schedule.isDue(), schedule.isDue(isResting: true), schedule.isDue(isResting: true),
    ]
    #expect(answers == [false, false, false])
  }

  @Test func isDueAfterItsInterval() {
    var schedule = begun()
    schedule.interval = .zero
    let isDue = schedule.isDue()
    #expect(isDue)
  }

  /// Returns the number of updates in ten seconds and the longest time between the beginnings of two, in milliseconds.
  /// Samples come 20 times per second, and an update takes `cost` milliseconds.
  private func updates(cost: Int) -> (count: Int, longest: Int) {
    var schedule = UpdateSchedule()
    var (time, last, count, longest) = (0, 0, 0, 0)
    while time < 10_000 {
      if schedule.isDue(at: MonotonicTime(nanoseconds: time * 1_000_000)) {
        if count > 0 { longest = max(longest, time - last) }
        last = time
        count += 1
        time += cost
        schedule.updated(at: MonotonicTime(nanoseconds: time * 1_000_000))
      }
      time += 50
    }
    return (count, longest)
  }

  /// Twice per second, so that a power cut costs less than a second.
  @Test(arguments: [0, 1, 50, 200])
  func isDueTwiceASecond(cost: Int) {
    let updates = updates(cost: cost)
    #expect(updates.longest <= 550)
    #expect(updates.count >= 19)
  }

  /// On a slower disk, samples get half a second between two updates.
  @Test(arguments: [500, 1_000, 2_000])
  func leavesTimeForSamples(cost: Int) {
    let updates = updates(cost: cost)
    #expect(updates.count * (cost + 450) <= 10_000 + cost + 450)
    #expect(updates.longest <= cost + 550)
  }
}
