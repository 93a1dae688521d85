// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The calls at the beginning and the end of an observer's streams.
@Suite struct StreamLifeTests {
  private final class Witness: UniformObserver {
    typealias Sample = Float
    let positions: ObservationPositions = [.record, .beforeMixing, .mixed]
    var events: [String] = []
    var streams: [ObservedStream] = []
    var refused: String?

    func begin(_ stream: ObservedStream) throws(AudioError) {
      if stream.name == refused { throw .diskFull }
      streams.append(stream)
      events.append("begin \(stream.name)")
    }

    func observe(_ frame: inout AudioFrame<Float>, at position: ObservationPosition) -> Bool {
      events.append("frame \(frame.source?.description ?? position.rawValue)")
      return true
    }

    func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
      events.append("\(reason) \(stream.name)")
    }
  }

  private func session(_ witness: Witness, failing: Bool = false) throws -> Session {
    let session = Session()
    let local = try GivenSource([0, 0], rate: 16_000, encoding: .s16)
    if failing { local.failingRead = (0, .diskFull) }
    try session.setLocal(local)
    try session.addRemote(try GivenSource([0, 0], channels: 2, encoding: .s24))
    try session.setSink(NullSink(), at: .mixed)
    try session.register(witness)
    return session
  }

  @Test func everyStreamBeginsAndEndsOnceAroundItsFrames() throws {
    let witness = Witness()
    _ = try session(witness).run()
    for name in ["local", "1", "mixed"] {
      #expect(
        witness.events.filter { $0.hasSuffix(" " + name) }
          == ["begin \(name)", "frame \(name)", "finished \(name)"])
    }
    let mixed = try #require(witness.streams.first { $0.position == .mixed })
    #expect(mixed.format == (try StreamFormat(sampleRate: 48_000, channelCount: 2)))
    #expect(mixed.samplesPerCall == 960)
    #expect(mixed.encoding == .s24)
    #expect(!mixed.isLive)
    #expect(witness.streams.first { $0.position == .record }?.encoding == .s16)
  }

  @Test func aStreamEndsAfterItsLastFrameWhileOthersGoOn() throws {
    let witness = Witness()
    let session = Session()
    try session.addRemote(try GivenSource(Noise.integers(960), pieces: [480]))
    try session.addRemote(try GivenSource(Noise.integers(2_000), pieces: [480]))
    try session.setSink(NullSink(), at: .playback)
    try session.register(witness)
    _ = try session.run()
    let first = try #require(witness.events.firstIndex(of: "finished 1"))
    #expect(witness.events[..<first].filter { $0 == "frame 1" }.count == 2)
    #expect(witness.events[..<first].filter { $0 == "frame 2" }.count == 2)
    #expect(witness.events[first...].filter { $0 == "frame 2" }.count == 3)
    let second = try #require(witness.events.firstIndex(of: "finished 2"))
    #expect(witness.events[(second + 1)...].allSatisfy { $0.hasSuffix(" mixed") })
  }

  /// The session runs to its end, completes its files, and then fails.
  @Test func whatEndThrowsIsToldAtTheEndOfTheSession() throws {
    final class Failing: BeforeMixingObserver {
      func beforeMixing(_ frame: inout AudioFrame<Float>, from source: SourceKey) -> Bool { true }
      func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
        if stream.name == "1" { throw .diskFull }
      }
    }
    let samples = Noise.integers(20_000)
    let session = Session()
    try session.addRemote(try GivenSource([0, 0]))
    try session.addRemote(try GivenSource(samples, pieces: [480]))
    try session.register(Failing())
    let sink = try session.collect(.playback)
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(sink.samples == samples)
    #expect(sink.calls == [.initialize, .start, .finish, .dispose])
  }

  /// An observer's changes apply to its own session.
  @Test func everyStreamTellsOfTheSessionItIsIn() throws {
    let witness = Witness()
    let session = try session(witness)
    session.resamplerQuality = .fast
    let registration = try session.register(RecordingObserver<Float>(.record))
    _ = try session.run()
    #expect(witness.streams.count == 3)
    for stream in witness.streams {
      #expect(stream.control === session.control)
      #expect(stream.resamplerQuality == .fast)
      #expect(stream.registration !== registration)
      #expect(stream.registration.statistics[stream.position]?.calls == 1)
    }
  }

  @Test func afterAFailureEveryStreamThatBeganIsAbandoned() throws {
    let witness = Witness()
    #expect(throws: AudioError.diskFull) { try session(witness, failing: true).run() }
    for name in ["local", "1", "mixed"] {
      #expect(
        witness.events.filter { $0.hasSuffix(" " + name) && !$0.hasPrefix("frame") }
          == ["begin \(name)", "abandoned \(name)"])
    }
  }

  @Test func aRefusalEndsTheSessionBeforeAnyFrame() throws {
    let witness = Witness()
    witness.refused = "1"
    #expect(throws: AudioError.diskFull) { try session(witness).run() }
    #expect(witness.events == ["begin local", "abandoned local"])
  }
}
