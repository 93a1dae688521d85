// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams
@testable import AudioCore

/// The place of a reference between two clocks, reading by reading.
@Suite struct ReferenceFollowerTests {
  /// Two devices read a hundred times a second, up to 0.1 ms late.
  private struct Pair {
    var follower = ReferenceFollower()
    /// The difference of the clocks, and the part of it that is left.
    let drift: Double
    var left: Double { drift + follower.correction }
    /// The true lateness of the reference, in seconds.
    var lateness: Double
    var time = 0.0
    var interruptions = 0
    var isRunning = true
    private var random = SplitMix64(seed: 3)

    init(drift: Double, lateness: Double) {
      self.drift = drift
      self.lateness = lateness
    }

    /// - Returns: the jumps.
    mutating func run(seconds: Double) -> [Double] {
      (0..<Int(seconds * 100)).compactMap { _ in
        time += 0.01
        lateness += left * 0.01
        let jitter = Double(random.next() >> 11) * 0x1p-53 * 1e-4
        let moved = follower.follow(
          lateness: lateness + jitter,
          at: FollowedInstant(
            sink: ClockReading(
              time: MonotonicTime(nanoseconds: Int(time * 1e9)), position: Int64(time * 48_000),
              interruptions: interruptions, isRunning: isRunning),
            captured: time, played: time))
        lateness -= moved
        return moved == 0 ? nil : moved
      }
    }
  }

  /// One jump to the place, and from 15 s on no more than 2 ppm.
  @Test(arguments: [100e-6, -100e-6, 0]) func theRatioIsLearntWithoutAStep(_ drift: Double) {
    var pair = Pair(drift: drift, lateness: 0.137)
    #expect(pair.run(seconds: 15).count == 1)
    var largest = 0.0
    for _ in 0..<285 {
      #expect(pair.run(seconds: 1) == [])
      largest = max(largest, abs(pair.left))
    }
    #expect(largest < 2e-6)
    // The place that was found, up to the drift of the first three seconds.
    #expect(abs(pair.lateness) < 0.5e-3)
  }

  /// A gap moves the reference by its length, and within 0.2 s back to its place.
  @Test func anInterruptionKeepsThePlace() {
    var pair = Pair(drift: 100e-6, lateness: 0)
    _ = pair.run(seconds: 60)
    let before = pair.lateness
    pair.interruptions = 1
    pair.isRunning = false
    #expect(pair.run(seconds: 0.04) == [])
    #expect(!pair.follower.isPlaced)
    pair.lateness -= 0.04
    pair.isRunning = true
    let jumps = pair.run(seconds: 0.2)
    #expect(jumps.count == 2)
    #expect(abs((jumps.first ?? 0) + 0.04) < 2e-4)
    #expect(abs(pair.lateness - before) < 3e-5)
    _ = pair.run(seconds: 10)
    #expect(abs(pair.left) < 2e-6)
    #expect(pair.run(seconds: 60) == [])
  }

  /// A wrong reading moves nothing; half a second of them does.
  @Test func aPlaceThatIsFarOffIsSetRight() {
    var pair = Pair(drift: 0, lateness: 0)
    _ = pair.run(seconds: 10)
    pair.lateness += 0.01
    #expect(pair.run(seconds: 0.4) == [])
    #expect(pair.run(seconds: 1).count == 2)
    #expect(abs(pair.lateness) < 2e-4)
  }
}
