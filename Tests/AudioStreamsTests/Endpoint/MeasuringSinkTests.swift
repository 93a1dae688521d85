// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Peaks and stretches of sound equal those found by reading every sample.
@Suite struct MeasuringSinkTests {
  private func measure(
    _ samples: [Double], channels: Int = 1, _ threshold: Double? = nil, pieces: [Int] = [3]
  ) throws -> MeasuringSink {
    let session = try Session(
      local: GivenSource(samples, channels: channels, encoding: .f64, pieces: pieces))
    let sink = MeasuringSink(threshold: threshold)
    try session.setSink(sink, at: .publish)
    _ = try session.run()
    return sink
  }

  @Test func findsThePeak() throws {
    #expect(try measure([0.1, -0.75, 0.5]).peak == 0.75)
    #expect(try measure([0, 0]).peak == 0)
    let found = try measure([.nan, 0.25, -.infinity, .infinity])
    #expect(found.peak == 0.25)
    #expect(found.notFiniteSamples == 3)
  }

  @Test func findsTheSound() throws {
    let samples: [Double] = [0, 0.01, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.1, 0, 0.09, 0]
    #expect(try measure(samples, channels: 2, 0.1).sound == 2..<6)
    #expect(try measure(samples, channels: 1, 0.1).sound == 5..<11)
    #expect(try measure(samples, channels: 1, 0.6).sound == nil)
    #expect(try measure(samples, channels: 1, 0.1, pieces: [1]).sound == 5..<11)
    #expect(try measure(samples).sound == nil)
    // NaN is no silence.
    #expect(try measure([0, .nan, 0, 0, -.infinity, 0], 0.1).sound == 1..<5)
    #expect(try measure([0, .nan, 0, 0.2, 0, 0], 0.1, pieces: [6]).sound == 1..<4)
    #expect(try measure(samples, channels: 2).samplesPerChannel == 7)
  }
}
