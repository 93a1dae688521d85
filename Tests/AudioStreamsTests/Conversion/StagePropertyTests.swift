// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// Properties of every stage and every row of stages, drawn from seeds, which a failure names.
@Suite struct StagePropertyTests {
  /// Draws a stage for streams of `format`.
  private static func stage<Sample: AudioSample>(
    _ draw: inout Draw, _ format: StreamFormat, _ filters: ResamplerFilters<Sample>
  ) throws -> any StreamStage<Sample> {
    switch draw.number(in: 0...3) {
    case 0:
      let rate = draw.rate
      if rate == format.sampleRate { fallthrough }
      return try Resampler(
        from: format, sampleRate: rate, filter: filters.filter(from: format.sampleRate, to: rate))
    case 1:
      return try ChannelConversion(from: format, channelCount: draw.number(in: 1...9))
    case 2:
      let gains = (0..<format.channelCount).map { _ in draw.element([1, 0.5, -3, 0]) }
      return ChannelGain(gains, format: format)
    default:
      let resampler = try AsynchronousResampler<Sample>(
        from: format, sampleRate: draw.rate, quality: .fast)
      resampler.correction = draw.element([0, 0.0007, -0.001])
      return resampler
    }
  }

  /// Draws one to four stages in a row; a seed always gives one result.
  private static func chain<Sample: AudioSample>(
    _ seed: UInt64, _ filters: ResamplerFilters<Sample>
  ) throws -> Chain<Sample> {
    var draw = Draw(seed: seed)
    let format = try StreamFormat(
      sampleRate: draw.rate, channelCount: draw.element([1, 2, 2, 3, 6]))
    let chain = Chain<Sample>(format: format)
    for _ in 0..<draw.number(in: 1...4) {
      chain.append(try stage(&draw, chain.format, filters))
    }
    return chain
  }

  /// Returns the output of `chain` for `input`, cut into pieces whose lengths `draw` gives.
  private static func run<Sample: AudioSample>(
    _ chain: Chain<Sample>, on input: [Sample], cutBy draw: inout Draw
  ) throws -> [Sample] {
    let channelCount = chain.inputFormat.channelCount
    var rest = input[...]
    while !rest.isEmpty {
      let longest = draw.element([1, 7, 300, 2_000])
      let piece = Array(rest.prefix(draw.number(in: 1...longest) * channelCount))
      rest = rest.dropFirst(piece.count)
      chain.input.append(piece.span)
      try chain.run()
    }
    try chain.end()
    let queue = chain.output
    return (0..<queue.count).map { queue.readable[$0] }
  }

  private static func check<Sample: AudioSample>(_ seed: UInt64, as _: Sample.Type) throws {
    let filters = ResamplerFilters<Sample>(quality: .fast)
    let whole = try chain(seed, filters)
    var cuts = Draw(seed: seed &+ 1)
    let length = cuts.element([0, 1, 100, 3_000]) * whole.inputFormat.channelCount
    let input = Noise.integers(length, seed: seed).map { Sample($0) }
    whole.input.append(input.span)
    try whole.run()
    try whole.end()
    let queue = whole.output
    let expected = (0..<queue.count).map { queue.readable[$0] }
    // A used filter behaves like a new one.
    for filters in [filters, ResamplerFilters<Sample>(quality: .fast)] {
      let output = try run(try chain(seed, filters), on: input, cutBy: &cuts)
      let difference = firstDifference(output.map { Double($0) }, expected.map { Double($0) })
      #expect(difference == nil, "seed \(seed), \(Sample.self)")
    }
  }

  @Test func noStageDependsOnHowItsInputIsCut() throws {
    for seed in seeds(15) {
      try Self.check(seed, as: Float.self)
      try Self.check(seed &+ 1_000, as: Double.self)
    }
  }
}
