// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Synchronization
import Testing

/// Point 12: accounting.
@Suite struct AccountingTests {
  /// Stays in every call longer than its frame lasts.
  private final class SlowObserver: UniformObserver {
    typealias Sample = Float
    let positions = ObservationPositions.all
    private(set) var shortest = Duration.seconds(3_600)

    func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
      let interval = Duration.seconds(frame.samplesPerChannel) / frame.sampleRate
      let clock = ContinuousClock()
      let begin = clock.now
      while clock.now - begin <= interval { usleep(500) }
      shortest = min(shortest, clock.now - begin)
      return true
    }
  }

  @Test(arguments: [true, false])
  func whoeverOverrunsTheIntervalIsLateInALiveSession(isLive: Bool) throws {
    let bench = try ContractSession(rate: 8_000, length: 200, isLive: isLive)
    let observer = SlowObserver()
    let registration = try bench.session.register(observer)
    _ = try bench.run()
    for (position, statistics) in registration.statistics {
      // 80 + 80 + 40 samples; two sources before mixing.
      let streams = position == .beforeMixing ? 2 : 1
      #expect(statistics.calls == streams * 3)
      #expect(statistics.lateCalls == (isLive ? statistics.calls : 0))
      #expect(statistics.samplesPerChannel == Int64(streams * 200))
      #expect(statistics.longestTime > .milliseconds(10))
      #expect(statistics.totalTime > .milliseconds(25) * streams)
      #expect(statistics.totalTime >= observer.shortest * statistics.calls)
      #expect(statistics.meanTime == statistics.totalTime / statistics.calls)
      #expect(statistics.meanTime <= statistics.longestTime)
    }
    #expect(Set(registration.statistics.keys) == Set(ObservationPosition.whereOneEdits))
  }

  /// A minute of audio in a call that does nothing.
  @Test func whoeverIsInTimeIsNotLate() throws {
    let session = Session()
    let samples = [Double](repeating: 0.5, count: 60_000)
    try session.setLocal(try GivenSource(samples, rate: 1_000, isLive: true))
    let registration = try session.register(
      RecordingObserver<Float>(.record, FrameParameters(samplesPerCall: 60_000)))
    try session.setSink(NullSink(), at: .publish)
    _ = try session.run()
    #expect(registration.statistics[.record]?.calls == 1)
    #expect(registration.statistics[.record]?.lateCalls == 0)
  }

  /// A discarded edit: an edit in read-only mode, or a frame answered with `false`.
  @Test(arguments: [
    (ObserverMode.readOnly, true, true, 13), (.readOnly, false, true, 0),
    (.readOnly, false, false, 0),
    (.readWrite, true, true, 0), (.readWrite, true, false, 13), (.writeOnly, true, false, 13),
  ])
  func discardedEdits(mode: ObserverMode, edits: Bool, answer: Bool, expected: Int) throws {
    let bench = try ContractSession()
    let registration = try bench.session.register(
      RecordingObserver<Float>(.record, FrameParameters(mode: mode), answer: answer) { samples in
        if edits { samples[samples.count - 1] += 0.5 }
      })
    _ = try bench.run()
    #expect(registration.statistics[.record]?.discardedEdits == expected)
    #expect(registration.statistics[.record]?.calls == 13)
  }
}
