// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

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
}
