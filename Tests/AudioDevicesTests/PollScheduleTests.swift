// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

@Suite struct PollScheduleTests {
  private func schedule(
    _ milliseconds: Int?, period: Int, buffer: Int, rate: Int = 48_000
  ) throws -> PollSchedule {
    PollSchedule(
      milliseconds.map { .milliseconds($0) },
      DeviceParameters(
        format: try StreamFormat(sampleRate: rate, channelCount: 2),
        layout: try #require(SampleLayout.layouts(of: .s16).first), periodSize: period,
        bufferSize: buffer))
  }

  /// Milliseconds of latency, period and buffer in samples per channel at 48 kHz, and the rest: 0.25 s if the buffer
  /// leaves as much for lateness, else the buffer's remainder, else a period or half a buffer.
  @Test(arguments: [
    (500, 12_000, 48_000, 12_000), (500, 480, 24_000, 12_000), (500, 4_096, 16_384, 4_384),
    (500, 480, 4_800, 480), (500, 2_400, 4_800, 2_400), (500, 4_096, 4_096, 2_048),
    (100, 480, 24_000, 4_800), (300, 480, 48_000, 7_200), (1, 480, 24_000, 48),
  ])
  func restsAsLongAsTheBufferAllows(latency: Int, period: Int, buffer: Int, rest: Int) throws {
    let schedule = try schedule(latency, period: period, buffer: buffer)
    #expect(schedule.rest == rest)
    #expect(schedule.milliseconds(of: rest) == (rest * 1_000 + 47_999) / 48_000)
  }

  @Test func wakesForEachPeriodWithoutALatency() throws {
    var schedule = try schedule(nil, period: 480, buffer: 24_000)
    #expect(!schedule.hasRests)
    let wakeUps = [480, 1, 2_000].map { schedule.isWakeUpDue(after: $0, at: instant(0)) }
    #expect(wakeUps == [true, true, true])
  }

  /// The first samples at once, then half a second at a time, even if readings are a little late or early.
  @Test(arguments: [12_000, 12_011, 11_990])
  func wakesOncePerLatency(look: Int) throws {
    var schedule = try schedule(500, period: 480, buffer: 48_000)
    let wakeUps = (0..<9).map { schedule.isWakeUpDue(after: look, at: instant($0 * look)) }
    #expect(wakeUps == [true, true, false, true, false, true, false, true, false])
  }

  /// If a device gives fewer samples than it has, time decides: the few samples wait no longer.
  @Test func wakesByTimeWhereLittleComes() throws {
    var schedule = try schedule(500, period: 480, buffer: 48_000)
    let wakeUps = (0..<9).map { schedule.isWakeUpDue(after: 100, at: instant($0 * 12_000)) }
    #expect(wakeUps == [true, false, true, false, true, false, true, false, true])
  }

  /// The first readings come once per period, also after a failure, so the clock is soon known again.
  @Test func looksCloselyAtFirst() throws {
    var schedule = try schedule(500, period: 480, buffer: 48_000)
    for _ in 0..<2 {
      var waits = 0
      while case .none = schedule.nextRest(holding: 0) { waits += 1 }
      #expect(waits == 9)
      schedule.lookClosely()
    }
  }

  /// After a read of only a part of the samples there is no rest.
  @Test func readsOnWhereThereIsMore() throws {
    var schedule = try schedule(500, period: 480, buffer: 48_000)
    guard case .readAgain = schedule.nextRest(holding: 12_000) else {
      Issue.record("rests though the device holds samples")
      return
    }
  }

  /// Rests end evenly anywhere within a step of the device's pointer, and never exceed the safe length.
  @Test(arguments: [480, 1_024, 3_000])
  func restsDiffer(period: Int) throws {
    var schedule = try schedule(500, period: period, buffer: 48_000)
    var ends = [Int](repeating: 0, count: 10)
    for _ in 0..<1_009 {
      guard case .samples(let rest) = schedule.nextRest(holding: 0) else { continue }
      try #require(rest > schedule.rest - period && rest <= schedule.rest)
      ends[(schedule.rest - rest) * 10 / period] += 1
    }
    #expect(ends.allSatisfy { (97...103).contains($0) }, "\(ends)")
  }

  /// Returns the instant of a time in samples.
  private func instant(_ samples: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: samples * 1_000_000_000 / 48_000)
  }
}
