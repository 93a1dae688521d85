// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The synthetic signals of Report ITU-R BS.2217, rebuilt so that the Recommendation's own filter gives their loudness;
/// within 0.1 LU. Its recordings of voice and music cannot be rebuilt.
@Suite struct LoudnessComplianceTests {
  /// Returns the gain of ITU-R BS.1770-4, annex 1, tables 1 and 2, for a frequency at 48 kHz, in decibels.
  static func weighting(at frequency: Double) -> Double {
    let angle = 2 * Double.pi * frequency / 48_000
    func magnitude(_ first: Double, _ second: Double, _ third: Double) -> Double {
      let real = first + second * cos(angle) + third * cos(2 * angle)
      let imaginary = second * sin(angle) + third * sin(2 * angle)
      return (real * real + imaginary * imaginary).squareRoot()
    }
    let shelf =
      magnitude(1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85)
      / magnitude(1, -1.690_659_293_182_41, 0.732_480_774_215_85)
    let high = magnitude(1, -2, 1) / magnitude(1, -1.990_047_454_833_98, 0.990_072_250_366_21)
    return 20 * log10(shelf * high)
  }

  /// Returns the peak level of a tone that gives a stream this loudness, in channels of this total weight.
  private func level(_ loudness: Double, at frequency: Double, weight: Double) -> Double {
    loudness + 0.691 - Self.weighting(at: frequency) - 10 * log10(weight / 2)
  }

  private func loudness(_ signal: LoudnessSignal) throws -> Double {
    try #require(MeasuredLoudness(signal)["loudness"])
  }

  @Test(arguments: [25.0, 100, 500, 1_000, 2_000, 10_000], [-23.0, -24])
  func tones(_ frequency: Double, _ expected: Double) throws {
    var signal = LoudnessSignal()
    signal.add(
      level(expected, at: frequency, weight: 2), seconds: 10, frequency: frequency)
    #expect(abs(try loudness(signal) - expected) <= 0.1)
  }

  @Test(arguments: [0, 1, 2, 4, 5], [-23.0, -24])
  func channels(_ place: Int, _ expected: Double) throws {
    var signal = LoudnessSignal(channelCount: 6)
    var levels = [Double?](repeating: nil, count: 6)
    levels[place] = level(expected, at: 1_000, weight: place < 4 ? 1 : 1.41)
    signal.add(levels, seconds: 10)
    #expect(abs(try loudness(signal) - expected) <= 0.1)
  }

  @Test func lowFrequenciesDoNotCount() throws {
    var signal = LoudnessSignal(channelCount: 6)
    signal.add([nil, nil, nil, -23, nil, nil], seconds: 10, frequency: 50)
    let measured = try MeasuredLoudness(signal)
    #expect(measured.isNull("loudness"))
    #expect(abs(try #require(measured["samplePeak"]) + 23) < 0.01)
  }

  @Test(arguments: [-23.0, -24])
  func allChannels(_ expected: Double) throws {
    var signal = LoudnessSignal(channelCount: 6)
    let level = level(expected, at: 1_000, weight: 3 + 2 * 1.41)
    signal.add([level, level, level, nil, level, level], seconds: 10)
    #expect(abs(try loudness(signal) - expected) <= 0.1)
  }

  @Test func theAbsoluteGate() throws {
    var signal = LoudnessSignal()
    for loudness in [-69.5, -70.5] {
      signal.add(level(loudness, at: 1_000, weight: 2), seconds: 60)
    }
    #expect(abs(try loudness(signal) + 69.5) <= 0.1)
  }

  @Test func theRelativeGate() throws {
    var signal = LoudnessSignal()
    // Both together are at -12.97 LUFS, so the second lies below the gate.
    for loudness in [-10.0, -30] {
      signal.add(level(loudness, at: 1_000, weight: 2), seconds: 30)
    }
    #expect(abs(try loudness(signal) + 10) <= 0.1)
  }

  /// A logarithmic sweep, as loud as the mean of the filter's powers over its frequencies.
  @Test func aSweep() throws {
    let (count, low, high) = (20 * 48_000, 40.0, 18_000.0)
    let gains = (0..<4_000).map { step in
      pow(10, Self.weighting(at: low * pow(high / low, (Double(step) + 0.5) / 4_000)) / 10)
    }
    let mean = 10 * log10(gains.reduce(0, +) / 4_000)
    let amplitude = pow(10, (-18 + 0.691 - mean) / 20)
    let ratio = log(high / low)
    var signal = LoudnessSignal()
    signal.add(count: count) { index in
      let time = Double(index) / Double(count)
      let phase = 2 * Double.pi * low * 20 / ratio * (exp(ratio * time) - 1)
      return amplitude * sin(phase)
    }
    // The gate drops nothing: the quietest part is less than 10 LU below the mean.
    #expect(abs(try loudness(signal) + 18) <= 0.1)
  }
}
