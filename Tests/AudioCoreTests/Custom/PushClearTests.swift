// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioCore

/// A program that sends ahead, and takes back the rest: an answer that is interrupted.
@Suite struct PushClearTests {
  private static let rate = 48_000

  /// Sends at given times into an open session of two seconds.
  private func heard(
    _ plan: [(milliseconds: Int, action: (PushSender, LiveSession) throws -> Void)]
  ) throws -> [Double] {
    let session = Session(), time = VirtualTime(), sink = CollectingSink()
    let source = PushSource(
      format: try StreamFormat(sampleRate: Self.rate, channelCount: 1),
      options: .init(capacity: 2 * Self.rate))
    session.time = time
    session.end = .onRequest
    session.duration = .time(.seconds(2))
    session.mixSampleRate = Self.rate
    session.mixChannelCount = 1
    try session.setSink(sink, at: .playback)
    try session.addRemote(source, id: "bot")
    var plan = plan
    var begin: MonotonicTime?
    time.onWait = { [unowned session] in
      begin = begin ?? time.now
      let passed = time.now.elapsed(since: begin ?? time.now)
      while let next = plan.first, passed >= .milliseconds(next.milliseconds) {
        plan.removeFirst()
        do { try next.action(source.sender, session.live) } catch { Issue.record(error) }
      }
    }
    _ = try session.run()
    time.onWait = {}
    return sink.samples
  }

  private func send(
    _ sender: PushSender, _ value: Float, milliseconds: Int, rate: Int = Self.rate,
    at time: Int64? = nil
  ) throws {
    let samples = [Float](repeating: value, count: rate * milliseconds / 1_000)
    #expect(try sender.send(samples, rate: rate, at: time) == samples.count)
  }

  private func places(of value: Double, in samples: [Double]) -> Range<Int>? {
    guard let first = samples.firstIndex(where: { abs($0 - value) < 0.001 }),
      let last = samples.lastIndex(where: { abs($0 - value) < 0.001 })
    else { return nil }
    return first * 1_000 / Self.rate..<last * 1_000 / Self.rate
  }

  /// At any rate of the pieces. A sum is heard 100 ms behind its source, the tolerated lateness.
  @Test(arguments: [48_000, 16_000]) func whatWasSentAheadIsNotHeard(rate: Int) throws {
    let samples = try heard([
      (100, { sender, _ in try send(sender, 0.5, milliseconds: 1_500, rate: rate) }),
      (500, { sender, _ in sender.clear() }),
      (700, { sender, _ in try send(sender, 0.75, milliseconds: 300, rate: rate) }),
    ])
    let first = try #require(places(of: 0.5, in: samples))
    #expect(
      (0...20).contains(first.lowerBound) && (395...460).contains(first.upperBound), "\(first)")
    let second = try #require(places(of: 0.75, in: samples))
    #expect((600...720).contains(second.lowerBound))
    #expect((280...301).contains(second.count), "\(first) \(second)")
  }

  @Test func anAnswerBehindItFollowsAtOnce() throws {
    let samples = try heard([
      (100, { sender, _ in try send(sender, 0.5, milliseconds: 1_500) }),
      (
        500,
        { sender, _ in
          sender.clear()
          try send(sender, 0.75, milliseconds: 300)
        }
      ),
    ])
    let second = try #require(places(of: 0.75, in: samples))
    #expect(
      (400...560).contains(second.lowerBound) && (299...301).contains(second.count), "\(second)")
    #expect(
      samples[(second.lowerBound + 1) * 48..<second.upperBound * 48].allSatisfy { $0 == 0.75 })
  }

  /// A piece with a time keeps its place behind the first sample.
  @Test func aTimeStaysATime() throws {
    let samples = try heard([
      (0, { sender, _ in try send(sender, 0.5, milliseconds: 1_500, at: 0) }),
      (500, { sender, _ in sender.clear() }),
      (600, { sender, _ in try send(sender, 0.75, milliseconds: 300, at: 48_000) }),
      (700, { sender, _ in try send(sender, 0.875, milliseconds: 100, at: 67_200) }),
    ])
    let first = try #require(samples.firstIndex { $0 != 0 })
    #expect(samples.firstIndex(of: 0.75) == first + 48_000)
    #expect(samples.firstIndex(of: 0.875) == first + 67_200)
    #expect(samples.count { $0 == 0.75 } == 14_400)
  }

  /// Times of later pieces are right, too, if the first one after it had none.
  @Test func aTimeIsRightBehindAPieceWithout() throws {
    let samples = try heard([
      (0, { sender, _ in try send(sender, 0.5, milliseconds: 1_500, at: 0) }),
      (500, { sender, _ in sender.clear() }),
      (600, { sender, _ in try send(sender, 0.75, milliseconds: 100) }),
      (900, { sender, _ in try send(sender, 0.875, milliseconds: 100, at: 67_200) }),
    ])
    let first = try #require(samples.firstIndex { $0 != 0 })
    #expect(samples.firstIndex(of: 0.875) == first + 67_200)
  }

  /// A mute and a gain act soon on a source that sends ahead.
  @Test func aMuteIsHeardSoon() throws {
    let samples = try heard([
      (100, { sender, _ in try send(sender, 0.5, milliseconds: 1_500) }),
      (500, { _, live in try live.setMuted(true, of: "bot") }),
    ])
    let first = try #require(places(of: 0.5, in: samples))
    #expect((400...560).contains(first.upperBound))
  }

  /// Silence that stands in before waiting samples are read is no rest behind them.
  @Test func piecesOfAnAnswerStayTogether() throws {
    let bench = try PushBench()
    try send(bench.sender, 0.5, milliseconds: 10)
    #expect(try bench.read().samples.count == 480)
    bench.microphone.silenceStoodIn(samplesPerChannel: 960)
    try send(bench.sender, 0.5, milliseconds: 10)
    bench.microphone.silenceStoodIn(samplesPerChannel: 480)
    try send(bench.sender, 0.75, milliseconds: 10)
    let heard = try bench.read().samples
    #expect(
      heard == Array(repeating: 0, count: 4_800) + Array(repeating: 0.5, count: 480)
        + Array(repeating: 0.75, count: 480))
  }
}
