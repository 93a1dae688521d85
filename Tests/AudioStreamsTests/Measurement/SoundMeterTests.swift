// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Testing

@testable import AudioStreams

/// Levels and faults equal those of formulas and of reading every sample.
@Suite struct SoundMeterTests {
  private func measure(
    _ samples: [Double], rate: Int = 48_000, channels: Int = 1, pieces: [Int] = [1 << 20],
    layout: Metadata.ChannelLayout? = nil
  ) throws -> SoundMeasurement {
    let meter = SoundMeter(
      try StreamFormat(sampleRate: rate, channelCount: channels), layout: layout)
    var (start, piece) = (0, 0)
    while start < samples.count {
      let end = min(samples.count, start + pieces[piece % pieces.count] * channels)
      meter.add(samples[start..<end].span)
      (start, piece) = (end, piece + 1)
    }
    return meter.finish()
  }

  private func tone(
    _ frequency: Double, amplitude: Double = 1, count: Int = 48_000, rate: Int = 48_000
  ) -> [Double] {
    (0..<count).map { amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate)) }
  }

  @Test func levelsOfATone() throws {
    let found = try measure(tone(1_000, amplitude: 0.5).map { $0 + 0.1 })
    let square = 0.125 + 0.01
    #expect(abs(try #require(found.rms) - 10 * log10(square)) < 1e-9)
    #expect(try #require(found.samplePeak) == Decibels.level(0.6))
    #expect(
      abs(try #require(found.crestFactor) - (Decibels.level(0.6) - 10 * log10(square))) < 1e-9)
    #expect(abs(try #require(found.dcOffset) - 0.1) < 1e-12)
    #expect(found.clippedRuns == 0)
    #expect(found.effectiveBits == nil)
    #expect(found.phaseCorrelation == nil)
    #expect(found.samplesPerChannel == 48_000)
  }

  /// At every block size, and in either precision.
  @Test func theCutsDoNotMatter() throws {
    let samples = Noise.integers(2 * 25_000, seed: 3)
    let whole = try measure(samples, rate: 22_050, channels: 2)
    for pieces in [[1], [7, 1_000, 3], [220, 221]] {
      let cut = try measure(samples, rate: 22_050, channels: 2, pieces: pieces)
      #expect(cut.loudness == whole.loudness)
      #expect(cut.truePeak == whole.truePeak)
      #expect(cut.rms == whole.rms)
      #expect(cut.bandwidth == whole.bandwidth)
      #expect(cut.phaseCorrelation == whole.phaseCorrelation)
    }
    let meter = SoundMeter(try StreamFormat(sampleRate: 22_050, channelCount: 2))
    let singles = samples.map { Float($0) }
    meter.add(singles.span)
    #expect(meter.finish().loudness == whole.loudness)
  }

  /// A piece that ends within a sample frame loses nothing and shifts no channel.
  @Test(arguments: [[1], [3, 1], [5, 2, 1, 7], [1, 441, 440]])
  func cutsWithinASampleFrame(pieces: [Int]) throws {
    let format = try StreamFormat(sampleRate: 22_050, channelCount: 3)
    let samples = Noise.integers(3 * 12_000, seed: 5).enumerated().map { index, sample in
      sample / Double(1 + index % 3)
    }
    let whole = SoundMeter.measure(samples, format)
    let meter = SoundMeter(format)
    var (start, piece) = (0, 0)
    while start < samples.count {
      let end = min(samples.count, start + pieces[piece % pieces.count])
      meter.add(Array(samples[start..<end]))
      (start, piece) = (end, piece + 1)
    }
    let cut = meter.finish()
    #expect(cut.samplesPerChannel == 12_000)
    #expect(cut.loudness == whole.loudness)
    #expect(cut.truePeak == whole.truePeak)
    #expect(cut.channels.map(\.rms) == whole.channels.map(\.rms))
    #expect(cut.channels.map(\.samplePeak) == whole.channels.map(\.samplePeak))
    #expect(cut.bandwidth == whole.bandwidth)
  }

  /// Both halves of a sample frame, in different precisions, and the half left over at the end.
  @Test func halvesOfASampleFrame() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let meter = SoundMeter(format)
    meter.add([0.5, 0.25, 0.125] as [Float])
    meter.add([Double]())
    meter.add([-1, 0.75])
    let found = meter.finish()
    #expect(found.samplesPerChannel == 2)
    #expect(found.channels.map(\.samplePeak) == [Decibels.level(0.5), Decibels.level(1)])
    #expect(found.channels.map(\.dcOffset) == [0.625 / 2, -0.75 / 2])
    #expect(SoundMeter.measure([0.5, 0.25, 0.125] as [Float], format).samplesPerChannel == 1)
  }

  @Test func clippedRunsAreThreeOnOneSide() throws {
    let top = 32_767.0 / 32_768
    #expect(try measure([0, top, top, 0, top, top, top, 0]).clippedRuns == 1)
    #expect(try measure([top, top, -1, -1, top, top]).clippedRuns == 0)
    #expect(try measure([top, top, top, -1, -1, -1, -1, 1.5, 2, 1]).clippedRuns == 3)
    #expect(try measure(Array(repeating: 1, count: 10_000)).clippedRuns == 1)
    // The second channel's run, across a border of the measured blocks.
    var samples = [Double](repeating: 0, count: 2_000)
    for index in 478...482 { samples[2 * index + 1] = -1 }
    let found = try measure(samples, channels: 2)
    #expect(found.channels.map(\.clippedRuns) == [0, 1])
  }

  @Test func effectiveBits() throws {
    func bits(_ samples: [Double]) throws -> Int? { try measure(samples).effectiveBits }
    #expect(try bits(Noise.integers(1_000, bits: 16)) == 16)
    #expect(try bits(Noise.integers(1_000, bits: 24)) == 24)
    #expect(try bits(Noise.integers(1_000, bits: 8)) == 8)
    #expect(try bits([0.5, -0.5, 0, -1]) == 2)
    #expect(try bits([-1, -1]) == 1)
    #expect(try bits([0x1p-31]) == 32)
    #expect(try bits([0x1p-32]) == nil)
    #expect(try bits([0, 0]) == nil)
    #expect(try bits([0.1]) == nil)
  }

  @Test func silence() throws {
    var samples = [Double](repeating: 0.000_9, count: 48_000)
    #expect(try measure(samples).longestSilence == 1)
    #expect(try measure(samples).silenceAtStart == 1)
    #expect(try measure(samples).silenceAtEnd == 1)
    for index in [4_801, 24_001, 24_002, 40_000] { samples[index] = -0.5 }
    let found = try measure(samples)
    #expect(found.silenceAtStart == 4_801 / 48_000.0)
    #expect(found.longestSilence == 19_199 / 48_000.0)
    #expect(found.silenceAtEnd == 7_999 / 48_000.0)
    #expect(try measure(tone(100)).longestSilence == 0)
    // The second channel sounds.
    let pair = samples.flatMap { [$0, 0.2] }
    #expect(try measure(pair, channels: 2).longestSilence == 0)
  }

  @Test func channelsThatAreDeadOrTheSame() throws {
    let (one, other) = (Noise.integers(9_000, seed: 1), Noise.integers(9_000, seed: 2))
    let samples = one.indices.flatMap { [one[$0], other[$0], one[$0], 0.25, other[$0], 0.25] }
    let found = try measure(samples, channels: 6)
    #expect(found.channels.map(\.identicalChannel) == [nil, nil, 0, nil, 1, 3])
    #expect(found.channels.map(\.isDead) == [false, false, false, true, false, true])
  }

  @Test func phaseCorrelation() throws {
    let noise = Noise.integers(20_000, seed: 5)
    let other = Noise.integers(20_000, seed: 6)
    func correlation(_ one: [Double], _ two: [Double]) throws -> Double {
      let samples = one.indices.flatMap { [one[$0], two[$0]] }
      return try #require(try measure(samples, channels: 2).phaseCorrelation)
    }
    #expect(abs(try correlation(noise, noise.map { $0 * 0.3 }) - 1) < 1e-12)
    #expect(abs(try correlation(noise, noise.map { -$0 }) + 1) < 1e-12)
    #expect(abs(try correlation(noise, other)) < 0.03)
    #expect(try measure([Double](repeating: 0, count: 200), channels: 2).phaseCorrelation == nil)
  }

  /// To a bin of 23 Hz, plus two for the window.
  @Test(arguments: [1_000.0, 7_000, 15_990])
  func bandwidth(_ frequency: Double) throws {
    let found = try #require(try measure(tone(frequency, amplitude: 0.1)).bandwidth)
    #expect(abs(found - frequency) <= 4.5 * 48_000 / 2_048)
    let short = try #require(try measure(tone(frequency, amplitude: 0.1, count: 1_500)).bandwidth)
    #expect(short >= frequency - 48_000 / 2_048)
  }

  /// 16 kHz of sound at 48 kHz, after rounding to 16 bits.
  @Test func bandwidthOfAConversion() throws {
    let session = Session()
    let noise = Noise.integers(64_000, seed: 9).map { $0 * 0.5 }
    try session.setLocal(GivenSource(noise, rate: 32_000))
    let sink = SoundMeterSink(sampleRate: 48_000)
    try session.setSink(sink, at: .publish)
    _ = try session.run()
    let found = try #require(sink.measurement?.bandwidth)
    // The filter falls to -110 dBFS within 0.7 kHz.
    #expect(found > 15_000 && found < 16_800)
    #expect(try #require(try measure(noise, rate: 32_000).bandwidth) > 15_900)
  }

  @Test func whatIsNoNumber() throws {
    var samples = tone(1_000, amplitude: 0.5)
    samples[20_000] = .nan
    samples[30_000] = .infinity
    let found = try measure(samples)
    #expect(found.notFiniteSamples == 2)
    for level in [
      found.loudness, found.truePeak, found.samplePeak, found.rms, found.crestFactor,
      found.maxMomentary, found.channels[0].samplePeak,
    ] { #expect(level == nil) }
  }

  /// A stream without finite samples has no silence, no dead channel and no twin.
  @Test(arguments: [(Double.infinity, 1), (-Double.infinity, 1), (.nan, 0), (1e300, 1)])
  func whatIsNotFiniteIsNoSilence(_ value: Double, _ runs: Int) throws {
    let all = try measure([Double](repeating: value, count: 96_000), channels: 2)
    #expect(all.notFiniteSamples == 96_000)
    #expect(all.channels.map(\.notFiniteSamples) == [48_000, 48_000])
    #expect(all.clippedRuns == 2 * runs)
    for seconds in [all.longestSilence, all.silenceAtStart, all.silenceAtEnd] {
      #expect(seconds == 0)
    }
    for channel in all.channels {
      #expect(!channel.isDead)
      #expect(channel.identicalChannel == nil)
      for value in [channel.dcOffset, channel.bandwidth, channel.truePeak] { #expect(value == nil) }
      #expect(channel.effectiveBits == nil)
    }
    #expect(all.dcOffset == nil)
    #expect(all.effectiveBits == nil)
    // A few in silence, across the end of a block: sound, and one run.
    var samples = [Double](repeating: 0, count: 48_000)
    for index in 14_398..<14_403 { samples[index] = value }
    let some = try measure(samples)
    #expect(some.silenceAtStart == 14_398.0 / 48_000)
    #expect(some.silenceAtEnd == (48_000 - 14_403.0) / 48_000)
    #expect(some.longestSilence == some.silenceAtEnd)
    #expect(some.clippedRuns == runs)
  }

  @Test func nothingHasNoLevel() throws {
    for samples in [[], [Double](repeating: 0, count: 96_000)] {
      let found = try measure(samples, channels: 2)
      for level in [
        found.loudness, found.loudnessRange, found.maxMomentary, found.truePeak, found.samplePeak,
        found.rms, found.crestFactor,
      ] { #expect(level == nil) }
      #expect(found.clippedRuns == 0)
    }
  }

  /// Less than a block of 400 ms has levels, but no loudness.
  @Test func littleHasNoLoudness() throws {
    let found = try measure(tone(1_000, count: 19_199))
    #expect(found.loudness == nil)
    #expect(found.samplePeak != nil)
    #expect(try measure(tone(1_000, count: 19_200)).loudness != nil)
  }

  @Test func severalAsOne() throws {
    let (loud, soft) = (tone(1_000), tone(1_000, amplitude: 0.5))
    let parts = try [measure(loud), measure(soft)]
    let one = try #require(SoundMeasurement.loudness(ofAll: parts))
    // 7 blocks of each; none crosses the border.
    let expected = 10 * log10((1 + 0.25) / 2) + (try #require(parts[0].loudness))
    #expect(abs(one - expected) < 0.02)
    #expect(SoundMeasurement.loudness(ofAll: []) == nil)
  }

  @Test func weights() throws {
    func weights(_ count: Int, _ layout: Metadata.ChannelLayout? = nil) -> [Double] {
      ChannelWeights(channelCount: count, layout: layout).values
    }
    #expect(weights(1) == [1])
    #expect(weights(2) == [1, 1])
    #expect(weights(4) == [1, 1, 1.41, 1.41])
    #expect(weights(5) == [1, 1, 1, 1.41, 1.41])
    #expect(weights(6) == [1, 1, 1, 0, 1.41, 1.41])
    #expect(weights(7) == [1, 1, 1, 0, 1, 1.41, 1.41])
    #expect(weights(8) == [1, 1, 1, 0, 1, 1, 1.41, 1.41])
    #expect(weights(10) == Array(repeating: 1, count: 10))
    #expect(weights(6, .speakers(0x60F)) == [1, 1, 1, 0, 1.41, 1.41])
    #expect(weights(3, .speakers(0xB)) == [1, 1, 0])
    #expect(weights(6, .discrete) == Array(repeating: 1, count: 6))
    #expect(weights(4, .ambisonic) == Array(repeating: 1, count: 4))
    #expect(weights(4, .speakers(0x3)) == Array(repeating: 1, count: 4))
  }

  /// At 48 kHz the filter has the coefficients of the Recommendation.
  @Test func coefficients() {
    let filter = KWeighting(sampleRate: 48_000)
    let found = [
      filter.shelf.b0, filter.shelf.b1, filter.shelf.b2, filter.shelf.a1, filter.shelf.a2,
      filter.highPass.b0, filter.highPass.b1, filter.highPass.b2, filter.highPass.a1,
      filter.highPass.a2,
    ]
    let stated = [
      1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85, -1.690_659_293_182_41,
      0.732_480_774_215_85, 1, -2, 1, -1.990_047_454_833_98, 0.990_072_250_366_21,
    ]
    for (one, other) in zip(found, stated) { #expect(abs(one - other) < 1e-9) }
  }
}
