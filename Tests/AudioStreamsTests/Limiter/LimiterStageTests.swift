// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A limiter: no sample exceeds the limit, none moves, and samples below the limit are unchanged.
@Suite struct LimiterStageTests {
  private func limited(
    _ samples: [Double], _ setting: LimiterSetting, width: Int = 1, rate: Int = 48_000,
    cuts: [Int] = []
  ) throws -> [Double] {
    let stage = LimiterStage<Double>(
      format: try StreamFormat(sampleRate: rate, channelCount: width), setting)
    let output = SampleQueue<Double>()
    var start = 0
    for end in cuts + [samples.count / width] {
      stage.process(Array(samples[start * width..<end * width]).span, into: output)
      start = end
    }
    while !stage.isFinished { stage.finish(into: output) }
    return (0..<output.count).map { output.readable[$0] }
  }

  private func truePeak(_ samples: [Double], _ width: Int, rate: Int) throws -> Double {
    let meter = SoundMeter(
      try StreamFormat(sampleRate: rate, channelCount: width), measures: .truePeak)
    meter.add(samples.span)
    return meter.finish().truePeak ?? -.infinity
  }

  /// Noise, a square wave, a tone near half the rate, and clicks, up to 20 dB above full scale.
  @Test(arguments: [8_000, 44_100, 48_000, 96_000, 192_000], [1, 2, 3])
  func nothingIsAboveTheLimit(_ rate: Int, _ width: Int) throws {
    let count = 6_000
    let noise: [Double] = Noise.samples(width * count, seed: UInt64(rate + width))
    for kind in 0..<4 {
      let samples = (0..<width * count).map { index -> Double in
        let n = Double(index / width)
        switch kind {
        case 0: return noise[index] * 10
        case 1: return sin(n * 0.07) < 0 ? -3 : 3
        case 2: return 4 * sin(2 * .pi * 0.46 * n + 1)
        default: return index % 997 == 0 ? 5 : noise[index] * 0.1
        }
      }
      let setting = LimiterSetting(limit: -Double(kind))
      let output = try limited(samples, setting, width: width, rate: rate)
      #expect(output.count == samples.count)
      let peak = try truePeak(output, width, rate: rate)
      #expect(peak <= setting.limit, "kind \(kind)")
      // The limiter takes no more than necessary.
      #expect(peak > setting.limit - 1.5, "kind \(kind)")
    }
  }

  /// The gain that a slow sine requires rises for longer than the window of the look-ahead.
  @Test(arguments: [5.0, 20, 30, 45])
  func aSlowSineIsLimited(_ frequency: Double) throws {
    let samples = (0..<48_000).map { 4 * sin(2 * .pi * frequency * Double($0) / 48_000) }
    let output = try limited(samples, LimiterSetting(limit: -1))
    let peak = try truePeak(output, 1, rate: 48_000)
    #expect(peak <= -1 && peak > -1.5)
  }

  @Test func belowTheLimitNothingChanges() throws {
    let noise: [Double] = Noise.samples(20_000)
    let samples = noise.map { $0 * 0.3 }
    #expect(try limited(samples, LimiterSetting(limit: -1), width: 2) == samples)
  }

  /// The gain falls before a peak and rises after it; far from it samples pass to the bit.
  @Test func aPeakIsAnEvent() throws {
    let noise: [Double] = Noise.samples(60_000)
    var samples = noise.map { $0 * 0.1 }
    samples[20_000] = 2
    let output = try limited(samples, LimiterSetting(limit: -6, release: 0.01))
    #expect(output.count == samples.count)
    #expect(Array(output[..<19_700]) == Array(samples[..<19_700]))
    #expect(Array(output[45_000...]) == Array(samples[45_000...]))
    let gains = (19_000..<45_000).map { output[$0] / samples[$0] }
    let lowest = try #require(gains.firstIndex { $0 == gains.min() })
    #expect(abs(19_000 + lowest - 20_000) <= 16)
    // No step: the gain falls by 12 dB in 5 ms.
    #expect(zip(gains, gains.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 })
    #expect(gains.allSatisfy { $0 <= 1 && $0 > 0.2 })
  }

  @Test func theFirstAndTheLastSampleAreLimited() throws {
    var samples = [Double](repeating: 0.01, count: 3_000)
    samples[0] = 3
    samples[2_999] = -3
    let output = try limited(samples, LimiterSetting(limit: -3))
    #expect(output.count == 3_000)
    #expect(abs(output[0]) < 0.71 && abs(output[0]) > 0.6)
    #expect(abs(output[2_999]) < 0.71 && abs(output[2_999]) > 0.6)
  }

  @Test(arguments: 1...6)
  func cutsDoNotMatter(_ seed: Int) throws {
    let noise: [Double] = Noise.samples(2 * 9_000, seed: 7)
    let samples = noise.enumerated().map { $1 * ($0 / 4_000 % 2 == 0 ? 0.2 : 4) }
    let whole = try limited(samples, LimiterSetting(limit: -2), width: 2)
    var random = SeededRandom(seed: UInt64(seed))
    let cuts = (0..<40).map { _ in Int(random.next() % 9_000) }.sorted()
    #expect(try limited(samples, LimiterSetting(limit: -2), width: 2, cuts: cuts) == whole)
  }

  @Test func allChannelsHaveOneGain() throws {
    let noise: [Double] = Noise.samples(2 * 6_000, seed: 3)
    let samples = noise.enumerated().map { $0 % 2 == 0 ? $1 * 5 : $1 * 0.01 }
    let output = try limited(samples, LimiterSetting(limit: -1), width: 2)
    for frame in 1_000..<6_000 where abs(samples[2 * frame]) > 0.1 {
      let (left, right) = (
        output[2 * frame] / samples[2 * frame], output[2 * frame + 1] / samples[2 * frame + 1]
      )
      #expect(abs(left - right) < 1e-9)
    }
  }

  /// NaN requests no gain, and hides no peak beside it.
  @Test func samplesThatAreNotNumbers() throws {
    var samples = [Double](repeating: 0.01, count: 4_000)
    samples[1_000] = .nan
    samples[1_100] = 4
    samples[3_000] = .infinity
    let output = try limited(samples, LimiterSetting(limit: 0))
    #expect(output[1_000].isNaN && output[3_000] == .infinity)
    #expect(output[1_100] <= 1 && output[1_100] > 0.9)
    (samples[1_000], samples[3_000]) = (0.01, 0.01)
    let plain = try limited(samples, LimiterSetting(limit: 0))
    let others = samples.indices.filter { $0 != 1_000 && $0 != 3_000 }
    #expect(others.map { output[$0] } == others.map { plain[$0] })
  }

  /// Wherever the peak stands in the blocks in which the limiter works.
  @Test(arguments: [-2, 2, 7])
  func aPeakBesideNaN(_ distance: Int) throws {
    for place in 480..<560 {
      var samples = [Double](repeating: 0.01, count: 2_000)
      samples[place] = 4
      samples[place + distance] = .nan
      let output = try limited(samples, LimiterSetting(limit: 0))
      #expect(output[place] <= 1, "at \(place)")
    }
  }
}
