// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct LifeCycleTests {
  private static let failure = AudioError(.lifeCycle, cannot: "go on", "", because: "told so")

  @Test func runsEveryoneThroughOneLife() throws {
    let session = Session()
    let source = try GivenSource([1, 2, 3])
    try session.setLocal(source)
    let sink = try session.collect(.publish)
    let report = try session.run()
    #expect(report.sinks.map { $0.samplesPerChannel } == [3])
    #expect(report.sources.map { $0.samplesPerChannel } == [3])
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
    #expect(sink.calls == [.initialize, .start, .finish, .dispose])
  }

  /// Gives a block, then answers a thousand times that it is ready.
  private final class Boaster: PlainSource {
    private let isLive: Bool
    private(set) var reads = 0
    init(isLive: Bool) { self.isLive = isLive }
    func initialize(
      proposing proposal: StreamFormat?, wakeup: Wakeup
    ) throws(AudioError) -> SourceDescription {
      SourceDescription(
        format: try StreamFormat(sampleRate: 48_000, channelCount: 1), encoding: .s16,
        pace: isLive ? .arrival : .unpaced)
    }
    func read<Sample: AudioSample>(
      into output: inout OutputSpan<Sample>
    ) throws(AudioError) -> SourceStatus {
      reads += 1
      if reads == 1 { output.append(repeating: 0.5, count: 100) }
      return reads > 1_000 ? .ended : .ready
    }
  }

  /// Asking again would never end. A live recording keeps its samples.
  @Test(arguments: [false, true])
  func readyWithNothingIsAnError(isLive: Bool) throws {
    let source = Boaster(isLive: isLive)
    let session = try Session(local: source)
    let sink = try session.collect(.publish)
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.kind == .lifeCycle)
    #expect(error?.reason == "it answered ready and gave nothing")
    #expect(source.reads == 2)
    #expect(sink.calls.contains(isLive ? .finish : .abandon))
  }

  /// A source added by an observer: the session reports the error at its end.
  @Test func readyWithNothingIsAnErrorOfAnAddedSourceToo() throws {
    let source = Boaster(isLive: false)
    let session = try Session(local: GivenSource(Noise.integers(1_000)))
    try session.register(MixObserver(.record) { _ in source })
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.reason == "it answered ready and gave nothing")
    #expect(source.reads == 2)
  }

  @Test func neverStartsAfterAFailedInitialize() throws {
    let session = Session()
    let source = try GivenSource([1])
    source.failures[.initialize] = Self.failure
    try session.setLocal(source)
    let sink = try session.collect(.publish)
    #expect(throws: Self.failure) { try session.run() }
    #expect(source.calls == [.initialize, .dispose])
    #expect(sink.calls.isEmpty)
  }

  @Test func aSinkThatCannotInitializeEndsTheSession() throws {
    let session = Session()
    let source = try GivenSource([1])
    let sink = CollectingSink()
    sink.failures[.initialize] = Self.failure
    try session.setLocal(source)
    try session.setSink(sink, at: .publish)
    #expect(throws: Self.failure) { try session.run() }
    #expect(source.calls == [.initialize, .dispose])
    #expect(sink.calls == [.initialize, .dispose])
  }

  @Test func aFailingReadAbandonsOfflineOutputs() throws {
    let session = Session()
    let source = try GivenSource(Noise.integers(1_000), pieces: [100])
    source.failingRead = (after: 500, error: Self.failure)
    try session.setLocal(source)
    let sink = try session.collect(.publish)
    #expect(throws: Self.failure) { try session.run() }
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
    #expect(sink.calls == [.initialize, .start, .abandon, .dispose])
  }

  @Test func aLostDeviceKeepsWhatWasRecorded() throws {
    let session = Session()
    let source = try GivenSource(Noise.integers(1_000), isLive: true, pieces: [100])
    source.failingRead = (after: 500, error: Self.failure)
    try session.setLocal(source)
    let sink = try session.collect(.publish)
    #expect(throws: Self.failure) { try session.run() }
    #expect(sink.samples.count == 500)
    #expect(sink.calls == [.initialize, .start, .finish, .dispose])
  }

  @Test func aFailingSinkAbandonsTheOthers() throws {
    let session = Session()
    try session.addRemote(try GivenSource(Noise.integers(100_000)))
    let (playback, mixed) = (CollectingSink(), CollectingSink())
    playback.writeFailsAfter = 20_000
    try session.setSink(playback, at: .playback)
    try session.setSink(mixed, at: .mixed)
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(playback.calls == [.initialize, .start, .abandon, .dispose])
    #expect(mixed.calls == [.initialize, .start, .abandon, .dispose])
  }

  @Test func aReaderThatLeavesEndsTheRunAndCompletesTheOthers() throws {
    let session = Session()
    try session.addRemote(try GivenSource(Noise.integers(500_000)))
    let (playback, mixed) = (CollectingSink(), CollectingSink())
    playback.readerLeavesAfter = 20_000
    try session.setSink(playback, at: .playback)
    try session.setSink(mixed, at: .mixed)
    #expect(try session.run().outcome == .readerGone)
    #expect(playback.calls == [.initialize, .start, .abandon, .dispose])
    #expect(mixed.calls == [.initialize, .start, .finish, .dispose])
  }

  @Test func finishingEarlyDeliversWhatWasTaken() throws {
    let session = Session()
    let source = try GivenSource(Noise.integers(2_000), isLive: true, pieces: [200, 200, 200, 0])
    try session.setLocal(source)
    let sink = try session.collect(.publish)
    session.onProgress = { progress in
      if progress.samplesPerChannel >= 400 { session.live.finish() }
    }
    #expect(try session.run().outcome == .stopped)
    #expect(sink.samples.count == 600)
    #expect(sink.calls.contains(.finish))
    session.onProgress = nil
  }

  @Test func abandoningRemovesWhatIsIncomplete() throws {
    let session = try Session(local: GivenSource(Noise.integers(200_000)))
    let sink = try session.collect(.publish)
    session.onProgress = { _ in session.live.abandon() }
    #expect(try session.run().outcome == .abandoned)
    #expect(sink.calls == [.initialize, .start, .abandon, .dispose])
    session.onProgress = nil
  }

  @Test func aNarrowLiveSinkStillGetsEverything() throws {
    let session = Session()
    let samples = Noise.integers(70_000)
    try session.addRemote(try GivenSource(samples))
    let sink = CollectingSink()
    sink.isLive = true
    sink.room = 333
    try session.setSink(sink, at: .playback)
    #expect(try session.run().outcome == .finished)
    #expect(sink.samples == samples)
  }

  @Test func theMixFollowsALivePlaybackSink() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0.5, 0.25], rate: 48_000))
    let sink = CollectingSink()
    sink.isLive = true
    sink.wanted = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    try session.setSink(sink, at: .playback)
    var mixFormat: StreamFormat?
    session.onStart = { mixFormat = $0.mixFormat }
    _ = try session.run()
    #expect(mixFormat == sink.wanted)
    #expect(sink.samples == [0.5, 0.5, 0.25, 0.25])
  }
}

