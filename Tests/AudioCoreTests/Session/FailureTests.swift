// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The calls to each source and sink for each failure.
@Suite struct FailureTests {
  enum Fault: CaseIterable {
    case none
    case secondSourceInitialize
    case secondSourceStart
    case secondSourceRead
    case secondSinkInitialize
    case secondSinkStart
    case secondSinkWrite
    case secondSinkFinish
    case observerParameters
    case pan
  }

  struct Outcome {
    var sources: [[GivenSource.Call]]
    var sinks: [[CollectingSink.Call]]
  }

  /// Runs a local and a remote source, a publish and a mixed sink; the second of each may fail.
  private func run(_ fault: Fault, isLive: Bool) throws -> Outcome {
    let sources = try [1, 2].map {
      try GivenSource(Noise.integers(5_000, seed: $0), isLive: isLive, pieces: [500])
    }
    let sinks = [CollectingSink(), CollectingSink()]
    let session = try Session(local: sources[0])
    try session.addRemote(sources[1], entry: MixEntry(pan: fault == .pan ? 0.5 : 0))
    try session.setSink(sinks[0], at: .publish)
    try session.setSink(sinks[1], at: .mixed)
    switch fault {
    case .none, .pan: break
    case .secondSourceInitialize: sources[1].failures[.initialize] = .diskFull
    case .secondSourceStart: sources[1].failures[.start] = .diskFull
    case .secondSourceRead: sources[1].failingRead = (after: 2_000, error: .diskFull)
    case .secondSinkInitialize: sinks[1].failures[.initialize] = .diskFull
    case .secondSinkStart: sinks[1].failures[.start] = .diskFull
    case .secondSinkWrite: sinks[1].writeFailsAfter = 1_000
    case .secondSinkFinish: sinks[1].failures[.finish] = .diskFull
    case .observerParameters:
      try session.register(
        RecordingObserver<Float>([.record, .mixed], FrameParameters(mode: .readWrite)))
      try session.setParameters(FrameParameters(samplesPerCall: 1), at: .mixed)
    }
    if fault == .none {
      _ = try session.run()
    } else {
      #expect(throws: AudioError.self) { try session.run() }
    }
    return Outcome(sources: sources.map { $0.calls }, sinks: sinks.map { $0.calls })
  }

  private static let whole: [GivenSource.Call] = [.initialize, .start, .stop, .dispose]
  private static let unstarted: [GivenSource.Call] = [.initialize, .dispose]
  private static let failedStart: [GivenSource.Call] = [.initialize, .start, .dispose]
  private static let finished: [CollectingSink.Call] = [.initialize, .start, .finish, .dispose]
  private static let abandoned: [CollectingSink.Call] = [.initialize, .start, .abandon, .dispose]
  private static let untouched: [CollectingSink.Call] = [.initialize, .dispose]
  private static let failedSinkStart: [CollectingSink.Call] = [.initialize, .start, .dispose]

  @Test(arguments: [
    (Fault.none, [whole, whole], [finished, finished]),
    (.secondSourceInitialize, [unstarted, unstarted], [[], []]),
    (.secondSourceStart, [whole, failedStart], [abandoned, abandoned]),
    (.secondSourceRead, [whole, whole], [abandoned, abandoned]),
    (.secondSinkInitialize, [unstarted, unstarted], [untouched, untouched]),
    (.secondSinkStart, [unstarted, unstarted], [abandoned, failedSinkStart]),
    (.secondSinkWrite, [whole, whole], [abandoned, abandoned]),
    (.secondSinkFinish, [whole, whole], [finished, finished]),
    (.observerParameters, [unstarted, unstarted], [untouched, []]),
    (.pan, [unstarted, unstarted], [untouched, untouched]),
  ])
  func offline(
    fault: Fault, sources: [[GivenSource.Call]], sinks: [[CollectingSink.Call]]
  ) throws {
    let outcome = try run(fault, isLive: false)
    #expect(outcome.sources == sources)
    #expect(outcome.sinks == sinks)
  }

  @Test(arguments: [
    (Fault.none, [finished, finished]),
    (.secondSourceStart, [abandoned, abandoned]),
    (.secondSourceRead, [finished, finished]),
    (.secondSinkStart, [abandoned, failedSinkStart]),
    (.secondSinkWrite, [finished, finished]),
    (.secondSinkFinish, [finished, finished]),
  ])
  func aLiveRecordingKeepsWhatItHas(fault: Fault, sinks: [[CollectingSink.Call]]) throws {
    #expect(try run(fault, isLive: true).sinks == sinks)
  }

  @Test func aLostDeviceStillDeliversWhatTheStagesHold() throws {
    let session = Session()
    let samples = Noise.integers(1_000)
    let source = try GivenSource(samples, isLive: true, pieces: [100])
    source.failingRead = (after: 500, error: .diskFull)
    try session.setLocal(source)
    let sink = try session.collect(.publish)
    try session.register(
      RecordingObserver<Float>(
        .record, FrameParameters(mode: .readWrite, samplesPerCall: 480)))
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(sink.samples == Array(samples.prefix(500)))
    #expect(sink.calls == [.initialize, .start, .finish, .dispose])
  }

  @Test func aSourceThatGivesAPartOfASampleIsTold() throws {
    final class Ragged: PlainSource {
      func initialize(
        proposing proposal: StreamFormat?, wakeup: Wakeup
      ) throws(AudioError) -> SourceDescription {
        SourceDescription(
          format: try StreamFormat(sampleRate: 8_000, channelCount: 2), encoding: .f32)
      }
      func read<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus {
        output.append(repeating: 0, count: 3)
        return .ready
      }
    }
    let session = try Session(local: Ragged())
    try session.setSink(NullSink(), at: .publish)
    #expect(errorKind { try session.run() } == .lifeCycle)
  }

  @Test func aSessionRunsOnce() throws {
    let session = Session()
    let source = try GivenSource([0])
    try session.setLocal(source)
    _ = try session.run()
    #expect(errorKind { try session.run() } == .lifeCycle)
    #expect(source.calls == Self.whole)
  }
}
