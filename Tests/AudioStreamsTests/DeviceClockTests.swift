// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// The clock's estimates for a device with a known clock, in simulated time.
@Suite struct DeviceClockTests {
  private static let sampleRate = 48_000

  private func instant(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int((seconds * 1e9).rounded()))
  }

  /// Ten hours, a break of unknown length every half minute, readings late by chance.
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
        // Up to 20 µs late, and sometimes interrupted.
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
    // A period is 10 ms; the error is a few samples.
    #expect(largestError < 480)
    // Out of 1,200.
    #expect(outside <= 2)
    #expect(abs(clock.drift * 1e6 - partsPerMillion) <= max(clock.driftUncertainty * 1e6, 0.05))
    #expect(clock.span > 36_000)
  }

  /// Without an observation the nominal rate holds, and the uncertainty shows it.
  @Test func beforeTheFirstObservation() {
    let clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(100), window: 0)
    let reading = CaptureReading(time: instant(1_100), window: 0, available: 0, isRunning: true)
    let estimate = clock.position(
      of: reading, samples: 0, restarted: instant(2_000), restartWindow: 1_000)
    #expect(estimate.samples == 48_000_000)
    #expect(estimate.uncertainty > 9_600)
  }

  /// The sample cannot be later than the start that brought it, even in a late reading.
  @Test func aReadingOfADeviceThatHasStoppedAgain() {
    let clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0)
    let reading = CaptureReading(time: instant(3), window: 0, available: 0, isRunning: false)
    let estimate = clock.position(
      of: reading, samples: 480, restarted: instant(2), restartWindow: 0)
    #expect(estimate.samples == 96_000)
  }

  /// Runs half a second in periods of 10 ms, a standstill of 300 ms, `count` periods, and a loss of 100 ms; returns the
  /// true place of the next sample and the clock's estimate.
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

  /// The standstill does not disturb the estimate of a later loss.
  @Test(arguments: [3, 4, 20, 500])
  func aClockThatStoodStill(periods: Int) {
    let estimate = afterStandstill(periods: periods)
    #expect(abs(estimate.samples - estimate.true) <= estimate.uncertainty)
    #expect(abs(estimate.samples - estimate.true) < 20)
  }

  /// A reading or two may be late by themselves: the uncertainty covers both cases.
  @Test(arguments: [1, 2])
  func aClockThatMayHaveStoodStill(periods: Int) {
    let estimate = afterStandstill(periods: periods)
    #expect(abs(estimate.samples - estimate.true) <= estimate.uncertainty)
  }

  /// A thread that is late for a while does not disturb the clock.
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

  /// A device counts whole samples: at a low rate a few readings tell little of its drift. The uncertainty shows it.
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
    // Out of 2,000.
    #expect(outside <= 2)
  }

  /// A chance agreement of readings does not tell their accuracy: five windows of eight do.
  @Test func aFewReadingsTellNoDrift() {
    var clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0)
    for period in 1...60 {
      #expect(clock.isDriftKnown == (period > 40))
      clock.observe(
        CaptureReading(
          time: instant(Double(period)), window: 0, available: 0, isRunning: true),
        samples: Int64(period * 48_000))
    }
  }

  /// A device and its readings: the step of its pointer in samples per channel, and in seconds the interval between two
  /// readings, the random part of that, and the largest delay of a reading.
  struct Habit: CustomTestStringConvertible {
    var step: Int
    var interval: Double
    var variation: Double
    var lateness: Double

    var testDescription: String {
      "steps of \(step), every \(interval) s less up to \(variation), late by up to \(lateness)"
    }
  }

  /// At every rhythm and pointer step, errors are within the uncertainty in 999 of 1,000 cases, for gaps soon and long
  /// after the start, and for the drift.
  @Test(arguments: [
    Habit(step: 1, interval: 0.01, variation: 0, lateness: 1e-4),
    Habit(step: 1, interval: 0.25, variation: 0.01, lateness: 1e-4),
    Habit(step: 64, interval: 0.25, variation: 0.01, lateness: 1e-4),
    Habit(step: 64, interval: 0.25, variation: 0, lateness: 1e-5),
    Habit(step: 480, interval: 0.01, variation: 0, lateness: 1e-4),
    Habit(step: 256, interval: 0.25, variation: 0.01, lateness: 2e-3),
    Habit(step: 1_024, interval: 0.0213, variation: 0, lateness: 5e-3),
  ])
  func whatIsToldHolds(habit: Habit) {
    var numbers = SplitMix64(seed: 25)
    func random() -> Double { Double(numbers.next() >> 11) * 0x1p-53 }
    var (gaps, outside, drifts, outsideDrifts) = (0, 0, 0, 0)
    for _ in 0..<1_000 {
      let partsPerMillion = 800 * random() - 400
      let rate = Double(Self.sampleRate) * (1 + partsPerMillion * 1e-6)
      var clock = DeviceClock(
        sampleRate: Self.sampleRate, started: instant(0), window: 0, step: 0.0214)
      var (time, first) = (0.0, 0)
      /// Returns the pointer's position at its reading.
      func pointer() -> Int { Int(time * rate) / habit.step * habit.step }
      for _ in 0..<2 {
        let readings = 1 + Int(200 * random() * random())
        for _ in 0..<readings {
          time += habit.interval - habit.variation * random()
          let samples = pointer() - first
          time += habit.lateness * random()
          let reading = CaptureReading(
            time: instant(time), window: 0, available: 0, isRunning: true)
          clock.observe(reading, samples: Int64(samples))
        }
        // The device fails and restarts later; its pointer restarts, too.
        clock.endStretch()
        time += 0.001 + random()
        let restarted = time
        first = Int(restarted * rate)
        time += habit.interval
        let reading = CaptureReading(
          time: instant(time), window: 0, available: 0, isRunning: true)
        let samples = (Int(time * rate) - first) / habit.step * habit.step
        let estimate = clock.position(
          of: reading, samples: Int64(samples), restarted: instant(restarted + 20e-6),
          restartWindow: 40e-6)
        gaps += 1
        if abs(estimate.samples - Double(first)) > estimate.uncertainty { outside += 1 }
        first = first / habit.step * habit.step
      }
      guard clock.isDriftKnown else { continue }
      drifts += 1
      let error = abs(clock.drift * 1e6 - partsPerMillion)
      if error > clock.driftUncertainty * 1e6 { outsideDrifts += 1 }
    }
    #expect(gaps == 2_000)
    #expect(outside <= 4, "of \(gaps) gaps")
    #expect(outsideDrifts <= 4, "of \(drifts) drifts")
  }

  /// A failing device reports a last position between two steps of its pointer. The steps stay unchanged: readings that
  /// move slowly against them, once through a step, do not become a drift.
  @Test(arguments: [16, 37, 64, 256], [1, 2, 5])
  func aFailureBetweenTwoSteps(step: Int, failures: Int) {
    var clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0, step: 0.25)
    let rate = Double(Self.sampleRate)
    let looks = 80
    var begin = 0.0
    for _ in 0...failures {
      for look in 1...looks {
        // The pointer steps in whole readings; each reading comes a little later after a step than the one before.
        let late = Double(step) / rate * Double(look) / Double(looks)
        let samples = (look * 12_000 / step + look * look % 7) * step
        let reading = CaptureReading(
          time: instant(begin + Double(samples) / rate + late), window: 0, available: 0,
          isRunning: true)
        clock.observe(reading, samples: Int64(samples))
      }
      let stopped = looks * 12_000 + 5 * step + 1
      let failure = CaptureReading(
        time: instant(begin + Double(stopped) / rate), window: 0, available: 0, isRunning: true)
      clock.observe(failure, samples: Int64(stopped))
      clock.endStretch()
      begin += 30
    }
    // The device runs at the nominal rate.
    #expect(abs(clock.drift) <= clock.driftUncertainty)
    #expect(clock.driftUncertainty < 200e-6 + Double(step) / rate / 5)
  }

  /// A device about to fail stalls without an error: repeated readings then do not change its clock.
  @Test(arguments: [1, 3, 8])
  func readingsBeforeAFailure(count: Int) {
    var clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0, step: 0.01)
    func observe(_ samples: Int64, at time: Double) {
      clock.observe(
        CaptureReading(time: instant(time), window: 0, available: 0, isRunning: true),
        samples: samples)
    }
    for reading in 1...40 { observe(Int64(reading) * 12_000, at: Double(reading) * 0.25) }
    for reading in 0..<count { observe(481_000, at: 12 + 1e-5 * Double(reading)) }
    clock.endStretch()
    let reading = CaptureReading(time: instant(13), window: 0, available: 0, isRunning: true)
    let estimate = clock.position(
      of: reading, samples: 0, restarted: instant(13), restartWindow: 0)
    #expect(abs(estimate.samples - 624_000) < 20)
  }

  /// The first reading comes seconds after a restart: the drift does not put the sample before the failure.
  @Test(arguments: [-400.0, -100, 100, 400])
  func aLateLookAtADeviceThatDrifts(partsPerMillion: Double) {
    let clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0, step: 0.01)
    let given = Int64((2.0 * 48_000 * (1 + partsPerMillion * 1e-6)).rounded())
    let reading = CaptureReading(time: instant(3), window: 0, available: 0, isRunning: true)
    let estimate = clock.position(
      of: reading, samples: given, restarted: instant(1.00005), restartWindow: 100e-6)
    let position = 48_000 * (1 + partsPerMillion * 1e-6)
    #expect(abs(estimate.samples - position) <= estimate.uncertainty)
  }

  /// The thread was interrupted at the device's start; the device stalled 17 samples later: they seem just recorded.
  @Test func aStandstillRightAfterALongStart() {
    let clock = DeviceClock(sampleRate: Self.sampleRate, started: instant(0), window: 0, step: 0.01)
    let reading = CaptureReading(time: instant(1.0201), window: 0, available: 0, isRunning: true)
    let estimate = clock.position(
      of: reading, samples: 17, restarted: instant(1.02), restartWindow: 0.02)
    #expect(abs(estimate.samples - 48_000) <= estimate.uncertainty)
  }
}
