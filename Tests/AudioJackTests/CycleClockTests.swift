// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioJack

/// Cycles at 48 kHz, of 1,024 samples where nothing else is said.
@Suite struct CycleClockTests {
  /// A call of the client.
  private struct Call {
    var frame: UInt32
    var count = 1_024
    /// When it came, in cycles of 1,024 samples.
    var number: Double
    /// Whether the server had gone on before the client had ended.
    var isLate = false

    var time: MonotonicTime { MonotonicTime(nanoseconds: Int(number * 1_024 / 48_000 * 1e9)) }
  }

  private func cycles(_ calls: [Call]) -> [CycleClock.Cycle] {
    var clock = CycleClock(sampleRate: 48_000)
    return calls.map { call in
      let cycle = clock.cycle(at: call.frame, call.count, call.time)
      if cycle != .repeated, !call.isLate { clock.finish(at: call.frame, call.count, call.time) }
      return cycle
    }
  }

  @Test func countsMissedCyclesAcrossTheWrap() {
    let first = UInt32.max - 2_000
    let found = cycles([
      Call(frame: first, number: 0), Call(frame: first &+ 1_024, number: 1),
      Call(frame: first &+ 8 * 1_024, number: 8), Call(frame: first &+ 9 * 1_024, number: 9),
    ])
    #expect(
      found == [.next(lost: 0), .next(lost: 0), .next(lost: 6 * 1_024), .next(lost: 0)])
  }

  @Test func handlesACycleOnce() {
    let found = cycles([
      Call(frame: 0, number: 0), Call(frame: 0, number: 0.1), Call(frame: 1_024, number: 1),
    ])
    #expect(found == [.next(lost: 0), .repeated, .next(lost: 0)])
  }

  @Test func countsALateCycleAsMissed() {
    let found = cycles([
      Call(frame: 0, number: 0), Call(frame: 1_024, number: 1, isLate: true),
      Call(frame: 2_048, number: 2),
    ])
    #expect(found == [.next(lost: 0), .next(lost: 0), .next(lost: 1_024)])
  }

  /// As jackd2's dummy driver counted when its period changed from 1,024 to 256 and to 2,048 samples.
  @Test func aNewPeriodLosesNothing() {
    let found = cycles([
      Call(frame: 170_666_240, number: 0), Call(frame: 170_666_496, count: 256, number: 1),
      Call(frame: 170_666_752, count: 256, number: 1.25),
      Call(frame: 170_668_800, count: 2_048, number: 1.5),
      Call(frame: 170_670_848, count: 2_048, number: 3.5),
    ])
    #expect(found.allSatisfy { $0 == .next(lost: 0) })
  }

  /// Another device became the clock of the graph: no time passed for such jumps.
  @Test(arguments: [UInt32(1_000_000), 4_000_000_000, 512])
  func estimatesAJump(frame: UInt32) {
    let found = cycles([
      Call(frame: 0, number: 0), Call(frame: 1_024, number: 1), Call(frame: frame, number: 3),
      Call(frame: frame &+ 1_024, number: 4),
    ])
    #expect(found[2] == .jumped(estimate: 1_024, uncertainty: 2_048))
    #expect(found[3] == .next(lost: 0))
  }

  @Test func aStandstillOfTheWatcherIsNone() {
    var standstill = Standstill(limit: .seconds(10))
    func look(_ cycle: Int, at seconds: Double) -> Bool {
      standstill.isOver(
        MonotonicTime(nanoseconds: cycle), at: MonotonicTime(nanoseconds: Int(seconds * 1e9)))
    }
    let atOnce = look(5, at: 0)
    // Its process was stopped.
    let behindAStop = look(5, at: 60)
    let before = (1...38).map { look(5, at: 60 + Double($0) * 0.25) }
    let behind = look(5, at: 69.76)
    let withACycle = look(6, at: 70)
    #expect(!atOnce && !behindAStop && !before.contains(true) && behind && !withACycle)
  }
}
