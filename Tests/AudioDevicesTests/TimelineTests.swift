// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioDevices

/// A capture keeps to its device's clock through any number of breaks.
@Suite(.needsVirtualCard, .serialized) struct TimelineTests {
  private static let period = 1_536

  init() { _ = AlsaConfiguration.directory }

  /// The client is late a thousand times; the card runs on and tells the length.
  @Test func aThousandOverrunsThatTheDeviceCounts() throws {
    let take = try TimelineTake(a(thousand: "+2304:late:1.5"), buffer: 768, period: 192)
    // On a busy machine several may come before a sample.
    #expect(take.gaps.count >= 100)
    #expect(take.gaps.list.allSatisfy { $0.cause == .xrun && !$0.isEstimated })
    #expect(take.gaps.list.allSatisfy { ($0.lostSamplesPerChannel ?? 0) > 0 })
    #expect(take.largestError == 0)
    #expect(take.silence == take.gaps.lostSamplesPerChannel)
    #expect(take.gaps.lostSamplesPerChannel == take.gaps.countedSamplesPerChannel)
    #expect(take.overruns == 0)
    #expect(take.cardPosition >= take.length)
  }

  /// The card stops at each overrun, and only the clock tells the length.
  @Test func aThousandOverrunsThatAreEstimated() throws {
    let take = try TimelineTake(
      a(thousand: "+4608:xrun"), "STOP_AT_OVERRUN=1", period: Self.period)
    #expect(take.statistics.xruns >= 1_000)
    #expect(take.overruns == take.statistics.xruns)
    #expect(take.gaps.list.reduce(0) { $0 + $1.occurrences } == take.statistics.xruns)
    #expect(take.gaps.list.allSatisfy { $0.cause == .xrun && $0.isEstimated })
    #expect(take.largestError <= allowance(of: take))
    #expect(take.silence == take.gaps.lostSamplesPerChannel)
    expectPositions(of: take)
  }

  /// The card resumes with the samples that it held; the gap follows them.
  @Test func suspends() throws {
    let events = Array(repeating: "+20000:suspend", count: 20)
    let take = try TimelineTake(events, period: Self.period)
    #expect(take.statistics.suspends == 20)
    #expect(take.gaps.list.prefix(20).allSatisfy { $0.cause == .suspend && $0.isEstimated })
    #expect(take.largestError <= allowance(of: take))
    #expect(take.silence == take.gaps.lostSamplesPerChannel)
    expectPositions(of: take)
  }

  /// The writer stalls and the ring overflows: this program's own count is exact.
  @Test func aWriterThatStalls() throws {
    var stalls = 0
    let take = try TimelineTake(["2000000:late:0"], period: Self.period, ring: 76_800) {
      length, statistics in
      guard length / 50_000 > stalls, stalls < 3 else { return }
      // The ring holds 100 ms. Another overflow is counted only after the ring had room. On a busy machine it may still
      // be full while silence for a gap is read; then the next reading stalls.
      let before = statistics().overflows
      for _ in 0..<150 where statistics().overflows == before { usleep(1_000) }
      if statistics().overflows > before { stalls += 1 }
    }
    #expect(take.gaps.list.reduce(0) { $0 + $1.occurrences } >= 3)
    #expect(take.gaps.list.allSatisfy { $0.cause == .ringOverflow || $0.cause == .xrun })
    #expect(take.gaps.list.contains { $0.cause == .ringOverflow })
    #expect(take.gaps.list.allSatisfy { !$0.isEstimated })
    #expect(take.statistics.overflowedSamplesPerChannel > 0)
    #expect(take.largestError == 0)
    #expect(take.silence == take.gaps.lostSamplesPerChannel)
    expectPositions(of: take)
  }

  /// All faults at random places, on both kinds of card.
  @Test(arguments: [UInt64(1), 2, 3], ["0", "1"])
  func aMixture(seed: UInt64, stops: String) throws {
    var numbers = SplitMix64(seed: seed)
    let faults = ["xrun", "suspend", "eio:once", "late:2", "late:20"]
    let events = (0..<60).map { _ in
      "+\(2_000 + numbers.next() % 10_000):\(faults[Int(numbers.next() % 5)])"
    }
    var stalls = 0
    let take = try TimelineTake(
      events, "STOP_AT_OVERRUN=\(stops)", buffer: 7_680,
      period: Self.period, ring: 38_400
    ) { length, statistics in
      guard length / 300_000 > stalls else { return }
      stalls += 1
      // The ring holds 50 ms.
      let before = statistics().overflows
      for _ in 0..<150 where statistics().overflows == before { usleep(1_000) }
    }
    #expect(take.gaps.count >= 20)
    #expect(take.largestError <= allowance(of: take))
    #expect(take.silence == take.gaps.lostSamplesPerChannel)
    expectPositions(of: take)
  }

  @Test(arguments: [-300.0, 300])
  func theDriftIsMeasured(partsPerMillion: Double) throws {
    let take = try TimelineTake(
      ["1200000:late:0"], speed: 1 + partsPerMillion * 1e-6, period: Self.period)
    let drift = try #require(take.drift)
    #expect(drift.uncertainty < 100)
    #expect(drift.span > .seconds(1))
    #expect(abs(drift.partsPerMillion - partsPerMillion) < 2 * drift.uncertainty + 20)
    #expect(take.gaps.count == 0 || take.largestError <= allowance(of: take))
  }

  /// The distance that a sample may have: a period, or the stated uncertainty, which grows on a busy machine.
  private func allowance(of take: TimelineTake) -> Int {
    max(Self.period, Int(take.gaps.uncertainty))
  }

  private func a(thousand event: String) -> [String] { Array(repeating: event, count: 1_000) }

  /// Each gap begins after the end of the one before.
  private func expectPositions(
    of take: TimelineTake, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var end: Int64 = 0
    var disorder = 0
    for gap in take.gaps.list {
      if gap.position < end { disorder += 1 }
      end = gap.position + (gap.lostSamplesPerChannel ?? 0)
    }
    #expect(disorder == 0, sourceLocation: sourceLocation)
    #expect(end <= take.length, sourceLocation: sourceLocation)
  }
}
