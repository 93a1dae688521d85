// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

/// The clock's estimates against a device whose clock is known, in simulated time.
@Suite struct DeviceClockTests {
  private static let sampleRate = 48_000

  private func instant(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int((seconds * 1e9).rounded()))
  }

  /// Ten hours, a break of unknown length every half minute, readings that come late by chance.
  @Test(arguments: [-80.0, -3, 0, 50, 95], [UInt64(1), 2])
  func aLongAndBrokenRun(partsPerMillion: Double, seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    func random() -> Double { Double(numbers.next() >> 11) * 0x1p-53 }
    let rate = Double(Self.sampleRate) * (1 + partsPerMillion * 1e-6)
    var clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(5), window: 20e-6)
    var stretchStart = 0
    var time = 5.0
    var largestError = 0.0
    var outside = 0
    for _ in 0..<1_200 {
      for _ in 0..<300 {
        time += 0.1
        // Up to 20 µs late, and now and then interrupted.
        let position = Int((time - 5) * rate)
        let delay = random() < 0.02 ? 5e-3 : 20e-6 * random()
        clock.observe(
          CaptureReading(time: instant(time + delay), window: delay, available: 0, isRunning: true),
          samples: Int64(position - stretchStart))
      }
      time += 0.5 + random()
      stretchStart = Int((time - 5) * rate)
      clock.endStretch()
      let reading = CaptureReading(
        time: instant(time + 10e-6), window: 20e-6, available: 0, isRunning: true)
      let estimate = clock.position(
        of: reading, samples: 0, restarted: instant(time + 1), restartWindow: 1)
      let error = abs(estimate.samples - Double(stretchStart))
      largestError = max(largestError, error)
      if error > estimate.uncertainty { outside += 1 }
    }
    // A period of 10 ms; it comes to a few samples.
    #expect(largestError < 480)
    #expect(outside <= 60)
    #expect(abs(clock.drift * 1e6 - partsPerMillion) <= max(clock.driftUncertainty * 1e6, 0.05))
    #expect(clock.span > 36_000)
  }

  /// Nothing was observed yet: the nominal rate holds, and the uncertainty says how little that is.
  @Test func beforeTheFirstObservation() {
    let clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(100), window: 0)
    let reading = CaptureReading(time: instant(1_100), window: 0, available: 0, isRunning: true)
    let estimate = clock.position(
      of: reading, samples: 0, restarted: instant(2_000), restartWindow: 0)
    #expect(estimate.samples == 48_000_000)
    #expect(estimate.uncertainty > 9_600)
  }

  /// The sample cannot be later than the start that brought it, however late the reading is.
  @Test func aReadingOfADeviceThatHasStoppedAgain() {
    let clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0)
    let reading = CaptureReading(time: instant(3), window: 0, available: 0, isRunning: false)
    let estimate = clock.position(
      of: reading, samples: 480, restarted: instant(2), restartWindow: 0)
    #expect(estimate.samples == 96_000)
  }

  /// Half a second at work in periods of 10 ms, a standstill of 300 ms, `count` periods at work, and 100 ms
  /// lost: where the next sample stands, and what the clock says.
  private func afterStandstill(
    periods count: Int
  ) -> (true: Double, samples: Double, uncertainty: Double) {
    var clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0, step: 0.01)
    func observe(_ period: Int, at time: Double) {
      clock.observe(
        CaptureReading(time: instant(time), window: 0, available: 0, isRunning: true),
        samples: Int64(period * 480))
    }
    for period in 1...50 { observe(period, at: Double(period) * 0.01) }
    for period in 51..<51 + count { observe(period, at: 0.3 + Double(period) * 0.01) }
    clock.endStretch()
    let time = 0.3 + Double(50 + count) * 0.01 + 0.1
    let reading = CaptureReading(time: instant(time), window: 0, available: 0, isRunning: true)
    let estimate = clock.position(
      of: reading, samples: 0, restarted: instant(time), restartWindow: 0)
    return (Double((60 + count) * 480), estimate.samples, estimate.uncertainty)
  }

  /// What it lost afterwards is no longer for that.
  @Test(arguments: [3, 4, 20, 500])
  func aClockThatStoodStill(periods: Int) {
    let estimate = afterStandstill(periods: periods)
    #expect(abs(estimate.samples - estimate.true) <= estimate.uncertainty)
    #expect(abs(estimate.samples - estimate.true) < 20)
  }

  /// A reading or two may be late by themselves: then nobody knows, which the uncertainty says.
  @Test(arguments: [1, 2])
  func aClockThatMayHaveStoodStill(periods: Int) {
    let estimate = afterStandstill(periods: periods)
    #expect(abs(estimate.samples - estimate.true) <= estimate.uncertainty)
  }

  /// A thread that comes late for a while says nothing of the clock.
  @Test func readingsThatComeLateForAWhile() {
    var clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0, step: 0.01)
    for period in 1...1_000 {
      let delay = (400..<410).contains(period) ? 0.05 : 0
      clock.observe(
        CaptureReading(
          time: instant(Double(period) * 0.01 + delay), window: 0, available: 0, isRunning: true),
        samples: Int64(period * 480))
    }
    clock.endStretch()
    let reading = CaptureReading(time: instant(11), window: 0, available: 0, isRunning: true)
    let estimate = clock.position(
      of: reading, samples: 0, restarted: instant(11), restartWindow: 0)
    #expect(abs(estimate.samples - 528_000) < 20)
  }

  /// A device counts whole samples: at a low rate a few readings say little of its drift, and the uncertainty
  /// says so.
  @Test(arguments: [1_000, 8_000, 48_000])
  func aFewReadingsOfWholeSamples(sampleRate: Int) {
    var numbers = SplitMix64(seed: 4)
    func random() -> Double { Double(numbers.next() >> 11) * 0x1p-53 }
    var outside = 0
    for _ in 0..<2_000 {
      let rate = Double(sampleRate) * (1 + 200e-6 * (random() - 0.5))
      var clock = DeviceClock(sampleRate: sampleRate, started: instant(0), window: 0)
      var time = 0.0
      for _ in 0..<2 + Int(4 * random()) {
        time += 0.2 + 2 * random()
        let reading = CaptureReading(time: instant(time), window: 0, available: 0, isRunning: true)
        clock.observe(reading, samples: Int64(time * rate))
      }
      clock.endStretch()
      time += 60 * random()
      let reading = CaptureReading(time: instant(time), window: 0, available: 0, isRunning: true)
      let estimate = clock.position(
        of: reading, samples: 0, restarted: instant(time), restartWindow: 0)
      let position = (time * rate).rounded(.down)
      if abs(estimate.samples - position) > estimate.uncertainty { outside += 1 }
    }
    // The uncertainty is two standard deviations, of which a normal error leaves one in twenty outside.
    #expect(outside <= 100)
  }

  /// Three readings that agree by chance do not tell how well they are known.
  @Test func aFewReadingsTellNoDrift() {
    var clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0)
    for period in 1...20 {
      #expect(clock.isDriftKnown == (period > 9))
      clock.observe(
        CaptureReading(
          time: instant(Double(period)), window: 0, available: 0, isRunning: true),
        samples: Int64(period * 48_000))
    }
  }
}
