// SPDX-License-Identifier: Apache-2.0
import Glibc
import Foundation
import TestProcess
import TestSupport
import Testing

@testable import AudioStreams

/// The weightings, time weightings and bands lie within class 1 of IEC 61672-1 and IEC 61260-1.
@Suite struct SoundLevelTests {
  private static let rates = [
    8_000, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000, 384_000,
  ]

  private func tone(
    _ frequency: Double, level: Double = 0, seconds: Double, rate: Int = 48_000
  ) -> [Double] {
    // A level of 0 dB is an RMS of 1.
    let amplitude = 2.0.squareRoot() * Decibels.factor(level)
    return (0..<Int(seconds * Double(rate))).map {
      amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate))
    }
  }

  private func meter(
    _ weighting: FrequencyWeighting, rate: Int = 48_000, channels: Int = 1,
    calibration: Double? = nil, bands: Bool = false
  ) throws -> SoundLevelMeter {
    SoundLevelMeter(
      try StreamFormat(sampleRate: rate, channelCount: channels),
      SoundLevelSettings(weighting: weighting, calibration: calibration, bands: bands))
  }

  /// IEC 61672-1:2013, table 3: nominal frequency, A, C, and the limits of class 1.
  private static let table: [(number: Int, a: Double, c: Double, upper: Double, lower: Double)] = [
    (-20, -70.4, -14.3, 3.0, -.infinity), (-19, -63.4, -11.2, 2.5, -.infinity),
    (-18, -56.7, -8.5, 2.0, -4.0), (-17, -50.5, -6.2, 2.0, -2.0), (-16, -44.7, -4.4, 2.0, -1.5),
    (-15, -39.4, -3.0, 1.5, -1.5), (-14, -34.6, -2.0, 1.0, -1.0), (-13, -30.2, -1.3, 1.0, -1.0),
    (-12, -26.2, -0.8, 1.0, -1.0), (-11, -22.5, -0.5, 1.0, -1.0), (-10, -19.1, -0.3, 1.0, -1.0),
    (-9, -16.1, -0.2, 1.0, -1.0), (-8, -13.4, -0.1, 1.0, -1.0), (-7, -10.9, 0, 1.0, -1.0),
    (-6, -8.6, 0, 1.0, -1.0), (-5, -6.6, 0, 1.0, -1.0), (-4, -4.8, 0, 1.0, -1.0),
    (-3, -3.2, 0, 1.0, -1.0), (-2, -1.9, 0, 1.0, -1.0), (-1, -0.8, 0, 1.0, -1.0),
    (0, 0, 0, 0.7, -0.7), (1, 0.6, 0, 1.0, -1.0), (2, 1.0, -0.1, 1.0, -1.0),
    (3, 1.2, -0.2, 1.0, -1.0), (4, 1.3, -0.3, 1.0, -1.0), (5, 1.2, -0.5, 1.0, -1.0),
    (6, 1.0, -0.8, 1.0, -1.0), (7, 0.5, -1.3, 1.5, -1.5), (8, -0.1, -2.0, 1.5, -2.0),
    (9, -1.1, -3.0, 1.5, -2.5), (10, -2.5, -4.4, 2.0, -3.0), (11, -4.3, -6.2, 2.0, -5.0),
    (12, -6.6, -8.5, 2.5, -16.0), (13, -9.3, -11.2, 3.0, -.infinity),
  ]

  @Test(arguments: rates) func weightingsAreOfClassOne(rate: Int) {
    for row in Self.table {
      let frequency = 1_000 * pow(10, Double(row.number) / 10)
      if frequency >= 0.49 * Double(rate) { break }
      let limits = row.lower...row.upper
      expectClassOne(.a, row.a, limits, at: frequency, of: rate)
      expectClassOne(.c, row.c, limits, at: frequency, of: rate)
      expectClassOne(.z, 0, limits, at: frequency, of: rate)
    }
  }

  private func expectClassOne(
    _ weighting: FrequencyWeighting, _ nominal: Double, _ limits: ClosedRange<Double>,
    at frequency: Double, of rate: Int
  ) {
    let goal = weighting.goal(at: frequency)
    // The table is rounded to a tenth.
    #expect(abs(goal - nominal) <= 0.051)
    let angle = 2 * Double.pi * frequency / Double(rate)
    let gain = weighting.sections(at: rate).reduce(1) { $0 * $1.gain(at: angle) }
    let deviation = Decibels.level(gain) - goal
    #expect(limits.contains(deviation), "\(weighting) at \(frequency) Hz")
    // Closer than the standard asks for.
    #expect(abs(deviation) <= (frequency < 16_500 ? 0.72 : 1.2), "\(weighting) at \(frequency) Hz")
  }

  /// A tone through the meter has the level that the standard's formula gives.
  @Test(arguments: [-15, -10, -5, 0, 5, 8], FrequencyWeighting.allCases)
  func tonesHaveTheirLevels(number: Int, weighting: FrequencyWeighting) throws {
    let frequency = 1_000 * pow(10, Double(number) / 10)
    let meter = try meter(weighting, rate: 44_100, calibration: 100)
    let samples = tone(frequency, level: -20, seconds: 2.5, rate: 44_100)
    meter.add(samples.span.extracting(..<22_050))
    _ = meter.takeInterval()
    meter.add(samples.span.extracting(22_050...))
    let levels = meter.takeInterval().channels[0]
    let expected = 80 + weighting.goal(at: frequency)
    #expect(abs(try #require(levels.average) - expected) < 0.35)
    // The ripple of a square at the lowest frequency is some hundredths of a decibel.
    #expect(abs(try #require(levels.maxFast) - expected) < 0.5)
    #expect(abs(try #require(levels.exceeded50) - expected) < 0.5)
  }

  /// IEC 61672-1:2013, table 4: bursts of 4 kHz below the level of the steady tone.
  @Test(arguments: [
    (1.0, 0.0, -2.0), (0.5, -0.1, -4.1), (0.2, -1.0, -7.4), (0.1, -2.6, -10.2),
    (0.05, -4.8, -13.1), (0.02, -8.3, -17.0), (0.01, -11.1, -20.0), (0.005, -14.1, -23.0),
    (0.002, -18.0, -27.0),
  ]) func bursts(seconds: Double, fast: Double, slow: Double) throws {
    let steady = try meter(.a)
    steady.add(tone(4_000, seconds: 8).span)
    let reference = try #require(steady.takeInterval().channels[0].maxSlow)
    let meter = try meter(.a)
    meter.add(tone(4_000, seconds: seconds).span)
    meter.add([Double](repeating: 0, count: 48_000).span)
    let levels = meter.takeInterval().channels[0]
    #expect(abs(try #require(levels.maxFast) - reference - fast) <= 0.12)
    #expect(abs(try #require(levels.maxSlow) - reference - slow) <= 0.12)
  }

  /// Levels and shares equal those of the definitions, computed sample by sample.
  @Test func definitions() throws {
    var random = SeededRandom(seed: 76)
    let rate = 8_000
    let samples = (0..<rate * 20).map { index in
      let swell = 0.5 + 0.499 * sin(Double(index) / 9_000)
      return swell * swell * Double.random(in: -1...1, using: &random)
    }
    let meter = try meter(.z, rate: rate)
    meter.add(samples.span)
    let levels = meter.takeInterval().channels[0]
    var (fast, slow, sum) = (0.0, 0.0, 0.0)
    var (maxFast, maxSlow) = (0.0, 0.0)
    var steps: [Double] = []
    // The high-pass of 1 Hz alone.
    let section = FrequencyWeighting.z.sections(at: rate)[0]
    var (lastInput, lastOutput) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let output = section.b0 * sample + section.b1 * lastInput - section.a1 * lastOutput
      (lastInput, lastOutput) = (sample, output)
      sum += output * output
      fast += (1 - exp(-1 / (0.125 * 8_000))) * (output * output - fast)
      slow += (1 - exp(-1.0 / 8_000)) * (output * output - slow)
      maxFast = max(maxFast, fast)
      maxSlow = max(maxSlow, slow)
      if index % 80 == 79 { steps.append(10 * log10(fast)) }
    }
    steps.sort(by: >)
    #expect(abs(try #require(levels.average) - 10 * log10(sum / Double(samples.count))) < 1e-9)
    #expect(abs(try #require(levels.maxFast) - 10 * log10(maxFast)) < 1e-9)
    #expect(abs(try #require(levels.maxSlow) - 10 * log10(maxSlow)) < 1e-9)
    let count = steps.count
    #expect(abs(try #require(levels.exceeded10) - steps[count / 10]) <= 0.1)
    #expect(abs(try #require(levels.exceeded50) - steps[count / 2]) <= 0.1)
    #expect(abs(try #require(levels.exceeded90) - steps[count * 9 / 10]) <= 0.1)
  }

  /// IEC 61260-1:2014, table 1, class 1, and IEC 61260:1995, whose limits of class 1 are narrower in the pass band and
  /// wider behind it: here the stricter of both. Each row is an exponent of G for octaves, and the least and greatest
  /// attenuation.
  private static let mask: [(exponent: Double, least: Double, greatest: Double)] = [
    (0, -0.3, 0.3), (0.125, -0.3, 0.4), (0.25, -0.3, 0.6), (0.375, -0.3, 1.3),
    (0.499_999, -0.3, 5.0), (0.500_001, 2.0, 5.3), (1, 17.5, .infinity), (2, 42, .infinity),
    (3, 61, .infinity), (4, 70, .infinity), (5, 70, .infinity),
  ]

  /// IEC 61260-1:2014, formula 10, for b = 3.
  private static func place(_ exponent: Double) -> Double {
    let octave = pow(10, 0.3)
    return 1 + (pow(octave, 1.0 / 6) - 1) / (pow(octave, 0.5) - 1) * (pow(octave, exponent) - 1)
  }

  @Test(arguments: rates) func bandsAreOfClassOne(rate: Int) {
    for band in ThirdOctave.all(at: rate) {
      for row in Self.mask {
        let ratio = Self.place(row.exponent)
        expect(band, at: band.middle / ratio, of: rate, row.least...row.greatest)
        expect(band, at: band.middle * ratio, of: rate, row.least...row.greatest)
      }
    }
  }

  private func expect(
    _ band: ThirdOctave, at frequency: Double, of rate: Int, _ limits: ClosedRange<Double>
  ) {
    if frequency >= Double(rate) / 2 { return }
    let attenuation = -Decibels.level(band.gain(at: frequency, sampleRate: rate))
    #expect(limits.contains(attenuation), "\(band.name) Hz at \(frequency)")
  }

  @Test func bandsHaveTheirNames() {
    #expect(
      ThirdOctave.all(at: 48_000).map(\.name) == [
        "12.5", "16", "20", "25", "31.5", "40", "50", "63", "80", "100", "125", "160", "200",
        "250", "315", "400", "500", "630", "800", "1000", "1250", "1600", "2000", "2500", "3150",
        "4000", "5000", "6300", "8000", "10000", "12500", "16000", "20000",
      ])
    #expect(ThirdOctave.all(at: 44_100).last?.name == "16000")
    #expect(ThirdOctave.all(at: 384_000).last?.name == "160000")
  }

  /// The filters that run have the responses that ``ThirdOctave/gain(at:sampleRate:)`` states.
  @Test(arguments: [(48_000, 1_000.0), (48_000, 63.1), (16_000, 5_011.9), (192_000, 40.0)])
  func bandsOfTones(rate: Int, frequency: Double) throws {
    let meter = try meter(.z, rate: rate, bands: true)
    let samples = tone(frequency, level: -10, seconds: 5, rate: rate)
    meter.add(samples.span.extracting(..<(3 * rate)))
    _ = meter.takeInterval()
    meter.add(samples.span.extracting((3 * rate)...))
    for band in meter.takeInterval().channels[0].bands {
      let gain = band.band.gain(at: frequency, sampleRate: rate)
      let difference = abs(try #require(band.level) + 10 - Decibels.level(gain))
      // The remains of the onset are below -80 dB.
      #expect(gain < 1e-4 || difference < (gain < 1e-3 ? 1 : 0.01), "\(band.band.name)")
    }
  }

  /// White noise has the power of each band's width: an integral of the response over frequency is within 0.4 dB.
  @Test func bandsOfNoise() throws {
    var random = SeededRandom(seed: 61_260)
    let rate = 48_000
    let meter = try meter(.z, bands: true)
    let samples = (0..<rate * 30).map { _ in Double.random(in: -0.5...0.5, using: &random) }
    meter.add(samples.span)
    for band in meter.takeInterval().channels[0].bands where band.band.middle > 300 {
      let width = (band.band.upperEdge - band.band.lowerEdge) / Double(rate / 2)
      #expect(
        abs(try #require(band.level) - 10 * log10(width / 12)) < 0.4, "\(band.band.name)")
    }
  }

  @Test func cutsChangeNothing() throws {
    var random = SeededRandom(seed: 1)
    let samples = (0..<44_100).map { _ in Float.random(in: -1...1, using: &random) }
    let one = try meter(.a, rate: 44_100, channels: 3, bands: true)
    one.add(samples.span)
    let other = try meter(.a, rate: 44_100, channels: 3, bands: true)
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + 3 * Int.random(in: 1...700, using: &random))
      other.add(samples.span.extracting(start..<end))
      start = end
    }
    let (first, second) = (one.takeInterval(), other.takeInterval())
    #expect(first == second)
    #expect(first.samplesPerChannel == 14_700)
  }

  @Test func silenceAndFaultsHaveNoLevel() throws {
    let meter = try meter(.c, channels: 2, bands: true)
    // A constant is no sound: it decays behind the high-pass.
    var samples = [Double](repeating: 0, count: 96_000)
    samples[4] = .nan
    samples[7] = .infinity
    samples[9] = 1e300
    meter.add(samples.span)
    let interval = meter.takeInterval()
    #expect(interval.notFiniteSamples == 3)
    for channel in interval.channels {
      #expect(channel.values.allSatisfy { $0 == nil })
      #expect(channel.bands.allSatisfy { $0.level == nil })
    }
    #expect(
      FrequencyWeighting.c.levelNames == ["LCeq", "LCFmax", "LCSmax", "LCF10", "LCF50", "LCF90"])
    #expect(meter.takeInterval().samplesPerChannel == 0)
  }

  /// A microphone's constant is no sound: without it, 0.2 % of full scale would hide a dead microphone.
  @Test func aConstantIsNoSound() throws {
    let meter = try meter(.z)
    meter.add([Double](repeating: 0.002, count: 48_000 * 5).span)
    _ = meter.takeInterval()
    meter.add([Double](repeating: 0.002, count: 48_000).span)
    #expect(try #require(meter.takeInterval().channels[0].average) < -200)
  }

  /// The table of docs/levels.md.
  @Test func pageHasTheFigures() throws {
    let page = try Package.text("docs/levels.md")
    for rate in Self.rates {
      let row = Self.row(of: rate)
      #expect(page.split(separator: "\n").contains { $0 == row }, "\(row)")
      let margins = Self.margins(of: rate)
      #expect(String(format: "%.2f %.2f", margins.pass, margins.beyond) == "0.30 1.01")
    }
    #expect(page.contains("0.30 dB to spare in the pass band and 1.01 dB beyond it"))
  }

  private static func row(of rate: Int) -> String {
    func deviation(_ numbers: ClosedRange<Int>) -> String {
      var worst = 0.0
      for number in numbers {
        let frequency = 1_000 * pow(10, Double(number) / 10)
        if frequency >= 0.49 * Double(rate) { break }
        let angle = 2 * Double.pi * frequency / Double(rate)
        for weighting in [FrequencyWeighting.a, .c] {
          let gain = weighting.sections(at: rate).reduce(1) { $0 * $1.gain(at: angle) }
          let found = Decibels.level(gain) - weighting.goal(at: frequency)
          if abs(found) > abs(worst) { worst = found }
        }
      }
      return worst == 0 ? "" : String(format: "%.2f", worst)
    }
    let cells = ["\(rate) Hz", deviation(-20...0), deviation(1...12), deviation(13...13)]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  /// The least distances of the bands from their limits.
  private static func margins(of rate: Int) -> (pass: Double, beyond: Double) {
    var (pass, beyond) = (Double.infinity, Double.infinity)
    for band in ThirdOctave.all(at: rate) {
      for row in mask {
        for frequency in [band.middle / place(row.exponent), band.middle * place(row.exponent)]
        where frequency < Double(rate) / 2 {
          let attenuation = -Decibels.level(band.gain(at: frequency, sampleRate: rate))
          let margin = min(attenuation - row.least, row.greatest - attenuation)
          if row.exponent < 0.5 { pass = min(pass, margin) } else { beyond = min(beyond, margin) }
        }
      }
    }
    return (pass, beyond)
  }
}
