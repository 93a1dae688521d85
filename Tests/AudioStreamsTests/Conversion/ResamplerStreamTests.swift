// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// Lengths, times and blocks: properties of every filter.
@Suite struct ResamplerStreamTests {
  static let usualRates = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]

  static func resampler<Sample: AudioSample>(
    _ inputRate: Int, _ outputRate: Int, channels: Int = 1, _ quality: ResamplerQuality = .fast
  ) throws -> Resampler<Sample> {
    try Resampler(
      from: StreamFormat(sampleRate: inputRate, channelCount: channels), sampleRate: outputRate,
      quality: quality)
  }

  @Test func lengthIsExactForAllUsualRates() throws {
    for inputRate in Self.usualRates {
      for outputRate in Self.usualRates where outputRate != inputRate {
        for count in [0, 1, 7, 221] {
          let output = try run(
            Self.resampler(inputRate, outputRate) as Resampler<Float>,
            on: [Float](repeating: 0.5, count: count))
          let exact = (count * outputRate + inputRate - 1) / inputRate
          #expect(output.count == exact, "\(count) samples, \(inputRate) to \(outputRate) Hz")
        }
      }
    }
  }

  @Test func lengthIsExactForOddRates() throws {
    for (inputRate, outputRate, count) in [
      (44_100, 44_101, 500), (44_101, 44_100, 500), (1_000, 768_000, 3), (768_000, 1_001, 40_000),
      (12_345, 54_321, 300), (47_999, 1_000, 2_000), (768_000, 767_999, 100),
    ] {
      let output = try run(
        Self.resampler(inputRate, outputRate) as Resampler<Float>,
        on: [Float](repeating: 0.5, count: count))
      #expect(output.count == (count * outputRate + inputRate - 1) / inputRate)
      let ratio = ResamplingRatio(from: inputRate, to: outputRate)
      #expect(ratio.outputLength(of: Int64(count)) == Int64(output.count))
    }
  }

  /// Conversions of every kind: in one step and in two, in tiles, rows and grids.
  static let kinds: [(Int, Int)] = [
    (48_000, 16_000), (96_000, 48_000), (48_000, 8_000), (96_000, 44_100), (48_000, 31_999),
    (8_000, 48_000), (44_100, 96_000), (44_100, 47_999), (44_100, 44_101), (768_000, 1_001),
  ]

  @Test(arguments: kinds) func lengthIsExactAtBest(_ rates: (Int, Int)) throws {
    for count in [0, 1, 7, 1_021] {
      let output = try run(
        Self.resampler(rates.0, rates.1, channels: 2, .best) as Resampler<Double>,
        on: [Double](repeating: 0.5, count: 2 * count))
      #expect(output.count == 2 * ((count * rates.1 + rates.0 - 1) / rates.0), "\(count) samples")
    }
  }

  @Test(arguments: kinds) func cutsAndOtherChannelsDoNotMatterAtBest(_ rates: (Int, Int)) throws {
    var generator = SplitMix64(seed: 78)
    let channels: [[Double]] = (0..<3).map { Noise.samples(9_000, seed: UInt64($0)) }
    let interleaved = (0..<9_000).flatMap { index in channels.map { $0[index] } }
    var cuts: [Int] = []
    var place = 0
    while place < 9_000 {
      cuts.append(place * 3)
      place += Int(generator.next() % (generator.next() % 2 == 0 ? 7 : 3_000))
    }
    let together = try run(
      Self.resampler(rates.0, rates.1, channels: 3, .best) as Resampler<Double>, on: interleaved,
      cuts: cuts)
    for channel in 0..<3 {
      let alone = try run(
        Self.resampler(rates.0, rates.1, .best) as Resampler<Double>, on: channels[channel])
      let mine = stride(from: channel, to: together.count, by: 3).map { together[$0] }
      #expect(firstDifference(mine, alone) == nil, "channel \(channel)")
    }
  }

  /// An output before the first one has a negative number.
  @Test func pointsGoOnBeforeTheBeginning() {
    let ratio = ResamplingRatio(from: 44_100, to: 48_000)
    for index in Int64(-500)...500 {
      let (sample, phase) = ratio.point(ofOutput: index)
      #expect((0..<160).contains(phase))
      #expect(sample * 160 + Int64(phase) == index * 147)
    }
  }

  /// A click keeps its time: the output is symmetrical about it, to the fraction of a sample.
  @Test func anImpulseStaysAtItsTime() throws {
    for (inputRate, outputRate, place) in [
      (44_100, 48_000, 441), (48_000, 44_100, 480), (48_000, 16_000, 300), (8_000, 48_000, 200),
      (44_100, 88_200, 400), (96_000, 8_000, 1_200),
    ] {
      var input = [Double](repeating: 0, count: 2 * place)
      input[place] = 1
      let output = try run(
        Self.resampler(inputRate, outputRate, .high) as Resampler<Double>, on: input)
      let centre = place * outputRate / inputRate
      #expect(centre * inputRate == place * outputRate)
      #expect(output.indices.max { abs(output[$0]) < abs(output[$1]) } == centre)
      for distance in 1...10 {
        #expect(abs(output[centre - distance] - output[centre + distance]) < 1e-12)
      }
    }
  }

  @Test(arguments: kinds.dropLast())
  func anImpulseStaysAtItsTimeAtBest(_ rates: (Int, Int)) throws {
    let ratio = ResamplingRatio(from: rates.0, to: rates.1)
    // After that many periods both rates have a sample.
    let periods = (1_500 + ratio.step - 1) / ratio.step
    let (place, centre) = (periods * ratio.step, periods * ratio.phaseCount)
    var input = [Double](repeating: 0, count: place + 1_500)
    input[place] = 1
    let output = try run(Self.resampler(rates.0, rates.1, .best) as Resampler<Double>, on: input)
    #expect(output.indices.max { abs(output[$0]) < abs(output[$1]) } == centre)
    for distance in 1...100 {
      #expect(abs(output[centre - distance] - output[centre + distance]) < 1e-12)
    }
  }

  /// Times also hold for a grid with interpolated rows: a slow sine, sample by sample.
  @Test func oddRatiosKeepTime() throws {
    let input = sine(0.011, count: 3_000)
    for outputRate in [44_101, 47_999, 30_011] {
      let output = try run(
        Self.resampler(44_100, outputRate, .high) as Resampler<Double>, on: input)
      let exact = sine(0.011 * 44_100 / Double(outputRate), count: output.count)
      let error = zip(output, exact).map { $0 - $1 }.dropFirst(300).dropLast(300)
      #expect(decibels(error) < -120, "\(outputRate) Hz")
    }
  }

  @Test(arguments: [(44_100, 48_000), (48_000, 16_000), (44_100, 44_101), (11_025, 96_000)])
  func cutsDoNotMatter(_ rates: (Int, Int)) throws {
    var generator = SplitMix64(seed: 77)
    for channels in 1...3 {
      let input: [Float] = Noise.samples(6_000 * channels)
      let whole = try run(
        Self.resampler(rates.0, rates.1, channels: channels) as Resampler<Float>, on: input)
      for _ in 0..<3 {
        var cuts: [Int] = []
        var place = 0
        while place < 6_000 {
          cuts.append(place * channels)
          place += Int(generator.next() % (generator.next() % 2 == 0 ? 7 : 3_000))
        }
        let pieces = try run(
          Self.resampler(rates.0, rates.1, channels: channels) as Resampler<Float>, on: input,
          cuts: cuts)
        #expect(pieces == whole, "\(channels) channels")
      }
    }
  }

  /// A pipe gets all outputs whose block is complete, with the bits of a file.
  @Test(arguments: [(44_100, 48_000), (48_000, 16_000), (48_000, 31_999), (44_100, 47_999)])
  func aPromptConversionHoldsBackItsReachOnly(_ rates: (Int, Int)) throws {
    let ratio = ResamplingRatio(from: rates.0, to: rates.1)
    let reach = Int64(ResamplerQuality.best.reach(for: ratio))
    let format = try StreamFormat(sampleRate: rates.0, channelCount: 1)
    func resampler(isPrompt: Bool) throws -> Resampler<Double> {
      try Resampler(
        from: format, sampleRate: rates.1,
        filter: ResamplerFilter(ratio: ratio, quality: .best, isInBlocks: true),
        isPrompt: isPrompt)
    }
    let input: [Double] = Noise.samples(60_000)
    let whole = try run(resampler(isPrompt: false), on: input)
    let prompt = try resampler(isPrompt: true)
    let output = SampleQueue<Double>()
    for place in stride(from: 0, to: input.count, by: 480) {
      prompt.process(input.span.extracting(place..<place + 480), into: output)
      #expect(output.count >= ratio.outputLength(of: Int64(place + 480) - reach))
    }
    #expect(output.count < whole.count)
    prompt.finish(into: output)
    #expect((0..<output.count).map { output.readable[$0] } == whole)
  }

  @Test func channelsAreConvertedEachByItself() throws {
    let channels: [[Double]] = (0..<3).map { Noise.samples(700, seed: UInt64($0)) }
    let interleaved = (0..<700).flatMap { index in channels.map { $0[index] } }
    let together = try run(
      Self.resampler(44_100, 48_000, channels: 3) as Resampler<Double>, on: interleaved)
    for channel in 0..<3 {
      let alone = try run(
        Self.resampler(44_100, 48_000) as Resampler<Double>, on: channels[channel])
      #expect(
        stride(from: channel, to: together.count, by: 3).map { together[$0] } == alone)
    }
  }

  @Test func refusesARateThatNoStreamHas() throws {
    #expect(throws: AudioError.self) {
      try Self.resampler(48_000, 999) as Resampler<Float>
    }
  }
}