/// An object serves one stream at a time; the others get an error, and no call reaches it.
@Suite struct EndpointClaimTests {
  @Test func oneSourceIsNotTwo() throws {
    let source = try GivenSource(Noise.integers(1_000))
    let session = Session()
    try session.addRemote(source)
    try session.addRemote(source)
    let error = #expect(throws: AudioError.self) { try session.run(collecting: .playback) }
    #expect(error?.kind == .lifeCycle)
    #expect(error?.subject == "source 2")
    #expect(source.calls == [.initialize, .dispose])
  }

  @Test func norBehindOthers() throws {
    let tone = ToneSource(frequency: 440, duration: .samples(100))
    for other: any AudioSource in [
      TrimmedSource(tone, start: .samples(0), duration: nil), SequenceSource([tone]),
      WrappedSource(tone),
    ] {
      let session = try Session(local: tone)
      try session.addRemote(other)
      #expect(errorKind { try session.run(collecting: .playback) } == .lifeCycle)
    }
    let session = try Session(local: SequenceSource([tone, tone]))
    #expect(errorKind { try session.run(collecting: .publish) } == .lifeCycle)
  }

  @Test func norInTwoSessions() throws {
    let source = ToneSource(frequency: 440, duration: .samples(100))
    let session = try Session(local: source)
    var kind: AudioError.Kind?
    session.onStart = { _ in
      kind = errorKind { try Session(local: source).run(collecting: .publish) }
    }
    #expect(try session.run(collecting: .publish).samples.count == 100)
    #expect(kind == .lifeCycle)
    // One after the other.
    #expect(try Session(local: source).run(collecting: .publish).samples.count == 100)
  }

  @Test func norWhereItJoins() throws {
    let samples = Noise.integers(4_800)
    let source = try GivenSource(samples)
    let session = Session()
    try session.addRemote(source, id: "anna")
    var reasons: [AudioError.Kind?] = []
    session.onEvent = { event in
      if case .left(_, let reason) = event { reasons.append(reason?.kind) }
    }
    session.onStart = { [unowned session] _ in
      #expect(throws: Never.self) { try session.addRemote(source, id: "ben") }
    }
    #expect(try session.run(collecting: .playback).samples == samples)
    #expect(reasons == [.lifeCycle])
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func norWhereAnObserverAddsIt() throws {
    let source = ToneSource(frequency: 440, duration: .samples(100))
    let session = try Session(local: source)
    try session.register(MixObserver(.record) { _ in source })
    #expect(errorKind { try session.run(collecting: .publish) } == .lifeCycle)
  }

  @Test func oneSinkIsNotTwo() throws {
    let session = Session()
    try session.addRemote(try GivenSource([1, 2, 3]))
    let sink = CollectingSink()
    try session.setSink(sink, at: .playback)
    try session.setSink(sink, at: .mixed)
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.kind == .lifeCycle)
    #expect(error?.subject == "sink mixed")
    #expect(sink.calls == [.initialize, .dispose])
  }

  @Test func norTwoTracks() throws {
    let session = Session()
    for _ in 0..<2 { try session.addRemote(try GivenSource([1, 2, 3])) }
    let sink = CollectingSink()
    try session.register(
      TapObserver(
        .beforeMixing, to: { (_) throws(AudioError) -> any AudioSink in sink },
        on: try BackgroundWriter()))
    #expect(errorKind { try session.run(collecting: .playback) } == .lifeCycle)
  }
}
