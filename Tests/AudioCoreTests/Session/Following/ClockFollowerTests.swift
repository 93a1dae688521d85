// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams
@testable import AudioCore

/// The follower's answer to a delay, reading by reading.
@Suite struct ClockFollowerTests {
  /// Two devices with a chosen delay, read a hundred times per second.
  private struct Pair {
    var follower = ClockFollower(target: 0.2, tolerance: 0.02)
    var time = 0.0
    var interruptions = 0
    var isRunning = true
    /// The apparent speed of both devices.
    var pace = 1.0
    private var position = 0.0

    /// - Returns: the samples to insert or drop.
    mutating func read(_ delay: Double) -> Double {
      time += 0.01
      position += 0.01 * pace
      return follower.follow(
        delay: delay,
        at: FollowedInstant(
          sink: ClockReading(
            time: MonotonicTime(nanoseconds: Int(time * 1e9)), position: Int64(position * 48_000),
            interruptions: interruptions, isRunning: isRunning),
          captured: position, played: position))
    }

    mutating func read(_ delay: Double, seconds: Double) -> [Double] {
      (0..<Int(seconds * 100)).map { _ in read(delay) }.filter { $0 != 0 }
    }
  }

  @Test func aRightDelayIsLeftAlone() {
    var pair = Pair()
    #expect(pair.read(0.2, seconds: 100) == [])
    #expect(abs(pair.follower.correction) < 1e-12)
  }

  @Test func nothingIsDoneBeforeTheDeviceRuns() {
    var pair = Pair()
    pair.isRunning = false
    #expect(pair.read(0.9, seconds: 10) == [])
    #expect(pair.follower.delay == nil)
  }

  /// The reference moves to the target; a delay that moves with it needs almost no correction.
  @Test func aDelayThatBeganOffGlidesToItsTarget() throws {
    var pair = Pair()
    #expect(pair.read(0.212, seconds: 0.6) == [])
    let found = try #require(pair.follower.delay)
    #expect(abs(found - 0.212) < 1e-4)
    var delay = 0.212
    for _ in 0..<60_000 {
      #expect(pair.read(delay) == 0)
      // The effect of the ratio.
      delay += pair.follower.correction * 0.01
      // 100 µs per second, and the overshoot of the loop.
      #expect(abs(pair.follower.correction) < 200e-6)
    }
    #expect(abs(delay - 0.2) < 0.001)
  }

  @Test(arguments: [0.3, 0.1]) func aDelayThatBeganFarOffIsSetRight(_ delay: Double) {
    var pair = Pair()
    let actions = pair.read(delay, seconds: 0.6)
    #expect(actions.count == 1)
    #expect(abs((actions.first ?? 0) - (0.2 - delay)) < 1e-9)
    #expect(pair.read(0.2, seconds: 5) == [])
  }

  /// One reading far off is a wrong reading; half a second of them is not.
  @Test func aDelayThatStaysFarOffIsSetRight() {
    var pair = Pair()
    _ = pair.read(0.2, seconds: 1)
    #expect(pair.read(0.23, seconds: 0.4) == [])
    #expect(pair.read(0.2, seconds: 1) == [])
    let actions = pair.read(0.23, seconds: 0.6)
    #expect(actions.count == 1)
    #expect(abs((actions.first ?? 0) + 0.03) < 1e-9)
  }

  @Test func anUnderrunIsSetRightAtOnceAndOnce() {
    var pair = Pair()
    _ = pair.read(0.2, seconds: 1)
    pair.interruptions = 1
    pair.isRunning = false
    #expect(abs(pair.read(0.013) - 0.187) < 1e-9)
    #expect(pair.read(0.013, seconds: 1) == [])
    pair.isRunning = true
    #expect(pair.read(0.2, seconds: 10) == [])
  }

  /// The learnt drift outlives an underrun.
  @Test func whatWasLearntStays() {
    var pair = Pair()
    var delay = 0.2
    for _ in 0..<6_000 {
      _ = pair.read(delay)
      delay += (100e-6 + pair.follower.correction) * 0.01
    }
    #expect(abs(pair.follower.correction + 100e-6) < 2e-6)
    pair.interruptions = 1
    _ = pair.read(0.01)
    #expect(abs(pair.follower.correction + 100e-6) < 2e-6)
  }

  /// Devices without a clock leave nothing to follow.
  @Test(arguments: [0, 0.5, 20]) func devicesThatKeepNoTimeAreLeftAlone(_ pace: Double) {
    var pair = Pair()
    pair.pace = pace
    #expect(pair.read(3, seconds: 10) == [])
    pair.interruptions = 1
    #expect(pair.read(3, seconds: 10) == [])
    #expect(pair.follower.correction == 0)
  }

  /// A device that takes everything at once keeps its delay after any insertion.
  @Test func whatDoesNotHelpIsGivenUp() {
    var pair = Pair()
    #expect(pair.read(0.01, seconds: 20).count == 2)
  }

  /// A quarter of the buffer, at least two periods, beyond the samples played so far.
  @Test func aDeviceNeedsAPartOfItsBuffer() throws {
    let device = try SimulatedDevice(
      "a", rate: 48_000, period: 480, buffer: 9_600, deviation: 0, seed: 1, isCapture: false)
    #expect(try #require(device.demand(at: MonotonicTime(nanoseconds: 0))) == 9_600)
    for _ in 0..<100 { device.finishPeriod() }
    #expect(
      try #require(device.demand(at: MonotonicTime(nanoseconds: 1_000_000_000))) == 48_000 + 2_400)
    let demand = try #require(device.demand(at: MonotonicTime(nanoseconds: 1_500_000_000)))
    #expect(abs(demand - 72_000 - 2_400) <= 1)
  }

  /// Beyond the limit of the ratio the correction stays at its limit, and returns as soon as it can.
  @Test func theRatioHasALimit() {
    var controller = DriftController()
    for _ in 0..<1_000 { controller.update(error: 0.5, interval: 0.01) }
    #expect(controller.correction == -1e-3)
    for _ in 0..<3_000 { controller.update(error: 0, interval: 0.01) }
    #expect(abs(controller.correction) < 1e-3)
  }

  @Test func theTapsOfTheStatedLatencyAreThoseOfTheFilter() {
    for quality in ResamplerQuality.allCases {
      for (inputRate, outputRate) in [(48_000, 48_000), (44_100, 48_000), (48_000, 8_000)] {
        let ratio = ResamplingRatio(from: inputRate, to: outputRate)
        let filter = PolyphaseFilter<Float>(ratio: ratio, quality: quality)
        #expect(quality.tapCount(for: ratio) == filter.taps)
      }
    }
  }
}
