// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams
@testable import AudioCore

/// Two clocks that drift apart for a day of virtual time: the control loop and the arithmetic of places.
///
/// The threads see a period up to 1 ms late, and once in a thousand times up to 20 ms; one crystal wanders by 2 ppm up
/// and down every hour.
@Suite struct DayOfDriftTests {
  struct Drift: Sendable {
    var capture: Double
    var playback: Double
    var capturePeriod = 4_096
    var playbackPeriod = 2_400
    var seconds = 86_400.0
  }

  /// The results of a run, minute by minute.
  struct Course {
    /// The fewest samples left in the playing device and its ring when the next ones came.
    var leastLeft = Double.infinity
    /// The range of the delay less its target.
    var delayErrors: [ClosedRange<Double>] = []
    /// The largest difference between the ratio and the ratio of the clocks.
    var ratioErrors: [Double] = []
    /// The largest change of the ratio from one second to the next.
    var changes: [Double] = []
  }

  private static func run(_ duplex: SimulatedDuplex, seconds: Double) -> Course {
    var course = Course()
    var place = VaryingPoint(ratio: ResamplingRatio(from: 48_000, to: 48_000))
    var (fed, passed) = (0, 0)
    var (time, second, before) = (0.0, 0, 0.0)
    while time < seconds {
      let (now, left) = duplex.capturePeriod()
      fed += duplex.capture.period - duplex.stream.inputsToDrop(of: duplex.capture.period)
      // As if after half a filter.
      let made = place.outputsReady(upTo: fed - passed - 73)
      place.advance(by: made)
      passed += place.index
      place.index = 0
      duplex.stream.made(made)
      let next = Double(passed) + Double(place.phase) / Double(place.scale)
      let (correction, silence) = duplex.stream.follow(next: next, step: place.step)
      place.correct(by: correction)
      duplex.written += Int64(made + silence)
      time = now
      course.leastLeft = min(course.leastLeft, left)
      let asked =
        (1 + duplex.playback.trueDeviation(at: time))
        / (1 + duplex.capture.trueDeviation(at: time)) - 1
      let latency = duplex.latency.total
      let delay = ((duplex.stream.statistics.delay ?? latency) - latency) / .seconds(1)
      let minute = Int(time / 60)
      while course.ratioErrors.count <= minute {
        course.ratioErrors.append(0)
        course.changes.append(0)
        course.delayErrors.append(delay...delay)
      }
      course.ratioErrors[minute] = max(
        course.ratioErrors[minute], abs(correction - asked))
      let range = course.delayErrors[minute]
      course.delayErrors[minute] = min(range.lowerBound, delay)...max(range.upperBound, delay)
      if Int(time) != second {
        let change = abs(correction - before)
        course.changes[minute] = max(course.changes[minute], change)
        (second, before) = (Int(time), correction)
      }
    }
    return course
  }

  private static func duplex(_ drift: Drift) throws -> SimulatedDuplex {
    try SimulatedDuplex(
      SimulatedDevice(
        "a", rate: 48_000, period: drift.capturePeriod, buffer: 24_000, deviation: drift.capture,
        wander: 2e-6, jitter: (0.001, 0.02), seed: 1, isCapture: true),
      SimulatedDevice(
        "b", rate: 48_000, period: drift.playbackPeriod, buffer: 9_600,
        deviation: drift.playback, jitter: (0.001, 0.02), start: 0.004, seed: 2,
        isCapture: false),
      resampler: 72 / 48_000)
  }

  @Test(arguments: [
    Drift(capture: 200e-6, playback: -200e-6), Drift(capture: -200e-6, playback: 200e-6),
  ])
  func theDelayStaysAndTheRatioIsQuiet(_ drift: Drift) throws {
    let duplex = try Self.duplex(drift)
    let course = Self.run(duplex, seconds: drift.seconds)
    #expect(course.ratioErrors.count == 1_441)
    #expect(duplex.stream.statistics.resynchronisations == 0)
    #expect(duplex.stream.statistics.insertedSamplesPerChannel == 0)
    #expect(duplex.stream.statistics.droppedSamplesPerChannel == 0)
    // The device's buffer stays full and its ring never empties.
    #expect(course.leastLeft > 9_600 + 0.02 * 48_000)
    // The delay starts 4 ms off, the offset of the two starts, and is on target after two minutes.
    for (minute, error) in course.delayErrors.enumerated() {
      let bound = minute < 2 ? 0.006 : minute < 30 ? 0.001 : 0.000_2
      #expect(abs(error.lowerBound) < bound && abs(error.upperBound) < bound, "minute \(minute)")
    }
    // Drift of 400 ppm is learnt within seconds; the early rest is the way to the target.
    for (minute, error) in course.ratioErrors.enumerated().dropFirst() {
      let bound = minute < 3 ? 60e-6 : minute < 15 ? 5e-6 : 1.5e-6
      #expect(error < bound, "minute \(minute)")
    }
    // The least audible change of pitch is some 3,000 ppm, at once.
    for (minute, change) in course.changes.enumerated().dropFirst(15) {
      #expect(change < 0.1e-6, "minute \(minute)")
    }
  }

  /// The usual periods give eight times as many readings: the remaining error is well below 1 ppm.
  @Test func shorterPeriodsAreQuieter() throws {
    let drift = Drift(
      capture: -80e-6, playback: 120e-6, capturePeriod: 480, playbackPeriod: 441, seconds: 3_600)
    let duplex = try Self.duplex(drift)
    let course = Self.run(duplex, seconds: drift.seconds)
    #expect(duplex.stream.statistics.resynchronisations == 0)
    // A thread 20 ms late uses the whole reserve of 20 ms; the device's buffer is still full.
    #expect(course.leastLeft > 9_600)
    #expect(course.ratioErrors.dropFirst(15).allSatisfy { $0 < 0.6e-6 })
    #expect(course.changes.dropFirst(15).allSatisfy { $0 < 0.05e-6 })
  }
}
