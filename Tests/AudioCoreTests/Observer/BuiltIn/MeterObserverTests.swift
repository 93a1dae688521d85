// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@Suite struct MeterObserverTests {
  private func readings(
    _ samples: [Double], channels: Int = 1, samplesPerCall: Int? = nil,
    interval: TimePosition = .samples(1_000)
  ) throws -> [LevelReading] {
    var readings: [LevelReading] = []
    let session = try Session(local: GivenSource(samples, channels: channels, encoding: .f64))
    try session.setSink(NullSink(), at: .publish)
    try session.register(
      MeterObserver(
        .record, parameters: FrameParameters(samplesPerCall: samplesPerCall), interval: interval
      ) { readings.append($0) })
    _ = try session.run()
    return readings
  }

  /// Returns the peak and the root mean square of each channel of `samples`.
  private func levels(_ samples: ArraySlice<Double>, _ channels: Int) -> [(Double, Double)] {
    (0..<channels).map { channel in
      let own = stride(from: samples.startIndex + channel, to: samples.endIndex, by: channels)
        .map { samples[$0] }
      let energy = own.reduce(0) { $0 + $1 * $1 }
      return (own.map { abs($0) }.max() ?? 0, sqrt(energy / Double(own.count)))
    }
  }

  @Test(arguments: [480, 1_000, 1_234])
  func intervalsDoNotDependOnFrames(samplesPerChannelPerCall: Int) throws {
    let samples = Noise.integers(3_500 * 2, seed: 5, bits: 53)
    let readings = try readings(
      samples, channels: 2, samplesPerCall: samplesPerChannelPerCall * 2)
    #expect(readings.map { $0.samplePosition } == [0, 1_000, 2_000, 3_000, 0])
    #expect(readings.map { $0.samplesPerChannel } == [1_000, 1_000, 1_000, 500, 3_500])
    #expect(readings.map { $0.span } == Array(repeating: .interval, count: 4) + [.overall])
    for reading in readings {
      let start = Int(reading.samplePosition) * 2
      let expected = levels(samples[start..<start + Int(reading.samplesPerChannel) * 2], 2)
      for (level, (peak, rms)) in zip(reading.channels, expected) {
        #expect(level.peak == peak)
        #expect(abs(level.rms - rms) < 1e-12)
      }
    }
  }

  @Test func aFullScaleSquareIsZeroDecibels() throws {
    let square = (0..<4_800).map { $0 % 100 < 50 ? 1.0 : -1.0 }
    let sine = (0..<4_800).map { sin(2 * .pi * Double($0) / 48) / 2 }
    let overall = try #require(
      try readings(zip(square, sine).flatMap { [$0, $1] }, channels: 2).last)
    #expect(overall.channels[0].peakDecibels == 0)
    #expect(overall.channels[0].rmsDecibels == 0)
    #expect(abs(overall.channels[1].peakDecibels - -6.020_599_913) < 1e-8)
    #expect(abs(overall.channels[1].rmsDecibels - -9.030_899_870) < 1e-8)
    #expect(overall.channels.map { $0.clippedSamples } == [0, 0])
  }

  @Test func silenceIsMinusInfinityAndBeyondFullScaleIsCounted() throws {
    let overall = try #require(
      try readings([0, 1.5, 0, -1, 0, 0.1, 0, -1.000_1], channels: 2).last)
    #expect(overall.channels[0].rmsDecibels == -.infinity)
    #expect(overall.channels[0].clippedSamples == 0)
    #expect(overall.channels[0].notANumberSamples == 0)
    #expect(overall.channels[1].clippedSamples == 2)
  }

  /// One NaN sample is not silence.
  @Test func whatIsNotANumberHasNoLevel() throws {
    let overall = try #require(
      try readings([0.5, 0.5, 0, .nan, 0.25, 0, 0, -1.000_1], channels: 2).last)
    #expect(overall.channels[0].peak == 0.5)
    #expect(overall.channels[0].notANumberSamples == 0)
    #expect(overall.channels[1].peak.isNaN)
    #expect(overall.channels[1].peakDecibels.isNaN)
    #expect(overall.channels[1].rms.isNaN)
    #expect(overall.channels[1].notANumberSamples == 1)
    #expect(overall.channels[1].clippedSamples == 1)
  }

  @Test func anEmptyStreamHasAnOverallReadingOnly() throws {
    let readings = try readings([])
    #expect(readings.map { $0.span } == [.overall])
    #expect(readings.first?.channels.first?.rms == 0)
  }

  @Test func everySourceHasReadingsOfItsOwn() throws {
    var peaks: [String: Double] = [:]
    let session = Session()
    try session.addRemote(try GivenSource(Array(repeating: 0.5, count: 700)))
    try session.addShared(try GivenSource(Array(repeating: 0.25, count: 900)))
    try session.setSink(NullSink(), at: .playback)
    try session.register(
      MeterObserver([.beforeMixing, .playback]) { reading in
        if reading.span == .overall { peaks[reading.stream.name] = reading.channels[0].peak }
      })
    _ = try session.run()
    #expect(peaks == ["1": 0.5, "shared": 0.25, "playback": 0.75])
  }
}
