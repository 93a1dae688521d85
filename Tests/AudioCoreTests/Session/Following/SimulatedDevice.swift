// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import AudioStreams

/// A device in virtual time: its crystal is off, wanders with the temperature, and its thread learns of a
/// period only some time after it is full, as real ones do.
final class SimulatedDevice: PacingClock, @unchecked Sendable {
  let name: String
  let agreed: ClockTiming
  private let rate: Double
  private let deviation: Double
  private let wander: Double
  /// Seconds by which the thread is late at most, and now and then.
  private let jitter: (usual: Double, rare: Double)
  private var random: SplitMix64
  private var latest: ClockReading?
  private let isCapture: Bool
  /// When the period that runs now ends, and when the last one did, in seconds.
  private(set) var nextPeriod: Double
  private var lastPeriod: Double
  private var periods = 0

  init(
    _ device: String, rate: Int, period: Int, buffer: Int, deviation: Double, wander: Double = 0,
    jitter: (usual: Double, rare: Double) = (0, 0), start: Double = 0, seed: UInt64,
    isCapture: Bool
  ) throws {
    name = device
    self.rate = Double(rate)
    self.deviation = deviation
    self.wander = wander
    self.jitter = jitter
    self.isCapture = isCapture
    random = SplitMix64(seed: seed)
    agreed = ClockTiming(sampleRate: rate, periodSize: period, bufferSize: buffer)
    lastPeriod = start
    nextPeriod = start
    nextPeriod += Double(period) / (self.rate * (1 + trueDeviation(at: start)))
  }

  var timing: ClockTiming? { agreed }
  var period: Int { agreed.periodSize }

  /// How much faster than nominal it runs; the temperature goes up and down once an hour.
  func trueDeviation(at time: Double) -> Double {
    deviation + wander * sin(2 * Double.pi * time / 3_600)
  }

  /// A period is full or empty: the thread reads the clock and takes or gives it.
  ///
  /// - Returns: when.
  @discardableResult
  func finishPeriod() -> Double {
    periods += 1
    let isRare = random.next() % 1_000 == 0
    let chance = Double(random.next() >> 11) * 0x1p-53
    let late = chance * (isRare ? jitter.rare : jitter.usual)
    let now = nextPeriod + late
    latest = ClockReading(
      time: MonotonicTime(nanoseconds: Int(now * 1e9)), position: Int64(periods * period),
      interruptions: 0, isRunning: true)
    lastPeriod = nextPeriod
    nextPeriod += Double(period) / (rate * (1 + trueDeviation(at: nextPeriod)))
    return now
  }

  /// Samples that have really passed the converter, between periods too.
  func position(at time: Double) -> Double {
    let part = (time - lastPeriod) / (nextPeriod - lastPeriod)
    return (Double(periods) + part) * Double(period)
  }

  func watch() {}
  func reading() -> ClockReading? { latest }
  /// A captured period is read at once; what was played is told by the reading.
  var samplesExchanged: Int64 { isCapture ? Int64(periods * period) : 0 }
}
