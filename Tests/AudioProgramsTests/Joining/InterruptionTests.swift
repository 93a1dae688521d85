// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioCore
@testable import AudioPrograms

/// A client that sends ahead is interrupted in an open session, in virtual time.
@Suite struct InterruptionTests {
  private static let rate = 48_000
  /// The times of the interruption and of the client's next samples, in milliseconds.
  private static let (interrupted, goesOn) = (2_000, 4_000)

  private struct Result {
    /// The sum, and its length at the interruption.
    var sum: [Double] = []
    var heard = 0
    /// The client's samples before mixing.
    var observed: [Double] = []
    var events: [SessionEvent] = []
  }

  /// Runs a session of six seconds.
  ///
  /// - Parameter act: called after each wait, with the milliseconds since the beginning.
  private func run(
    _ line: String, _ act: @escaping (inout SourceFeedTests.Stream, Int) throws -> Void
  ) throws -> Result {
    var stream = try SourceFeedTests.Stream(line)
    let (session, time, sink) = (Session(), VirtualTime(), CollectingSink(precision: .double))
    session.time = time
    session.end = .onRequest
    session.duration = .time(.seconds(6))
    session.mixSampleRate = Self.rate
    session.mixChannelCount = 1
    try session.setSink(sink, at: .playback)
    let observer = RecordingObserver<Double>(
      .beforeMixing, FrameParameters(mode: .readOnly, samplesPerCall: 480))
    try session.register(observer)
    var result = Result()
    session.onEvent = { result.events.append($0) }
    var begin: MonotonicTime?
    time.onWait = {
      let start = begin ?? time.now
      do {
        if begin == nil { try session.addRemote(stream.source, id: "bot") }
        begin = start
        let passed = Int(time.now.elapsed(since: start) / .milliseconds(1))
        if passed == Self.interrupted { result.heard = sink.samples.count }
        try act(&stream, passed)
      } catch {
        Issue.record(error)
      }
    }
    _ = try session.run()
    session.onEvent = nil
    time.onWait = {}
    result.sum = sink.samples
    result.observed = observer.samples()
    return result
  }

  /// At most 10 ms are heard, which fade out, however much the session holds; and all that comes then.
  @Test(arguments: [8_000, 44_100, 48_000], [0, 100, 1_500])
  func theRestFadesOut(rate: Int, latency: Int) throws {
    let words = (0..<100).map { Int16(-8_192 - 10 * $0) }
    let line = #"{"join":"bot","rate":\#(rate),"latency":\#(latency)}"#
    let result = try run(line) { stream, passed in
      switch passed {
      case ..<Self.interrupted:
        let count = stream.feed.room / 2
        try stream.send(SourceFeedTests.bytes([Int16](repeating: 16_384, count: count)))
      case Self.interrupted: stream.link.clear()
      case Self.goesOn:
        try stream.send(SourceFeedTests.bytes(words))
        stream.link.finish()
      default: break
      }
    }
    let sum = result.sum
    #expect(result.heard > Self.rate * 3 / 2)
    let fade = Self.rate / 100
    let after = Array(sum[result.heard...])
    // Silence, before the client goes on.
    #expect(after[fade..<Self.rate].allSatisfy { $0 == 0 })
    if rate == Self.rate {
      let begin = try #require(sum.firstIndex { $0 != 0 })
      #expect(sum[begin..<result.heard].allSatisfy { $0 == 0.5 })
      for (place, sample) in after[..<fade].enumerated() {
        #expect(sample == 0.5 * (Double(fade - 1 - place) / Double(fade)))
      }
      let rest = after[fade...].filter { $0 != 0 }
      #expect(rest == words.map { Double($0) / 32_768 })
    } else {
      let total = after[fade...].reduce(0, +)
      let sent = words.reduce(0.0) { $0 + Double($1) / 32_768 } * Double(Self.rate) / Double(rate)
      #expect(abs(total / sent - 1) < 0.01)
    }
    // Observers before mixing have seen no more than the latency, the lead, and a turn.
    let seen = result.observed.count { $0 > 0.1 } * 1_000 / rate
    #expect(seen - sum.count { $0 > 0.1 } * 1_000 / Self.rate <= latency + 40 + 20)
  }

  /// Words right behind an interruption are heard from their first sample.
  @Test func wordsMayFollowAtOnce() throws {
    let words = (0..<2_000).map { Int16(-8_192 - $0) }
    let result = try run(#"{"join":"bot","rate":48000}"#) { stream, passed in
      guard passed <= Self.interrupted else { return }
      guard passed == Self.interrupted else {
        // With room left for the words.
        let count = max(0, min(stream.feed.room / 2 - words.count, 4_800))
        return try stream.send(SourceFeedTests.bytes([Int16](repeating: 16_384, count: count)))
      }
      // As the session sees it that reads between the two.
      stream.link.clear()
      try stream.send(SourceFeedTests.bytes(words))
    }
    let after = result.sum[result.heard...].dropFirst(480).filter { $0 != 0 }
    #expect(after == words.map { Double($0) / 32_768 })
  }

  /// A client that sends in real time loses nothing to the limit on samples ahead, however late it is within its
  /// latency.
  @Test(arguments: [8_000, 44_100, 48_000], [0, 90]) func realTimeLosesNothing(
    rate: Int, jitter: Int
  ) throws {
    let sound = Noise.integers(5 * rate, seed: 3).map { Int16($0 * 16_000) }
    var (sent, dice) = (0, SeededRandom(seed: 9))
    let result = try run(#"{"join":"bot","rate":\#(rate)}"#) { stream, passed in
      let late = sent == 0 || jitter == 0 ? 0 : Int.random(in: 0...jitter, using: &dice)
      let there = min(sound.count, (passed + 20 - late) / 20 * rate / 50)
      guard there > sent else { return }
      try stream.send(SourceFeedTests.bytes(Array(sound[sent..<there])))
      sent = there
      if sent == sound.count { stream.link.finish() }
    }
    #expect(result.observed == sound.map { Double($0) / 32_768 })
    let gaps = result.events.filter { if case .gap = $0 { true } else { false } }
    #expect(gaps.isEmpty)
  }
}
