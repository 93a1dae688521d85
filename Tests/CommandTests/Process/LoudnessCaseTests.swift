// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The minimum requirements of EBU Tech 3341 and 3342, with signals made from their descriptions, within the tolerances
/// stated there. Cases 7 and 8 of 3341, and 5 and 6 of 3342, are recordings.
@Suite struct LoudnessCaseTests {
  private func expect(
    _ value: Double?, _ expected: Double, _ lower: Double = 0.1, _ upper: Double? = nil,
    _ name: String = "", location: SourceLocation = #_sourceLocation
  ) throws {
    let value = try #require(value, sourceLocation: location)
    #expect(value >= expected - lower, "\(name)", sourceLocation: location)
    #expect(value <= expected + (upper ?? lower), "\(name)", sourceLocation: location)
  }

  @Test(arguments: [-23.0, -33])
  func cases1And2(_ level: Double) throws {
    var signal = LoudnessSignal()
    signal.add(level, seconds: 20)
    let measured = try MeasuredLoudness(signal)
    for key in ["loudness", "maxMomentary", "maxShortTerm"] { try expect(measured[key], level) }
  }

  @Test(
    arguments: [
      [[-36, 10], [-23, 60], [-36, 10]],
      [[-72, 10], [-36, 10], [-23, 60], [-36, 10], [-72, 10]],
      [[-26, 20], [-20, 20.1], [-26, 20]],
    ] as [[[Double]]])
  func cases3To5(_ parts: [[Double]]) throws {
    var signal = LoudnessSignal()
    for part in parts { signal.add(part[0], seconds: part[1]) }
    try expect(MeasuredLoudness(signal)["loudness"], -23)
  }

  /// As 5.0, and as 5.1 with a silent low-frequency channel.
  @Test(
    arguments: [
      [-28.0, -28, -24, -30, -30], [-28, -28, -24, nil, -30, -30],
      // The low-frequency channel does not count.
      [-28, -28, -24, -6, -30, -30],
    ] as [[Double?]])
  func case6(_ levels: [Double?]) throws {
    var signal = LoudnessSignal(channelCount: levels.count)
    signal.add(levels, seconds: 20)
    try expect(MeasuredLoudness(signal)["loudness"], -23)
  }

  /// Short and loud, longer and soft: the mean within the window of either measure.
  @Test(arguments: [("maxShortTerm", 5, 1.34, 1.66), ("maxMomentary", 25, 0.18, 0.22)])
  func cases9And12(_ key: String, _ times: Int, _ loud: Double, _ soft: Double) throws {
    var signal = LoudnessSignal()
    for _ in 0..<times {
      signal.add(-20, seconds: loud)
      signal.add(-30, seconds: soft)
    }
    try expect(MeasuredLoudness(signal)[key], -23)
  }

  /// A tone the length of the measure's window, at twenty places.
  @Test(arguments: [("maxShortTerm", 3, 0.15), ("maxMomentary", 0.4, 0.02)])
  func cases10And13(_ key: String, _ window: Double, _ step: Double) throws {
    for place in 0..<20 {
      var signal = LoudnessSignal()
      signal.add(nil, seconds: step * Double(place))
      signal.add(-23, seconds: window)
      signal.add(nil, seconds: 1)
      try expect(MeasuredLoudness(signal)[key], -23, 0.1, 0.1, "\(place)")
    }
  }

  /// Tones as in cases 10 and 13 in a row, each louder than the last.
  @Test(arguments: [("maxShortTerm", 3, 0.15), ("maxMomentary", 0.4, 0.02)])
  func cases11And14(_ key: String, _ window: Double, _ step: Double) throws {
    var signal = LoudnessSignal()
    for place in 0..<20 {
      signal.add(nil, seconds: step * Double(place))
      signal.add(-38 + Double(place), seconds: window)
      signal.add(nil, seconds: window - step * Double(place))
    }
    try expect(MeasuredLoudness(signal)[key], -19)
  }

  /// A tone at a fraction of the sample rate, whose samples miss its peaks; faded, because a step has its own peak.
  @Test(
    arguments: [
      [4, 0, 0.5, -6], [4, 45, 0.5, -6], [6, 60, 0.5, -6], [8, 67.5, 0.5, -6], [4, 45, 1.41, 3],
    ] as [[Double]])
  func cases15To19(_ tone: [Double]) throws {
    let (part, degrees, amplitude, expected) = (tone[0], tone[1], tone[2], tone[3])
    var signal = LoudnessSignal()
    let count = 48_000
    signal.add(count: count) { index in
      let phase = 2 * Double.pi * (Double(index) / part + degrees / 360)
      let fade = min(1, Double(min(index, count - index)) / 4_800)
      return amplitude * fade * sin(phase)
    }
    try expect(MeasuredLoudness(signal)["truePeak"], expected, 0.4, 0.2)
  }

  /// A band-limited pulse with a peak of 1 at 0, 1/4, 1/2 and 3/4 of a sample after a sample: every fourth sample of a
  /// waveform at four times the rate, from different starts.
  @Test(arguments: [0.0, 0.25, 0.5, 0.75])
  func cases20To23(_ offset: Double) throws {
    var signal = LoudnessSignal()
    signal.add(count: 9_600) { index in
      let time = Double(index - 4_800) - offset
      let window = abs(time) < 64 ? 0.5 + 0.5 * cos(Double.pi * time / 64) : 0
      let angle = 0.5 * Double.pi * time
      return window * (angle == 0 ? 1 : sin(angle) / angle)
    }
    try expect(MeasuredLoudness(signal)["truePeak"], 0, 0.4, 0.2)
  }

  /// Tech 3342, cases 1 to 4.
  @Test(
    arguments: [
      ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
    ] as [([Double], Double)])
  func ranges(_ levels: [Double], _ expected: Double) throws {
    var signal = LoudnessSignal()
    for level in levels { signal.add(level, seconds: 20) }
    try expect(MeasuredLoudness(signal)["loudnessRange"], expected, 1)
  }
}
