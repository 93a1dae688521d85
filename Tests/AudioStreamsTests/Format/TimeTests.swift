// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct TimeTests {
  @Test func whatNoIntegerHoldsIsTheNearestOne() {
    #expect(TimePosition.time(.seconds(Int64.max)).samples(at: 768_000) == .max)
    #expect(TimePosition.time(.seconds(Int64.min)).samples(at: 768_000) == .min)
    #expect(TimePosition.time(.seconds(-1) / 4).samples(at: 6) == -2)
    #expect(TimePosition.time(.seconds(1) / 4).samples(at: 6) == 2)
  }

  @Test(arguments: [
    (0, 48_000, 0), (1, 44_100, 0), (44, 44_100, 0), (45, 44_100, 1), (44_099, 44_100, 999),
    (44_100, 44_100, 1_000), (47, 48_000, 0), (48, 48_000, 1),
    (Int64.max, 1_000, Int64.max), (Int64.max, 768_000, 12_009_599_006_321_322),
  ])
  func renderTimeIsRoundedDown(position: Int64, rate: Int, expected: Int64) {
    #expect(AudioTime.milliseconds(position, at: rate) == expected)
    #expect(Int64(Int128(position) * 1_000 / Int128(rate)) == expected)
  }

  @Test(arguments: [
    TimePosition.samples(-1), .time(.seconds(-1)), .samples(.max), .time(.seconds(Int64.max)),
  ])
  func refusesImpossibleLengths(length: TimePosition) throws {
    func run(_ configure: (Session) throws -> Void) {
      let session = Session()
      #expect(
        errorKind {
          try session.setSink(NullSink(), at: .playback)
          try configure(session)
          _ = try session.run()
        } == .invalidParameter)
    }
    run { session in
      session.duration = length
      try session.addRemote(try GivenSource([0.5]))
    }
    run { try $0.addRemote(try GivenSource([0.5]), entry: MixEntry(offset: length)) }
    run {
      try $0.addRemote(TrimmedSource(try GivenSource([0.5]), start: length, duration: nil))
    }
    run {
      try $0.addRemote(
        TrimmedSource(try GivenSource([0.5]), start: .samples(0), duration: length))
    }
    run { try $0.addRemote(SilenceSource(duration: length)) }
  }

  @Test(arguments: [Double.nan, .infinity])
  func refusesGainsThatAreNoFactors(gain: Double) throws {
    let session = Session()
    try session.addRemote(try GivenSource([0.5]), entry: MixEntry(gain: gain))
    try session.setSink(NullSink(), at: .playback)
    #expect(throws: AudioError.self) { try session.run() }
  }
}

@Suite struct FormatLimitTests {
  @Test(arguments: [(1_000, 1), (768_000, 64)])
  func acceptsTheEnds(rate: Int, channels: Int) throws {
    _ = try StreamFormat(sampleRate: rate, channelCount: channels)
  }

  @Test(arguments: [
    (999, 1), (768_001, 1), (48_000, 0), (48_000, 65), (Int.min, 1), (Int.max, Int.max),
  ])
  func refusesWhatLiesBeyond(rate: Int, channels: Int) {
    #expect(throws: AudioError.self) {
      try StreamFormat(sampleRate: rate, channelCount: channels)
    }
  }

  @Test(arguments: [Int.min, Int.min + 1, -960, 0, 959, Int.max])
  func refusesSamplesPerCallWithoutOverflow(samplesPerCall: Int) throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    #expect(throws: AudioError.self) {
      try FrameParameters.check(samplesPerCall: samplesPerCall, format)
    }
  }

  @Test func aFrameMayBeLongerThanAnyStream() throws {
    let samples = Noise.integers(5_000)
    let observer = RecordingObserver<Float>(.record, FrameParameters(samplesPerCall: Int.max))
    let session = try Session(local: GivenSource(samples, pieces: [700]))
    try session.register(observer)
    _ = try session.run()
    #expect(observer.frames.count == 1)
    #expect(observer.frames[0].isPartial)
    #expect(observer.samples().map { Double($0) } == samples)
  }
}
