// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioCore

/// Point 2: parameters.
@Suite struct ParameterTests {
  private func run(
    rate: Int, channels: Int, _ parameters: FrameParameters,
    _ positions: ObservationPositions = .all
  ) throws -> RecordingObserver<Float> {
    let bench = try ContractSession(rate: rate, channels: channels, length: rate / 50)
    let observer = RecordingObserver<Float>(positions, parameters)
    try bench.session.register(observer)
    _ = try bench.run()
    return observer
  }

  @Test(arguments: [
    (44_100, 1, 4_410), (44_100, 2, 1_024), (16_000, 1, 1_024), (48_000, 2, 960), (22_050, 1, 221),
  ])
  func accepted(rate: Int, channels: Int, samplesPerCall: Int) throws {
    let asked = FrameParameters(
      sampleRate: rate, channelCount: channels, samplesPerCall: samplesPerCall)
    let observer = try run(rate: 8_000, channels: 1, asked)
    #expect(Set(observer.visited) == Set(ObservationPosition.whereOneEdits))
    for frame in observer.frames {
      #expect(frame.format.sampleRate == rate && frame.format.channelCount == channels)
      #expect(frame.isPartial || frame.samples.count == samplesPerCall)
    }
  }

  @Test(
    arguments: [
      (48_000, 2, 480, 960), (48_000, 1, 0, 480), (48_000, 2, 0, 960), (48_000, 1, -480, 480),
      (48_000, 2, -960, 960), (22_050, 1, 220, 221),
      (8_000, 1, .min, 80),
    ], ObservationPosition.whereOneEdits)
  func rejected(
    _ shape: (rate: Int, channels: Int, samplesPerCall: Int, smallest: Int),
    at position: ObservationPosition
  ) throws {
    let asked = FrameParameters(
      sampleRate: shape.rate, channelCount: shape.channels, samplesPerCall: shape.samplesPerCall)
    let error = #expect(throws: AudioError.self) {
      try run(rate: 8_000, channels: 1, asked, .init(position))
    }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.advice == "the smallest is \(shape.smallest)")
    // The value in the message is legal.
    var legal = asked
    legal.samplesPerCall = shape.smallest
    #expect(throws: Never.self) { try run(rate: 8_000, channels: 1, legal, .init(position)) }
  }

  /// The values in the message are legal.
  @Test(arguments: [
    (48_000, 2, 4_801, [4_800, 4_802]), (48_000, 2, 961, [960, 962]),
    (44_100, 2, 1_025, [1_024, 1_026]), (8_000, 3, 241, [240, 243]), (8_000, 3, 242, [240, 243]),
    (22_050, 2, 441, [442]), (22_050, 2, .max, [.max - 1]),
  ])
  func rejectedForAPartOfASample(
    rate: Int, channels: Int, samplesPerCall: Int, nearest: [Int]
  ) throws {
    let format = try StreamFormat(sampleRate: rate, channelCount: channels)
    let error = #expect(throws: AudioError.self) {
      try FrameParameters.check(samplesPerCall: samplesPerCall, format)
    }
    let names = nearest.map(String.init).joined(separator: " and ")
    #expect(error?.reason == "it does not divide by \(channels) channels")
    #expect(error?.advice == names + (nearest.count == 1 ? " does" : " do"))
    for legal in nearest { try FrameParameters.check(samplesPerCall: legal, format) }
  }

  @Test(arguments: [
    (44_100, 1, Duration.milliseconds(100), 4_410), (44_100, 2, .milliseconds(10), 882),
    (22_050, 2, .milliseconds(10), 442), (22_050, 1, .milliseconds(10), 221),
    (16_000, 1, .milliseconds(20), 320), (48_000, 6, .seconds(1), 288_000),
    (48_000, 1, .nanoseconds(10_000_001), 481),
    // A longer interval counts as 2^63 − 1 nanoseconds.
    (768_000, 64, .seconds(Int64.max), 7_083_549_724_304_468 * 64),
  ])
  func intervals(rate: Int, channels: Int, interval: Duration, samplesPerCall: Int) throws {
    let native = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let asked = FrameParameters(sampleRate: rate, channelCount: channels, interval: interval)
    let shape = try asked.resolved(native: native)
    #expect(shape.samplesPerCall == samplesPerCall)
    #expect(shape.format == (try StreamFormat(sampleRate: rate, channelCount: channels)))
    #expect(throws: Never.self) {
      try FrameParameters.check(samplesPerCall: shape.samplesPerCall, shape.format)
    }
  }

  @Test func framesLastTheirInterval() throws {
    let asked = FrameParameters(sampleRate: 22_050, channelCount: 2, interval: .milliseconds(10))
    let observer = try run(rate: 8_000, channels: 1, asked)
    let whole = observer.frames.filter { !$0.isPartial }
    #expect(!whole.isEmpty)
    #expect(whole.allSatisfy { $0.samples.count == 442 })
  }

  @Test(arguments: [Duration.milliseconds(5), .zero, .seconds(-1), .nanoseconds(9_999_999)])
  func intervalsThatAreTooShort(interval: Duration) {
    let error = #expect(throws: AudioError.self) {
      try run(rate: 8_000, channels: 1, FrameParameters(interval: interval))
    }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.reason == "it is less than 10 ms")
    #expect(error?.advice == "the smallest is 10 ms")
  }

  @Test func anIntervalAndASamplesPerCallAreOneChoice() throws {
    let (counted, timed) = (
      FrameParameters(samplesPerCall: 960), FrameParameters(interval: .milliseconds(30))
    )
    #expect(counted.completed(by: timed) == counted)
    #expect(timed.completed(by: counted) == timed)
    #expect(FrameParameters().completed(by: timed) == timed)
    let error = #expect(throws: AudioError.self) {
      try run(
        rate: 8_000, channels: 1, FrameParameters(samplesPerCall: 960, interval: .milliseconds(30)))
    }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.subject == "960 samples per call and 0.03 seconds")
    #expect(error?.reason == "each says how long a frame is")
    #expect(error?.advice == "give one of them")
  }

  /// 160 samples of each of two channels are 320 of both.
  @Test func aLengthMayCountOneChannel() throws {
    let shape = try FrameParameters(samplesPerChannel: 160).resolved(
      native: StreamFormat(sampleRate: 16_000, channelCount: 2))
    #expect(shape.samplesPerCall == 320)
    let (one, all) = (FrameParameters(samplesPerChannel: 160), FrameParameters(samplesPerCall: 960))
    #expect(one.completed(by: all) == one)
    #expect(all.completed(by: one) == all)
    let error = #expect(throws: AudioError.self) {
      try run(rate: 16_000, channels: 2, FrameParameters(samplesPerChannel: 159))
    }
    #expect(error?.reason == "it is less than 10 ms at 16000 Hz, 2 channels")
  }

  /// A count that no `Int` holds is told, and not made smaller.
  @Test func aLengthBeyondAnInt() throws {
    let stereo = try StreamFormat(sampleRate: 16_000, channelCount: 2)
    let error = #expect(throws: AudioError.self) {
      try FrameParameters(samplesPerChannel: .max).resolved(native: stereo)
    }
    #expect(error?.kind == .invalidParameter && error?.subject == "\(Int.max)")
    #expect(error?.advice == "the most are \(Int.max / 2) samples per channel")
    let most = try FrameParameters(samplesPerChannel: .max / 2).resolved(native: stereo)
    #expect(most.samplesPerCall == Int.max - 1)
  }

  @Test(arguments: [
    (1_000, 1, true), (768_000, 1, true), (8_000, 64, true), (999, 1, false), (768_001, 1, false),
    (8_000, 0, false), (8_000, 65, false),
  ])
  func limits(rate: Int, channels: Int, isLegal: Bool) throws {
    let asked = FrameParameters(sampleRate: rate, channelCount: channels)
    let session = Session()
    session.resamplerQuality = .fast
    try session.setLocal(try GivenSource([0.5, 0.25], rate: 8_000))
    let observer = RecordingObserver<Float>(.record, asked)
    try session.register(observer)
    var told: AudioError?
    do throws(AudioError) { _ = try session.run() } catch { told = error }
    #expect((told == nil) == isLegal)
    #expect(told == nil || told?.kind == .invalidParameter)
    #expect(observer.frames.isEmpty == !isLegal)
  }

  /// The session's values win; the observer's values fill the gaps.
  @Test func theSessionBeatsTheObserverAndSaysSo() throws {
    let bench = try ContractSession()
    let own = FrameParameters(sampleRate: 16_000, mode: .writeOnly, samplesPerCall: 320)
    let set = FrameParameters(channelCount: 2, samplesPerCall: 400)
    let observer = RecordingObserver<Float>([.record, .playback], own)
    let registration = try bench.session.register(observer)
    try bench.session.setParameters(set, at: .record)
    _ = try bench.run()
    #expect(registration.parameters[.record]?.origin == .session)
    #expect(registration.parameters[.record]?.setOnSession == set)
    #expect(
      registration.parameters[.record]?.parameters
        == FrameParameters(
          sampleRate: 16_000, channelCount: 2, mode: .writeOnly, samplesPerCall: 400))
    #expect(registration.parameters[.playback]?.origin == .observer)
    #expect(registration.parameters[.playback]?.parameters == own)
    #expect(registration.parameters[.playback]?.setOnSession == FrameParameters())
    for (frame, position) in zip(observer.frames, observer.visited) {
      #expect(frame.format.sampleRate == 16_000)
      #expect(frame.format.channelCount == (position == .record ? 2 : 1))
      #expect(frame.isPartial || frame.samples.count == (position == .record ? 400 : 320))
    }
    #expect(bench.sinks[0].samples.allSatisfy { $0 == 0 })
    #expect(bench.sinks[1].samples.allSatisfy { $0 == 0 })
  }

  /// A mode set on the session wins, too.
  @Test func theModeIsTheObserversUnlessItIsSet() throws {
    for mode in [nil, ObserverMode.readOnly] {
      let samples = Noise.integers(4_800).map { $0 / 2 }
      let session = try Session(local: GivenSource(samples))
      let registration = try session.register(
        GainObserver(
          .record, factor: 2, parameters: FrameParameters(sampleRate: 48_000)))
      try session.setParameters(FrameParameters(mode: mode, samplesPerCall: 960), at: .record)
      let sink = try session.run(collecting: .publish, precision: .double)
      #expect(sink.samples == samples.map { mode == nil ? $0 * 2 : $0 })
      #expect(registration.statistics[.record]?.calls == 5)
      #expect(registration.parameters[.record]?.parameters.mode == mode ?? .readWrite)
    }
  }
}
