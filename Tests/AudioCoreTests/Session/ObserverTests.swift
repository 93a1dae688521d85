// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct ObserverTests {
  private func capture(
    _ samples: [Double], rate: Int = 48_000, channels: Int = 1, encoding: SampleEncoding = .s16,
    pieces: [Int] = [1_000_000], _ observers: [any AudioObserver]
  ) throws -> (CollectingSink, [ObserverRegistration]) {
    let session = try Session(
      local: GivenSource(
        samples, rate: rate, channels: channels, encoding: encoding, pieces: pieces))
    let registrations = try observers.map { try session.register($0) }
    let sink = try session.run(collecting: .publish)
    return (sink, registrations)
  }

  @Test(arguments: [
    (44_100, 1, 4_410), (44_100, 2, 1_024), (16_000, 1, 1_024), (48_000, 2, 960),
    (22_050, 1, 221), (8_000, 2, 16_000),
  ])
  func receivesEverySampleInFramesOfTheAskedSize(
    rate: Int, channels: Int, samplesPerCall: Int
  ) throws {
    let samples = Noise.integers(rate / 2 * channels + channels * 13, seed: 7)
    let observer = RecordingObserver<Float>(
      .record, FrameParameters(samplesPerCall: samplesPerCall))
    let (sink, _) = try capture(
      samples, rate: rate, channels: channels, pieces: [100, 1, 3_333], [observer])
    #expect(sink.samples == samples)
    #expect(observer.samples().map { Double($0) } == samples)
    #expect(observer.frames.dropLast().allSatisfy { $0.samples.count == samplesPerCall })
    #expect(observer.frames.dropLast().allSatisfy { !$0.isPartial })
    #expect(observer.frames.last?.isPartial == (samples.count % samplesPerCall != 0))
    for (index, frame) in observer.frames.enumerated() {
      let position = Int64(index * samplesPerCall / channels)
      #expect(frame.samplePosition == position)
      #expect(frame.renderTime == position * 1_000 / Int64(rate))
    }
  }

  @Test func framesLastTenMillisecondsWhereNothingIsAsked() throws {
    for (rate, expected) in [(44_100, 441), (22_050, 221), (48_000, 480), (11_025, 111)] {
      let observer = RecordingObserver<Float>(.record)
      _ = try capture(Array(repeating: 0, count: rate), rate: rate, [observer])
      #expect(observer.frames.first?.samples.count == expected)
    }
  }

  @Test(arguments: [
    (48_000, 2, 480, "the smallest is 960"), (44_100, 2, 1_025, "1024 and 1026 do"),
    (8_000, 1, 0, "the smallest is 80"), (8_000, 1, -80, "the smallest is 80"),
    (22_050, 1, 220, "the smallest is 221"),
  ])
  func namesLegalSamplesPerCall(
    rate: Int, channels: Int, samplesPerCall: Int, advice: String
  ) throws {
    let observer = RecordingObserver<Float>(
      .record, FrameParameters(samplesPerCall: samplesPerCall))
    let error = #expect(throws: AudioError.self) {
      try capture([0, 0], rate: rate, channels: channels, [observer])
    }
    #expect(error?.advice == advice)
    #expect(observer.frames.isEmpty)
  }

  @Test func readOnlyEditsNeverReachTheStream() throws {
    let samples = Noise.integers(4_801, seed: 8)
    let observer = RecordingObserver<Float>(.record) { span in
      for index in span.indices { span[index] = 0.25 }
    }
    let (sink, registrations) = try capture(samples, [observer])
    #expect(sink.samples == samples)
    #expect(registrations[0].statistics[.record]?.discardedEdits == 11)
    #expect(registrations[0].statistics[.record]?.calls == 11)
    #expect(registrations[0].statistics[.record]?.samplesPerChannel == 4_801)
  }

  @Test func readWriteSendsBackWhatIsInTheFrame() throws {
    let samples = Noise.integers(5_000, seed: 9)
    let observer = RecordingObserver<Float>(.record, FrameParameters(mode: .readWrite)) { span in
      for index in span.indices { span[index] *= -1 }
    }
    #expect(try capture(samples, [observer]).0.samples == samples.map { -$0 })
  }

  @Test func falseLetsTheFrameGoOnAsItWas() throws {
    let samples = Noise.integers(5_000, seed: 10, bits: 32)
    let observer = RecordingObserver<Int16>(
      .record, FrameParameters(mode: .readWrite), answer: false
    ) { span in
      for index in span.indices { span[index] = 1 }
    }
    let (sink, registrations) = try capture(samples, encoding: .s32, [observer])
    #expect(sink.samples == samples)
    #expect(registrations[0].statistics[.record]?.discardedEdits == 11)
  }

  @Test func writeOnlyGetsSilenceAndReplaces() throws {
    let samples = Noise.integers(1_000, seed: 11)
    let observer = RecordingObserver<Float>(.record, FrameParameters(mode: .writeOnly)) { span in
      for index in span.indices { span[index] = 0.5 }
    }
    let (sink, _) = try capture(samples, [observer])
    #expect(observer.samples().allSatisfy { $0 == 0 })
    #expect(sink.samples == Array(repeating: 0.5, count: 1_000))
  }

  @Test func laterObserversSeeEarlierEdits() throws {
    let samples = Noise.integers(3_000, seed: 12)
    let first = RecordingObserver<Float>(
      .record, FrameParameters(mode: .readWrite, samplesPerCall: 1_000)
    ) { span in
      for index in span.indices { span[index] *= 2 }
    }
    let second = RecordingObserver<Double>(.record, FrameParameters(samplesPerCall: 700))
    let (sink, _) = try capture(samples, [first, second])
    #expect(second.samples() == samples.map { $0 * 2 })
    #expect(sink.samples == samples.map { $0 * 2 })
  }

  @Test func integerFramesAreRoundedAndSaturated() throws {
    let observer = RecordingObserver<Int16>(.record)
    _ = try capture([0.5, -1, 1, 2.6 / 32_768, -3], encoding: .f64, [observer])
    #expect(observer.samples() == [16_384, -32_768, 32_767, 3, -32_768])
  }

  @Test func nothingFiresAtAPositionThatNobodyWants() throws {
    let observer = RecordingObserver<Float>([.playback, .mixed, .beforeMixing])
    _ = try capture([0, 0, 0], [observer])
    #expect(observer.visited == [.mixed])
  }

  @Test func sessionParametersBeatTheObserversOwn() throws {
    let session = try Session(local: GivenSource(Noise.integers(2_000)))
    let observer = RecordingObserver<Float>(.record, FrameParameters(samplesPerCall: 500))
    let registration = try session.register(observer)
    try session.setParameters(FrameParameters(samplesPerCall: 1_000), at: .record)
    try session.setSink(NullSink(), at: .publish)
    _ = try session.run()
    #expect(observer.frames.map { $0.samples.count } == [1_000, 1_000])
    #expect(registration.parameters[.record]?.origin == .session)
  }

  @Test func aFrameHasTheKeyOfItsSource() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0, 0]), group: SourceID("room"))
    let observer = RecordingObserver<Float>(.beforeMixing)
    try session.register(observer)
    try session.setSink(NullSink(), at: .playback)
    _ = try session.run()
    #expect(observer.frames.map(\.key) == [SourceKey("1", in: "room")])
  }

  @Test func unregisteringFromInsideACallTakesEffectOnReturn() throws {
    final class Quitter: RecordObserver {
      var registration: ObserverRegistration?
      var calls = 0
      func record(_ frame: inout AudioFrame<Float>) -> Bool {
        calls += 1
        registration?.unregister()
        registration?.unregister()
        return true
      }
    }
    let session = Session()
    let samples = Noise.integers(10_000)
    try session.setLocal(try GivenSource(samples))
    let quitter = Quitter()
    quitter.registration = try session.register(quitter)
    let sink = try session.run(collecting: .publish)
    #expect(quitter.calls == 1)
    #expect(sink.samples == samples)
  }
}
