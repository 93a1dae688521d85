// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

@Suite struct WakeUpDelaysTests {
  /// Every delay lies in its own class, which ends within an eighth above it; classes are contiguous.
  @Test func classesAreAnEighthWide() {
    for delay in Array(0..<5_000) + [65_535, 65_536, 1_000_000, 60_000_000] {
      let index = WakeUpDelays.index(of: delay)
      let last = WakeUpDelays.upperBound(ofClass: index)
      #expect(delay <= last)
      #expect(last - delay <= delay / 8)
      #expect(WakeUpDelays.index(of: last) == index)
      #expect(WakeUpDelays.index(of: last + 1) == index + 1)
    }
    #expect(WakeUpDelays.index(of: .max) == WakeUpDelays.classCount - 1)
  }

  @Test func quantilesAreThoseOfTheSortedDelays() {
    let delays = WakeUpDelays()
    #expect(delays.summary() == WakeUpStatistics())
    var state: UInt64 = 7
    var noted: [Int] = []
    for _ in 0..<10_007 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      noted.append(Int(state >> 44) >> Int(state >> 20 & 15))
    }
    for delay in noted { delays.note(microseconds: delay) }
    noted.sort()
    let summary = delays.summary()
    #expect(summary.count == noted.count)
    #expect(summary.longest == .microseconds(noted.last ?? 0))
    for (quantile, index) in [(summary.median, 5_003), (summary.percentile99, 9_906)] {
      let exact = Duration.microseconds(noted[index])
      #expect(quantile >= exact)
      #expect(quantile <= exact + exact / 8)
    }
  }

  @Test func theHistogramHoldsEveryDelayOnce() {
    let delays = WakeUpDelays()
    for delay in [3, 70, 70, 71, 72, 1_000] { delays.note(microseconds: delay) }
    #expect(
      delays.summary().histogram == [
        .init(longest: .microseconds(3), count: 1), .init(longest: .microseconds(71), count: 3),
        .init(longest: .microseconds(79), count: 1), .init(longest: .microseconds(1_000), count: 1),
      ])
  }

  @Test func aThreadThatComesEarlyIsNotLate() {
    let delays = WakeUpDelays()
    delays.note(microseconds: -5)
    #expect(delays.summary().count == 1)
    #expect(delays.summary().longest == .zero)
  }
}
