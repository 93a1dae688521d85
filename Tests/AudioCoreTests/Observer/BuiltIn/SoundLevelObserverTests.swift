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
    try session.setSink(NullSink(), at: .playback)
    try session.register(
      SoundLevelObserver(
        .playback, settings, parameters: FrameParameters(samplesPerCall: samplesPerCall),
        interval: .time(.seconds(1))
      ) { told.append($0) })
    _ = try session.run()
    let positions: [Int64] = told.map(\.samplePosition)
    #expect(positions == [0, 48_000, 96_000])
    let lengths: [Int64] = told.map(\.levels.samplesPerChannel)
    #expect(lengths == [48_000, 48_000, 24_001])
    let meter = SoundLevelMeter(try StreamFormat(sampleRate: 48_000, channelCount: 2), settings)
    for report in told {
      let start = 2 * Int(report.samplePosition)
      let end = start + 2 * Int(report.levels.samplesPerChannel)
      meter.add(samples.span.extracting(start..<end))
      #expect(meter.takeInterval() == report.levels)
    }
  }
}
