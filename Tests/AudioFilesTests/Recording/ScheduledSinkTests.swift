// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// The windows of a schedule in a stream of 1,000 samples a second, each of which is its own position.
@Suite struct ScheduledSinkTests {
  /// Collects its samples, and the events between them.
  private final class Collector: PlainSink {
    var samples: [Float] = []
    var events: [String] = []

    var precision: SamplePrecision { .single }
    var room: Int { .max }

    func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
      for index in samples.indices { self.samples.append(Float(Double(samples[index]))) }
      return .accepted
    }

    func receive(_ notice: SinkNotice) throws(AudioError) {
      if case .leftOut(let position) = notice { events.append("on from \(position)") }
    }
  }

  private static let midnight = CivilTime.utc2026(2, 10, 0)

  private let clock: FakeWallClock
  private let collector = Collector()
  private let sink: ScheduledSink
  private var position = 0

  /// - Parameters:
  ///   - second: of the first sample, since midnight.
  ///   - windows: in seconds since midnight.
  private init(at second: Int, _ windows: (Int, Int)...) throws {
    let clock = FakeWallClock(at: Self.midnight + second)
    self.clock = clock
    let collector = collector
    let schedule = RecordingSchedule(
      windows.map { RecordingSchedule.Window(.clock($0), .clock($1)) }, sun: nil, in: .utc)
    sink = ScheduledSink(collector, schedule, by: clock.clock) { () throws(AudioError) in
      collector.events.append("break")
    } onChange: { change in
      let time = Double(change.time - Int64(Self.midnight) * 1_000_000_000) / 1e9
      switch change.kind {
      case .paused(let end):
        let end = end.map { "\($0 - Self.midnight)" } ?? "never"
        collector.events.append("pause at \(change.position), \(time) s, until \(end)")
      case .resumed(let length):
        collector.events.append("go on at \(change.position), \(time) s, after \(length)")
      }
    }
    try sink.begin(StreamFormat(sampleRate: 1_000, channelCount: 1))
  }

  init() throws { try self.init(at: 0, (0, 1)) }

  /// Writes `count` samples, which come in blocks at the time of their last one, and `late` nanoseconds after it.
  private mutating func take(_ count: Int, blocks: Int, late: (Int) -> Int64 = { _ in 0 }) throws {
    let end = position + count
    while position < end {
      let next = min(position + blocks, end)
      clock.pass(nanoseconds: Int64(next - position) * 1_000_000)
      let lateness = late(next)
      clock.pass(nanoseconds: lateness)
      try sink.receive(.waited(.nanoseconds(lateness)))
      let samples = (position..<next).map { Float($0) }
      #expect(try sink.write(samples.span) == .accepted)
      clock.pass(nanoseconds: -lateness)
      position = next
    }
  }

  @Test(arguments: [1, 7, 100, 4_096])
  func windowsAreExact(_ blocks: Int) throws {
    var test = try ScheduledSinkTests(at: 5, (10, 20), (25, 30))
    try test.take(40_000, blocks: blocks)
    let kept = Array(5_000..<15_000) + Array(20_000..<25_000)
    #expect(test.collector.samples == kept.map { Float($0) })
    #expect(
      test.collector.events == [
        "on from 0", "pause at 0, 5.0 s, until 10",
        "on from 5000", "go on at 5000, 10.0 s, after 5000",
        "on from 15000", "break", "pause at 15000, 20.0 s, until 25",
        "on from 20000", "go on at 20000, 25.0 s, after 5000",
        "on from 25000", "break", "pause at 25000, 30.0 s, until 86410",
      ])
  }

  /// A slow disk changes nothing.
  @Test func theTimeOfCaptureCounts() throws {
    var test = try ScheduledSinkTests(at: 5, (10, 20))
    try test.take(20_000, blocks: 50) { $0 % 1_000 == 0 ? 3_000_000_000 : 0 }
    #expect(test.collector.samples == (5_000..<15_000).map { Float($0) })
  }

  /// An estimate of the time that becomes earlier by milliseconds does not begin a window again.
  @Test func aBoundIsReachedOnce() throws {
    var test = try ScheduledSinkTests(at: 18, (10, 20))
    // The first blocks come 300 ms late, and nothing tells it.
    for index in 0..<40 {
      let lateness: Int64 = index < 18 ? 300_000_000 : 0
      test.clock.pass(nanoseconds: 100_000_000 + lateness)
      let samples = (test.position..<test.position + 100).map { Float($0) }
      _ = try test.sink.write(samples.span)
      test.clock.pass(nanoseconds: -lateness)
      test.position += 100
    }
    #expect(test.collector.events.filter { $0.hasPrefix("pause") }.count == 1)
    #expect(test.collector.events.filter { $0.hasPrefix("go on") } == [])
    #expect(test.collector.samples == (0..<1_700).map { Float($0) })
  }

  @Test func theClockIsSet() throws {
    var test = try ScheduledSinkTests(at: 5, (3_600, 3_610))
    try test.take(2_000, blocks: 100)
    // A clock without a battery learns the time: it is five seconds behind the begin.
    test.clock.set(by: Int64(3_605 - 7) * 1_000_000_000)
    try test.take(10_000, blocks: 100)
    #expect(test.collector.samples == (2_000..<7_000).map { Float($0) })
    // Back into the window, and out of it.
    test.clock.set(by: -9_000_000_000)
    try test.take(2_000, blocks: 100)
    test.clock.set(by: -1_800_000_000_000)
    try test.take(2_000, blocks: 100)
    #expect(test.collector.samples.suffix(2_000) == (12_000..<14_000).map { Float($0) })
    #expect(test.collector.events.suffix(2).first == "break")
    #expect(test.collector.events.last == "pause at 14000, 1808.0 s, until 3600")
  }

  /// Sinks behind it learn where the stream goes on.
  @Test func soundsEndWithTheWindow() throws {
    let (collector, clock) = (Collector(), FakeWallClock(at: Self.midnight))
    var events: [Range<Int64>] = []
    let trigger = TriggeredSink(
      collector, .init(.level(-6), preRoll: .samples(100), hold: .samples(1_000))
    ) { events.append($0.samples) }
    let sink = ScheduledSink(
      trigger,
      RecordingSchedule(
        [.init(.clock(2), .clock(4)), .init(.clock(6), .clock(8))], sun: nil, in: .utc),
      by: clock.clock, onBreak: { () throws(AudioError) in }, onChange: { _ in })
    try sink.begin(StreamFormat(sampleRate: 1_000, channelCount: 1))
    let loud = [1_950, 2_020, 3_900, 5_990, 6_010]
    for begin in stride(from: 0, to: 9_000, by: 30) {
      clock.pass(nanoseconds: 30_000_000)
      let samples = (begin..<begin + 30).map { loud.contains($0) ? Float(1) : 0 }
      _ = try sink.write(samples.span)
    }
    try sink.stop(.finished)
    // No pre-roll from before a window, and no hold behind it.
    #expect(events == [2_000..<3_021, 3_800..<4_000, 6_000..<7_011])
    #expect(collector.samples.count == events.reduce(0) { $0 + $1.count })
  }
}
