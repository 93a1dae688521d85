// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioCore

@Suite struct SweepTests {
  /// Compares with the phase formula, evaluated with `pow`.
  @Test(arguments: [(20.0, 20_000.0), (10_000, 100)])
  func followsTheFormula(_ first: Double, _ last: Double) throws {
    let source = SweepSource(
      from: first, to: last, amplitude: 1, duration: .samples(24_000))
    let samples: [Double] = try readAll(source)
    #expect(samples.count == 24_000)
    for index in stride(from: 0, to: 24_000, by: 7) {
      let time = Double(index) / 48_000
      let cycles = first * 0.5 / log(last / first) * (pow(last / first, time / 0.5) - 1)
      #expect(abs(samples[index] - sin(2 * Double.pi * cycles)) < 1e-8)
    }
  }

  /// At half the time, the frequency is the geometric mean of the two.
  @Test func growsByTheSameFactorInEqualTimes() throws {
    let samples: [Double] = try readAll(
      SweepSource(from: 100, to: 6_400, duration: .samples(48_000)))
    func crossings(_ range: Range<Int>) -> Double {
      Double(range.filter { (samples[$0] < 0) != (samples[$0 + 1] < 0) }.count)
    }
    #expect(abs(crossings(23_000..<25_000) / (2 * 2_000 / 48_000.0) / 800 - 1) < 0.02)
    #expect(abs(crossings(46_000..<47_999) / (2 * 1_999 / 48_000.0) / 5_870 - 1) < 0.02)
  }

  @Test func needsADurationAndFrequencies() {
    for source in [
      SweepSource(from: 20, to: 20_000, duration: nil),
      SweepSource(from: 0, to: 20_000, duration: .time(.seconds(1))),
      SweepSource(from: 20, to: 24_000, duration: .time(.seconds(1))),
    ] {
      #expect(
        errorKind { try source.initialize(proposing: nil, wakeup: Wakeup()) } == .invalidParameter)
    }
  }

  @Test func ofOneFrequencyIsATone() throws {
    let sweep: [Double] = try readAll(
      SweepSource(from: 440, to: 440, duration: .samples(500)))
    let tone: [Double] = try readAll(
      ToneSource(frequency: 440, duration: .samples(500)))
    #expect(zip(sweep, tone).allSatisfy { abs($0 - $1) < 1e-12 })
  }
}
