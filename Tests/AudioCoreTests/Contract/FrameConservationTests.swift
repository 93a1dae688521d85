// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Point 5: an observer's frames in a row are the converted stream, sample for sample.
@Suite struct FrameConservationTests {
  private func received(
    _ samples: [Double], rate: Int, channels: Int, _ asked: FrameParameters
  ) throws -> [Float] {
    let session = Session()
    session.resamplerQuality = .fast
    try session.setLocal(
      try GivenSource(samples, rate: rate, channels: channels, encoding: .s16, pieces: [997, 4]))
    let observer = RecordingObserver<Float>(.record, asked)
    try session.register(observer)
    try session.setSink(NullSink(), at: .publish)
    _ = try session.run()
    #expect(observer.frames.dropLast().allSatisfy { $0.samples.count == asked.samplesPerCall })
    #expect(observer.frames.dropLast().allSatisfy { !$0.isPartial })
    if let last = observer.frames.last {
      #expect(last.isPartial == (last.samples.count != asked.samplesPerCall))
    }
    return observer.samples()
  }

  /// Without a conversion, for every length; 1.02 s fill even the longest frame.
  @Test(arguments: ContractShapes.rates)
  func inTheStreamsRateNothingIsLost(rate: Int) throws {
    let samples = Noise.integers(rate + rate / 50 + 1, seed: UInt64(rate))
    let expected = samples.map { Float($0) }
    for length in ContractShapes.lengths(at: rate) {
      let asked = FrameParameters(samplesPerCall: length)
      let received = try received(samples, rate: rate, channels: 1, asked)
      if received != expected { Issue.record("\(length) samples per call") }
    }
  }

  /// Compares with the resampler on the whole stream, which gives ⌈n·out/in⌉ samples.
  @Test(arguments: ContractShapes.rates, ContractShapes.rates)
  func inAnotherRateItIsTheResampledStream(rate: Int, asked: Int) throws {
    if rate == asked { return }
    let format = try StreamFormat(sampleRate: rate, channelCount: 2)
    let samples = Noise.integers(rate / 14 * 2, seed: 5)
    let expected = try run(
      Resampler<Float>(from: format, sampleRate: asked, quality: .fast),
      on: samples.map { Float($0) })
    #expect(expected.count == (rate / 14 * asked + rate - 1) / rate * 2)
    for length in ContractShapes.lengths(at: asked) {
      let parameters = FrameParameters(sampleRate: asked, samplesPerCall: length * 2)
      let received = try received(samples, rate: rate, channels: 2, parameters)
      if received != expected { Issue.record("\(length) samples per call") }
    }
  }

  /// All positions of one session, with full frames of 1 s.
  @Test func everyPositionConservesItsStream() throws {
    let bench = try ContractSession(length: 8_100)
    let observers = ObservationPosition.whereOneEdits.map {
      RecordingObserver<Float>(.init($0), FrameParameters(samplesPerCall: 8_000))
    }
    for observer in observers { try bench.session.register(observer) }
    let outputs = try bench.run().map { $0.map { Float($0) } }
    #expect(observers[0].samples() == outputs[1])
    #expect(observers[1].samples() == outputs[0])
    #expect(observers[2].samples() == outputs[2])
    let sources = try ["1", "2"].map { try SourceID($0) }.map { observers[3].samples(from: $0) }
    #expect(zip(sources[0], sources[1]).map { $0 + $1 } == outputs[1])
  }
}
