// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct EarlyEndTests {
  @Test func mayBeAskedForBeforeTheRun() throws {
    let (outcome, source, sink) = try run(.finish)
    #expect(outcome == .stopped)
    #expect(sink.samples.isEmpty)
    #expect(sink.calls == [.initialize, .start, .finish, .dispose])
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func nothingStartsWhereItIsAbandonedBeforeTheRun() throws {
    let (outcome, source, sink) = try run(.abandon)
    #expect(outcome == .abandoned)
    #expect(sink.calls == [.initialize, .dispose])
    #expect(source.calls == [.initialize, .dispose])
  }

  private func run(
    _ request: SessionControl.Request
  ) throws -> (SessionReport.Outcome, GivenSource, CollectingSink) {
    let session = Session()
    session.control.requestStop(request)
    session.control.requestStop(request)
    let source = try GivenSource(Noise.integers(1_000))
    try session.setLocal(source)
    let sink = try session.collect(.publish)
    return (try session.run().outcome, source, sink)
  }

  /// An input that begins an hour later is left out.
  @Test func leavesOutInputsThatHaveNotBegun() throws {
    let session = Session()
    try session.addRemote(try GivenSource(Noise.integers(100_000), rate: 8_000))
    try session.addRemote(
      try GivenSource([0.5], rate: 8_000), entry: MixEntry(offset: .time(.seconds(3_600))))
    let sink = try session.collect(.playback)
    session.onProgress = { _ in session.control.requestStop(.finish) }
    #expect(try session.run().outcome == .stopped)
    session.onProgress = nil
    #expect(!sink.samples.isEmpty)
    #expect(sink.samples.count < 100_000)
    #expect(sink.calls == [.initialize, .start, .finish, .dispose])
  }

  @Test func anEndlessSourceWithoutASinkDoesNotKeepTheSession() throws {
    let session = try Session(local: ToneSource(frequency: 1_000))
    let samples = Noise.integers(3_000)
    try session.addRemote(try GivenSource(samples, rate: 8_000))
    let observer = RecordingObserver<Float>(.record)
    try session.register(observer)
    let sink = try session.collect(.playback)
    #expect(try session.run().outcome == .finished)
    #expect(sink.samples == samples)
    #expect(!observer.frames.isEmpty)
  }

  @Test func whatIsOnlyWatchedStillComesWhole() throws {
    let session = Session()
    let samples = Noise.integers(90_000)
    try session.setLocal(try GivenSource(samples, rate: 8_000))
    try session.addRemote(try GivenSource([0.5], rate: 8_000))
    let observer = RecordingObserver<Double>(.record)
    try session.register(observer)
    try session.setSink(NullSink(), at: .playback)
    _ = try session.run()
    #expect(observer.samples() == samples)
  }

  @Test func aReaderThatLeavesCompletesEveryOtherSink() throws {
    let session = try Session(local: GivenSource(Noise.integers(300_000, seed: 1)))
    try session.addRemote(try GivenSource(Noise.integers(300_000, seed: 2)))
    let sinks = [SinkPlace.publish, .playback, .mixed].map { ($0, CollectingSink()) }
    for (place, sink) in sinks {
      if place == .publish { sink.readerLeavesAfter = 50_000 }
      try session.setSink(sink, at: place)
    }
    #expect(try session.run().outcome == .readerGone)
    for (place, sink) in sinks {
      #expect(
        sink.calls == [.initialize, .start, place == .publish ? .abandon : .finish, .dispose])
    }
  }
}
