// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

@Suite struct ArrivalsTests {
  private func time(_ milliseconds: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func take(_ count: Int, of arrivals: Arrivals) -> [Int] {
    let piece = arrivals.take(atMost: count)
    return [piece.count, piece.time.nanoseconds / 1_000_000]
  }

  /// Samples that come within 0.1 s came together, with the last of them.
  @Test func whatComesTogetherIsOnePiece() {
    let arrivals = Arrivals()
    for turn in 0..<25 { arrivals.add(480, at: time(1_000 + 10 * turn)) }
    #expect(take(100_000, of: arrivals) == [4_800, 1_090])
    #expect(take(100_000, of: arrivals) == [4_800, 1_190])
    #expect(take(100_000, of: arrivals) == [2_400, 1_240])
  }

  /// A ring may hold fewer samples than came, and more may come to the taken ones.
  @Test func inSmallerSteps() {
    let arrivals = Arrivals()
    arrivals.add(100, at: time(0))
    #expect(take(30, of: arrivals) == [30, 0])
    arrivals.add(0, at: time(10))
    arrivals.add(50, at: time(20))
    #expect(take(30, of: arrivals) == [30, 20])
    #expect(take(1_000, of: arrivals) == [90, 20])
    arrivals.add(7, at: time(30))
    arrivals.add(8, at: time(5_000))
    #expect(take(1_000, of: arrivals) == [7, 30])
    #expect(take(1_000, of: arrivals) == [8, 5_000])
  }
}
