// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A `SoundLevelObserver` reports the intervals of a meter of those samples, at every frame size.
@Suite struct SoundLevelObserverTests {
  @Test(arguments: [nil, 960, 9_602])
  func reportsEachInterval(_ samplesPerCall: Int?) throws {
    let samples = Noise.integers(2 * (2 * 48_000 + 24_001), seed: 12)
    let settings = SoundLevelSettings(weighting: .c, calibration: 100)
    var told: [StreamSoundLevels] = []
    let session = Session()
    try session.addRemote(try GivenSource(samples, channels: 2, encoding: .f64))
    try session.setSink(.playback, NullSink())
    try session.register(
      SoundLevelObserver(
        .playback, settings, parameters: FrameParameters(samplesPerCall: samplesPerCall),
        interval: .time(.seconds(1))
      ) { told.append($0) })
    _ = try session.run()
    try #require(told.map(\.samplePosition) == [0, 48_000, 96_000])
    let meter = SoundLevelMeter(try StreamFormat(sampleRate: 48_000, channelCount: 2), settings)
    for report in told {
      let count = Int(report.levels.samplesPerChannel)
      #expect(count == (report.samplePosition == 96_000 ? 24_001 : 48_000))
      let start = 2 * Int(report.samplePosition)
      meter.add(samples.span.extracting(start..<start + 2 * count))
      #expect(meter.takeInterval() == report.levels)
    }
  }
}
