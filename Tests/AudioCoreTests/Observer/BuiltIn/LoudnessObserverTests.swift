// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Testing

/// A `LoudnessObserver` reports the reading of a meter of those samples, at every frame size.
@Suite struct LoudnessObserverTests {
  private func run(
    _ observer: LoudnessObserver, _ samples: [Double], channels: Int = 2
  ) throws {
    let session = Session()
    try session.addRemote(try GivenSource(samples, channels: channels, encoding: .f64))
    try session.setSink(NullSink(), at: .playback)
    try session.register(observer)
    _ = try session.run()
  }

  @Test(arguments: [nil, 960, 9_602])
  func readsOnceASecond(_ samplesPerCall: Int?) throws {
    let samples = Noise.integers(2 * (2 * 48_000 + 24_000), seed: 11)
    var told: [StreamLoudness] = []
    try run(
      LoudnessObserver(
        .playback, parameters: FrameParameters(samplesPerCall: samplesPerCall)
      ) { told.append($0) }, samples)
    try #require(told.count == 3)
    #expect(told.map(\.samplePosition) == [48_000, 96_000, 120_000])
    #expect(told.map { $0.measurement == nil } == [true, true, false])
    let meter = SoundMeter(try StreamFormat(sampleRate: 48_000, channelCount: 2))
    let (first, rest) = (Array(samples[..<(2 * 96_000)]), Array(samples[(2 * 96_000)...]))
    meter.add(first.span)
    #expect(told[1].reading == meter.reading)
    meter.add(rest.span)
    let whole = meter.finish()
    let found = try #require(told[2].measurement)
    #expect(found.loudness == whole.loudness)
    #expect(found.truePeak == whole.truePeak)
    #expect(found.samplesPerChannel == 120_000)
  }

  /// The fourth of four channels does not count if the source names it the low-frequency channel. In WAV's usual order
  /// it is the back right.
  @Test(arguments: [
    (
      ObservationPosition.record, false,
      Metadata.ChannelLayout.speakers(0xF) as Metadata.ChannelLayout?
    ),
    (.record, false, .discrete), (.record, false, nil), (.beforeMixing, false, .speakers(0xF)),
    (.playback, false, .speakers(0xF)), (.record, true, .speakers(0xF)),
  ])
  func channelsCountAsTheSourceSays(
    _ position: ObservationPosition, _ areChosen: Bool, _ layout: Metadata.ChannelLayout?
  ) throws {
    let samples = Noise.integers(4 * 48_000, seed: 13)
    var metadata = Metadata()
    metadata.channelLayout = layout
    let source = WrappedSource(
      try GivenSource(samples, channels: 4, encoding: .f64), carrying: metadata)
    let session = Session()
    if position == .record {
      try session.setLocal(source)
      try session.setSink(NullSink(), at: .publish)
    } else {
      try session.addRemote(source)
      try session.setSink(NullSink(), at: .playback)
    }
    if areChosen {
      let map = try ChannelMap((1...4).map { .channel($0) })
      try session.register(ChannelMapObserver(.record, map))
    }
    var told: [StreamLoudness] = []
    try session.register(LoudnessObserver(ObservationPositions(position)) { told.append($0) })
    _ = try session.run()
    // The layout of a sum or of chosen channels is unknown.
    let isKnown = position != .playback && !areChosen
    let meter = SoundMeter(
      try StreamFormat(sampleRate: 48_000, channelCount: 4), layout: isKnown ? layout : nil)
    meter.add(samples.span)
    #expect(try #require(told.last?.measurement).loudness == meter.finish().loudness)
  }

  @Test func changesNothing() throws {
    let samples = Noise.integers(20_000, seed: 12)
    let session = try Session(local: GivenSource(samples, channels: 2, encoding: .f64))
    let sink = try session.collect(.publish)
    try session.register(LoudnessObserver(.record) { _ in })
    _ = try session.run()
    #expect(firstDifference(sink.samples, samples) == nil)
  }
}
