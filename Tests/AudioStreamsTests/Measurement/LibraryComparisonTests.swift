// SPDX-License-Identifier: Apache-2.0
import TestSupport
import CEBUR128
import Glibc
import Testing

/// A `SoundMeter` and libebur128 agree on equal samples.
@Suite struct LibraryComparisonTests {
  /// A handle of libebur128.
  @safe
  private struct Library: ~Copyable {
    private var state: UnsafeMutablePointer<ebur128_state>?

    init(_ samples: [Double], rate: Int, channels: Int) throws {
      let modes =
        EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        | EBUR128_MODE_SAMPLE_PEAK.rawValue
      unsafe state = ebur128_init(UInt32(channels), UInt(rate), Int32(modes))
      try unsafe #require(state != nil)
      let code = unsafe ebur128_add_frames_double(state, samples, samples.count / channels)
      try #require(code == Int32(EBUR128_SUCCESS.rawValue))
    }

    deinit {
      var state = unsafe state
      unsafe ebur128_destroy(&state)
    }

    private func value(
      _ get: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>) -> Int32
    ) -> Double {
      var value = Double.nan
      _ = unsafe get(state, &value)
      return value
    }

    var loudness: Double { unsafe value { unsafe ebur128_loudness_global($0, $1) } }
    var momentary: Double { unsafe value { unsafe ebur128_loudness_momentary($0, $1) } }
    var shortTerm: Double { unsafe value { unsafe ebur128_loudness_shortterm($0, $1) } }
    var range: Double { unsafe value { unsafe ebur128_loudness_range($0, $1) } }

    func truePeak(_ channel: Int) -> Double {
      unsafe value { unsafe ebur128_true_peak($0, UInt32(channel), $1) }
    }

    func samplePeak(_ channel: Int) -> Double {
      unsafe value { unsafe ebur128_sample_peak($0, UInt32(channel), $1) }
    }
  }

  /// Returns noise with a varying level.
  private func noise(_ count: Int, channels: Int, seed: UInt64) -> [Double] {
    let noise = Noise.integers(count * channels, seed: seed)
    return noise.indices.map { index in
      let time = Double(index / channels) / Double(count)
      return noise[index] * (0.05 + 0.9 * abs(sin(9 * time)) * abs(sin(23 * time)))
    }
  }

  @Test(arguments: [
    (48_000, 2), (44_100, 1), (44_100, 2), (8_000, 2), (16_000, 5), (32_000, 6), (96_000, 1),
    (192_000, 1), (22_050, 3),
  ])
  func readsTheSame(_ rate: Int, _ channels: Int) throws {
    let seconds = rate > 50_000 ? 2 : rate > 20_000 ? 4 : 8
    let samples = noise(rate * seconds, channels: channels, seed: UInt64(rate + channels))
    let library = try Library(samples, rate: rate, channels: channels)
    let meter = SoundMeter(try StreamFormat(sampleRate: rate, channelCount: channels))
    meter.add(samples.span)
    let reading = meter.reading
    let found = meter.finish()
    #expect(abs(try #require(found.loudness) - library.loudness) < 0.01)
    #expect(abs(try #require(reading.momentary) - library.momentary) < 0.01)
    if seconds > 3 {
      #expect(abs(try #require(reading.shortTerm) - library.shortTerm) < 0.01)
      // The library takes a short-term block each second, not each tenth of a second.
      #expect(abs(try #require(found.loudnessRange) - library.range) < 1)
    }
    for channel in 0..<channels {
      let peaks = found.channels[channel]
      let truePeak = Decibels.level(library.truePeak(channel))
      #expect(abs(try #require(peaks.truePeak) - truePeak) < 0.001)
      #expect(try #require(peaks.samplePeak) == Decibels.level(library.samplePeak(channel)))
    }
  }

  /// A skipped sample is never the peak: short bursts in quiet noise, and tones with peaks between samples.
  @Test(arguments: 1...12)
  func theTruePeakIsExact(_ seed: UInt64) throws {
    var samples = noise(24_000, channels: 2, seed: seed).map { $0 * 0.2 }
    for burst in 0..<20 {
      let start = (Int(seed) * 613 + burst * 1_151) % 23_900
      let frequency = 0.3 + 0.09 * Double((burst + Int(seed)) % 29)
      for index in 0..<90 {
        let window = sin(Double(index) * .pi / 90)
        samples[2 * (start + index)] +=
          0.04 * Double(burst) * window * sin(frequency * Double(index) + Double(burst))
      }
    }
    let library = try Library(samples, rate: 48_000, channels: 2)
    let meter = SoundMeter(
      try StreamFormat(sampleRate: 48_000, channelCount: 2), measures: .truePeak)
    meter.add(samples.span)
    let found = meter.finish()
    for channel in 0..<2 {
      let expected = Decibels.level(library.truePeak(channel))
      #expect(abs(try #require(found.channels[channel].truePeak) - expected) < 0.001)
    }
  }
}
