// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// The time during which a lost device is away.
struct AbsenceClockTests {
  private func time(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: 5_000_000_000 + milliseconds * 1_000_000)
  }

  @Test func silenceFollowsTheClock() {
    var clock = AbsenceClock(since: time(-10), at: 777, sampleRate: 48_000, now: time(0))
    #expect(clock.position == 777)
    #expect(clock.due(at: time(0)) == 480)
    clock.fill(480)
    #expect(clock.due(at: time(100)) == 4_800)
    clock.fill(4_800)
    #expect(clock.length(at: time(2_490)) == 120_000)
    // A reported length is never withdrawn.
    #expect(clock.length(at: time(0)) == 5_280)
    #expect(clock.due(at: time(0)) == 0)
  }

  /// Returns the times of attempts to find the device, if asked every millisecond.
  private func attempts(_ clock: inout AbsenceClock, until end: Int) -> [Int] {
    (0..<end).filter { clock.isToTry(at: time($0)) }
  }

  @Test func itIsLookedForLessAndLessOften() {
    var clock = AbsenceClock(since: time(0), at: 0, sampleRate: 48_000, now: time(0))
    #expect(
      attempts(&clock, until: 9_000) == [0, 50, 150, 350, 750, 1_550, 3_150, 5_150, 7_150])
  }

  @Test func aDeviceThatIsLostAgainSoonIsNotHurriedAfter() {
    var again = AbsenceClock(
      since: time(0), at: 0, sampleRate: 48_000, now: time(0),
      after: (.milliseconds(400), time(-9_999)))
    #expect(attempts(&again, until: 4_000) == [400, 1_200, 2_800])
    var later = AbsenceClock(
      since: time(0), at: 0, sampleRate: 48_000, now: time(0),
      after: (.milliseconds(400), time(-10_000)))
    #expect(attempts(&later, until: 100) == [0, 50])
  }

  @Test func aRefusalIsToldOnceWhereItStays() {
    var clock = AbsenceClock(since: time(0), at: 0, sampleRate: 48_000, now: time(0))
    func error(_ kind: AudioError.Kind, _ reason: String) -> AudioError {
      AudioError(kind, cannot: "open device", "card", because: reason)
    }
    let errors = [
      error(.unavailable, "busy"), error(.unavailable, "busy"), error(.unsupported, "rate"),
      error(.unsupported, "rate"), error(.unsupported, "rate"), error(.unsupported, "rate"),
      error(.notFound, "gone"), error(.unsupported, "rate"), error(.unsupported, "rate"),
      error(.unsupported, "rate"),
    ]
    let told = errors.map { clock.isToTell($0) }
    #expect(
      told == [false, false, false, false, true, false, false, false, false, true])
  }
}
