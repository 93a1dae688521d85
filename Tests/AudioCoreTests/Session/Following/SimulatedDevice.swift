// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import AudioStreams

/// A device in virtual time. Its crystal is off and wanders with the temperature; like a real one, its thread sees a
/// full period only after some time.
final class SimulatedDevice: PacingClock, @unchecked Sendable {
  let name: String
  let agreed: ClockTiming
  private let rate: Double
  private let deviation: Double
  private let wander: Double
  /// The largest delay of the thread in seconds, usual and rare.
  private let jitter: (usual: Double, rare: Double)
  private var random: SplitMix64
  private var latest: ClockReading?
  private let isCapture: Bool
  /// The ends of the current and the last period, in seconds.
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

  /// Returns the speed above nominal; the temperature goes up and down once an hour.
  func trueDeviation(at time: Double) -> Double {
    deviation + wander * sin(2 * Double.pi * time / 3_600)
  }

  /// Ends a period: the thread reads the clock and takes or gives the period.
  ///
  /// - Returns: the time, in seconds.
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

  /// Returns the samples that passed the converter by `time`, between periods too.
  func position(at time: Double) -> Double {
    let part = (time - lastPeriod) / (nextPeriod - lastPeriod)
    return (Double(periods) + part) * Double(period)
  }

  func watch() {}
  func reading() -> ClockReading? { latest }
  /// A captured period is read at once; the reading tells the played samples.
  var exchangedSamplesPerChannel: Int64 { isCapture ? Int64(periods * period) : 0 }
}
