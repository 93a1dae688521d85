// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

/// A ducked source is multiplied by the documented curve, aligned to the sample with its key.
@Suite struct DuckObserverTests {
  private static let times = DuckingTimes(
    attack: .milliseconds(50), hold: .milliseconds(120), release: .milliseconds(300))

  /// Computes the level over time from the documentation: one step per frame of the key, in steps of 0.1 ms.
  private static func levels(
    _ active: [Bool], frame: Double, depth: Double, _ times: DuckingTimes, until end: Double
  ) -> [Double] {
    let step = 0.000_1
    let (attack, hold, release) = (
      times.attack / .seconds(1), times.hold / .seconds(1), times.release / .seconds(1)
    )
    var level = 0.0
    var lastActive = -1.0
    return (0..<Int((end / step).rounded())).map { index in
      defer {
        let time = (Double(index) + 0.5) * step
        let number = Int(time / frame)
        let isActive = number < active.count && active[number]
        if isActive { lastActive = Double(number + 1) * frame }
        if isActive || time < lastActive + hold {
          level = max(depth, level + depth / attack * step)
        } else {
          level = min(0, level - depth / release * step)
        }
      }
      return level
    }
  }

  /// Returns a steady source ducked under a key.
  private func ducked(
    under key: [Double], keyRate: Int = 48_000, rate: Int = 48_000, length: Int, offset: Int64 = 0,
    pieces: ([Int], [Int]) = ([1_000], [1_000]), channels: Int = 1
  ) throws -> [Double] {
    let session = Session()
    try session.addRemote(
      GivenSource(key, rate: keyRate, channels: channels, encoding: .s16, pieces: pieces.0),
      entry: MixEntry(offset: .samples(offset)))
    try session.addRemote(
      GivenSource(
        Array(repeating: 0.5, count: length), rate: rate, encoding: .s16, pieces: pieces.1))
    let (first, second) = (SourceKey(ordinal: 1), SourceKey(ordinal: 2))
    let duck = DuckObserver(second, under: first, by: -12, times: Self.times, threshold: -40)
    try session.register(duck, from: first)
    try session.register(duck, from: second)
    let observer = RecordingObserver<Double>(.beforeMixing)
    try session.register(observer, from: second)
    try session.setSink(NullSink(), at: .playback)
    _ = try session.run()
    return observer.samples(from: second.id)
  }

  /// Half a second of silence, a word, a short pause, another word, and silence.
  private static func voice(_ rate: Int) -> [Double] {
    (0..<2 * rate).map { index in
      let time = Double(index) / Double(rate)
      let sounds = (0.5..<0.8).contains(time) || (0.87..<1.03).contains(time)
      return sounds ? 0.25 * sin(2 * .pi * 200 * time + 1) : 0.001
    }
  }

  private static let active = (0..<200).map { (50..<80).contains($0) || (87..<103).contains($0) }

  @Test func followsTheCurve() throws {
    let outputs = try ducked(under: Self.voice(48_000), length: 2 * 48_000)
    #expect(outputs.count == 2 * 48_000)
    let levels = Self.levels(Self.active, frame: 0.01, depth: -12, Self.times, until: 2)
    for (index, level) in levels.enumerated() where index % 7 == 0 {
      let sample = Int((Double(index) * 4.8).rounded())
      let found = Decibels.level(outputs[sample] / 0.5)
      // A sample is up to 0.1 ms beside a step.
      #expect(abs(found - level) < 0.05, "at \(Double(index) / 10) ms")
    }
    // Before the word, between the words, and long after them.
    #expect(outputs[23_999] == 0.5)
    #expect(abs(outputs[40_800] - 0.5 * pow(10, -12.0 / 20)) < 1e-12)
    #expect(outputs[Int(1.6 * 48_000)] == 0.5)
  }

  /// The output is independent of block sizes and of the source that is ahead.
  @Test func doesNotDependOnBlocks() throws {
    let voice = Self.voice(48_000)
    let expected = try ducked(under: voice, length: 2 * 48_000)
    for pieces in [([1], [100_000]), ([100_000], [7]), ([13, 4_096], [1_000_000]), ([5_000], [3])] {
      let outputs = try ducked(under: voice, length: 2 * 48_000, pieces: pieces)
      #expect(firstDifference(outputs, expected) == nil, "\(pieces)")
    }
  }

