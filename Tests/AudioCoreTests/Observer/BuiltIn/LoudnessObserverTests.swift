import Glibc
import Testing

@testable import AudioCore

/// What a `LoudnessObserver` tells is what a meter of the same samples reads, whatever its frames are.
@Suite struct LoudnessObserverTests {
  private func run(
    _ observer: LoudnessObserver, _ samples: [Double], channels: Int = 2
  ) throws {
    let session = Session()
    try session.addRemote(try ArraySource(samples, channels: channels, encoding: .f64))
    try session.setSink(.playback, NullSink())
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

  @Test func changesNothing() throws {
    let samples = Noise.integers(20_000, seed: 12)
    let session = Session()
    try session.setLocal(try ArraySource(samples, channels: 2, encoding: .f64))
    let sink = CollectingSink()
    try session.setSink(.publish, sink)
    try session.register(LoudnessObserver(.record) { _ in })
    _ = try session.run()
    #expect(firstDifference(sink.samples, samples) == nil)
  }
}
