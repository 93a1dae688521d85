// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioCore

@Suite struct NoiseTests {
  /// Returns the power around `cycles` per sample, in dB, averaged over blocks under a Hann window.
  static func level(_ samples: [Double], at cycles: Double, blockLength: Int) -> Double {
    var power = 0.0
    let blocks = samples.count / blockLength
    for block in 0..<blocks {
      var (real, imaginary) = (0.0, 0.0)
      for index in 0..<blockLength {
        let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(blockLength))
        let angle = 2 * Double.pi * cycles * Double(index)
        real += window * samples[block * blockLength + index] * cos(angle)
        imaginary += window * samples[block * blockLength + index] * sin(angle)
      }
      power += real * real + imaginary * imaginary
    }
    return 10 * log10(power / Double(blocks * blockLength))
  }

  @Test func whiteIsEvenAndFlat() throws {
    let source = NoiseSource(.white, seed: 3, amplitude: 0.5)
    let samples: [Double] = try readAll(source, limit: 40_000)
    #expect(samples.allSatisfy { abs($0) <= 0.5 })
    let mean = samples.reduce(0, +) / 40_000
    let variance = samples.reduce(0) { $0 + $1 * $1 } / 40_000
    // Five standard errors of a uniform distribution of variance 0.25 / 3.
    #expect(abs(mean) < 5 * (0.25 / 3 / 40_000).squareRoot())
    #expect(abs(variance / (0.25 / 3) - 1) < 5 * (0.8 / 40_000).squareRoot())
    let levels = [0.01, 0.05, 0.1, 0.2, 0.3, 0.45].map {
      Self.level(samples, at: $0, blockLength: 200)
    }
    // White noise of variance v has the level 10 log10(3/8 v) under a Hann window.
    for level in levels { #expect(abs(level - 10 * log10(0.375 * 0.25 / 3)) < 1.5) }
  }

  /// The filter's response times √f, by a direct DFT of its impulse response, is flat from 10 Hz at 44.1 kHz to 0.4 of
  /// the rate.
  @Test func pinkFilterFallsByThreeDecibelsAnOctave() {
    var filter = PinkFilter(channelCount: 1)
    var response = [Double](repeating: 0, count: 32_768)
    response[0] = 1
    var span = response.mutableSpan
    filter.apply(to: &span)
    let levels = (0..<32).map { step in
      let cycles = 10 / 44_100.0 * pow(0.4 * 4_410, Double(step) / 31)
      let power = response.enumerated().reduce(into: (real: 0.0, imaginary: 0.0)) {
        $0.real += $1.element * cos(2 * Double.pi * cycles * Double($1.offset))
        $0.imaginary += $1.element * sin(2 * Double.pi * cycles * Double($1.offset))
      }
      return 10 * log10((power.real * power.real + power.imaginary * power.imaginary) * cycles)
    }
    let mean = levels.reduce(0, +) / 32
    for level in levels { #expect(abs(level - mean) < 0.1, "\(levels)") }
  }

  @Test func pinkHasItsLevelAndKeepsBelowFullScale() throws {
    let samples: [Double] = try readAll(NoiseSource(.pink, seed: 3, amplitude: 0.5), limit: 262_144)
    let variance = samples.reduce(0) { $0 + $1 * $1 } / 262_144
    #expect(abs(10 * log10(variance) + 20) < 0.5)
    #expect(samples.allSatisfy { abs($0) < 0.6 })
  }

  @Test func seedsAndChannelsDiffer() throws {
    for colour in NoiseSource.Colour.allCases {
      let one: [Double] = try readAll(NoiseSource(colour, seed: 1), limit: 1_000)
      #expect(try readAll(NoiseSource(colour, seed: 1), limit: 1_000) == one)
      #expect(try readAll(NoiseSource(colour, seed: 2), limit: 1_000) != one)
      let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
      let stereo: [Double] = try readAll(
        NoiseSource(colour, seed: 1), proposing: format, limit: 2_000)
      let differs = (0..<1_000).contains { (index: Int) -> Bool in
        stereo[2 * index] != stereo[2 * index + 1]
      }
      #expect(differs)
    }
  }

  @Test func silenceIsZeroAndEnds() throws {
    let samples: [Float] = try readAll(
      SilenceSource(duration: .time(.milliseconds(10))), as: Float.self)
    #expect(samples == [Float](repeating: 0, count: 480))
  }
}