  /// Sources of other rates and widths meet at the same time.
  @Test(arguments: [(44_100, 48_000), (48_000, 8_000), (16_000, 44_100), (22_050, 48_000)])
  func ratesMeetInTime(_ keyRate: Int, _ rate: Int) throws {
    let outputs = try ducked(
      under: Self.voice(keyRate).flatMap { [$0, $0] }, keyRate: keyRate, rate: rate,
      length: 2 * rate, channels: 2)
    #expect(outputs.count == 2 * rate)
    // The first word lowers the level within the 10 ms frame in which the word begins.
    let first = try #require(outputs.firstIndex { $0 < 0.5 })
    #expect(abs(Double(first) / Double(rate) - 0.5) <= 0.011)
    let low = Int(0.75 * Double(rate))
    #expect(abs(outputs[low] - 0.5 * pow(10, -12.0 / 20)) < 1e-9)
  }

  /// The key begins later and ends earlier than the ducked source.
  @Test func theKeyMayBeShorter() throws {
    let key = Array(repeating: 0.5, count: 4_800)
    let outputs = try ducked(
      under: key, length: 2 * 48_000, offset: 48_000, pieces: ([10], [100_000]))
    #expect(outputs.count == 2 * 48_000)
    #expect(outputs[..<48_000].allSatisfy { $0 == 0.5 })
    #expect(outputs[48_001] < 0.5)
    // 100 ms of sound, 120 of hold, 300 of release.
    #expect(outputs[48_000 + 10_559] < 0.126)
    #expect(outputs[48_000 + 10_570] > 0.1255)
    #expect(outputs[(48_000 + 24_970)...].allSatisfy { $0 == 0.5 })
  }

  @Test func theVoiceStaysAsItIs() throws {
    let voice = Noise.integers(20_000, seed: 1)
    let session = Session()
    try session.addRemote(GivenSource(voice, encoding: .s16, pieces: [777]))
    try session.addRemote(GivenSource([0], encoding: .s16))
    let (first, second) = (SourceKey(ordinal: 1), SourceKey(ordinal: 2))
    let duck = DuckObserver(second, under: first, by: -20)
    try session.register(duck, from: first)
    try session.register(duck, from: second)
    #expect(firstDifference(try ExactSamples.run(session, .playback, as: .s16), voice) == nil)
  }

  @Test func twoThatWaitForEachOtherAreAnError() throws {
    let session = Session()
    let (first, second) = (SourceKey(ordinal: 1), SourceKey(ordinal: 2))
    for _ in 0..<2 { try session.addRemote(GivenSource([0])) }
    for (ducked, key) in [(first, second), (second, first)] {
      let duck = DuckObserver(ducked, under: key, by: -20)
      try session.register(duck, from: key)
      try session.register(duck, from: ducked)
    }
    try session.setSink(NullSink(), at: .playback)
    #expect(errorKind { try session.run() } == .invalidParameter)
  }

  /// For any observer with a leader, the leader's frames come first, at every block size.
  @Test(arguments: [480, 960, 48_000])
  func frames(ofTheLeaderComeFirst samplesPerCall: Int) throws {
    for pieces in [([1_000_000], [10]), ([10], [1_000_000])] {
      let session = Session()
      try session.addRemote(
        GivenSource(Array(repeating: 0, count: 96_000), pieces: pieces.0))
      try session.addRemote(
        GivenSource(Array(repeating: 0, count: 90_000), pieces: pieces.1))
      let watch = OrderWatch(samplesPerCall: samplesPerCall)
      try session.register(watch)
      try session.setSink(NullSink(), at: .playback)
      _ = try session.run()
      #expect(watch.faults == 0)
      #expect(watch.positions == [SourceKey(ordinal: 1): 96_000, SourceKey(ordinal: 2): 90_000])
    }
  }
}

/// Counts frames of source 2 that come before a frame of source 1 that begins before their end.
private final class OrderWatch: BeforeMixingObserver {
  private(set) var positions: [SourceKey: Int64] = [:]
  private(set) var faults = 0
  private let samplesPerCall: Int

  init(samplesPerCall: Int) { self.samplesPerCall = samplesPerCall }

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(samplesPerCall: samplesPerCall)
  }

  func leader(of source: SourceKey) -> SourceKey? { source == "2" ? "1" : nil }

  func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceKey) -> Bool {
    let end = frame.samplePosition + Int64(frame.samplesPerChannel)
    positions[source] = end
    let leader = SourceKey(ordinal: 1)
    if source != leader, positions[leader, default: 0] < min(end, 96_000) { faults += 1 }
    return false
  }
}
