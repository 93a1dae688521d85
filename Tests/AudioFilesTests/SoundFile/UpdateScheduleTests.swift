// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams
@testable import AudioFiles

@Suite struct UpdateScheduleTests {
  /// An interval so long that no test lasts as long, and the first update.
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

  /// Samples come 20 times a second, and an update takes `cost` milliseconds: how many updates there are in ten seconds,
  /// and the longest time between the beginnings of two.
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

  /// Twice a second, so that a power cut costs less than a second.
  @Test(arguments: [0, 1, 50, 200])
  func isDueTwiceASecond(cost: Int) {
    let updates = updates(cost: cost)
    #expect(updates.longest <= 550)
    #expect(updates.count >= 19)
  }

  /// On a disk that takes longer, samples have half a second between two updates, and no more.
  @Test(arguments: [500, 1_000, 2_000])
  func leavesTimeForSamples(cost: Int) {
    let updates = updates(cost: cost)
    #expect(updates.count * (cost + 450) <= 10_000 + cost + 450)
    #expect(updates.longest <= cost + 550)
  }
}
