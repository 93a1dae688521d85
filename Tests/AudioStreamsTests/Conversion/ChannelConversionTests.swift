// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

@Suite struct ChannelConversionTests {
  static func convert<Sample: AudioSample>(
    _ input: [Sample], from inputCount: Int, to outputCount: Int, cuts: [Int] = []
  ) throws -> [Sample] {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: inputCount)
    return try run(
      ChannelConversion(from: format, channelCount: outputCount), on: input, cuts: cuts)
  }

  @Test func monoGoesToBothAndStereoToTheMean() throws {
    let mono: [Float] = [0.1, -0.7, -0.0, .leastNonzeroMagnitude]
    let stereo = try Self.convert(mono, from: 1, to: 2)
    #expect(stereo.map(\.bitPattern) == mono.flatMap { [$0.bitPattern, $0.bitPattern] })
    #expect(try Self.convert([0.5, 0.25, 1, -1] as [Double], from: 2, to: 1) == [0.375, 0])
  }

  @Test func copiesAreBitExact() throws {
    let input: [Float] = Noise.samples(2_520)
    for count in 1...8 {
      #expect(try Self.convert(input, from: count, to: count) == input)
    }
    let surround = try Self.convert(input, from: 2, to: 6)
    for index in 0..<1_260 {
      #expect(
        Array(surround[index * 6..<index * 6 + 6])
          == [input[index * 2], input[index * 2 + 1], 0, 0, 0, 0])
    }
  }

  /// Table 2 of annex 4 of ITU-R BS.775-3, scaled so that no output channel sums to more than 1.
  @Test func surroundFollowsTheRecommendation() {
    let half = 0.5.squareRoot()
    let stereo = 1 / (1 + 2 * half)
    expect(
      ChannelMatrix(from: 6, to: 2).factors,
      [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]].map { $0.map { $0 * stereo } })
    let mono = 1 / (1 + 2 * half + 1)
    expect(
      ChannelMatrix(from: 6, to: 1).factors,
      [[half, half, 1, 0, 0.5, 0.5].map { $0 * mono }])
    expect(
      ChannelMatrix(from: 8, to: 6).factors,
      [
        [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, half, 0], [0, 0, 0, 0, 0, 1, 0, half],
      ].map { $0.map { $0 / (1 + half) } })
    expect(ChannelMatrix(from: 1, to: 6).factors, [[0], [0], [1], [0], [0], [0]])
    expect(ChannelMatrix(from: 1, to: 4).factors, [[half], [half], [0], [0]])
  }

  private func expect(
    _ factors: [[Double]], _ expected: [[Double]], location: SourceLocation = #_sourceLocation
  ) {
    #expect(factors.count == expected.count, sourceLocation: location)
    for (row, expectedRow) in zip(factors, expected) {
      #expect(row.count == expectedRow.count, sourceLocation: location)
      for (factor, expectedFactor) in zip(row, expectedRow) {
        #expect(abs(factor - expectedFactor) < 1e-15, sourceLocation: location)
      }
    }
  }

  @Test func noConversionMakesAStreamClipOrLosesAChannelButTheLowFrequencyOne() {
    for inputCount in StreamFormat.channelCounts {
      for outputCount in StreamFormat.channelCounts {
        let factors = ChannelMatrix(from: inputCount, to: outputCount).factors
        #expect(factors.allSatisfy { $0.reduce(0, +) < 1 + 1e-12 })
        for input in 0..<inputCount {
          let isHeard = factors.contains { $0[input] > 0 }
          let isLowFrequency = (6...8).contains(inputCount) && input == 3 && outputCount < 6
          #expect(isHeard != isLowFrequency, "\(inputCount) to \(outputCount), channel \(input)")
        }
      }
    }
  }

  @Test func tracksAreFoldedByNumber() {
    let second = ChannelMatrix(from: 10, to: 4).factors[1]
    let third = 1.0 / 3
    #expect(second == [0, third, 0, 0, 0, third, 0, 0, 0, third])
    #expect(ChannelMatrix(from: 1, to: 12).factors == Array(repeating: [1], count: 12))
    #expect(ChannelMatrix(from: 16, to: 1).factors == [Array(repeating: 1.0 / 16, count: 16)])
  }

  @Test func valuesMatchTheMatrixHoweverTheyAreCut() throws {
    for (inputCount, outputCount) in [(2, 1), (6, 2), (8, 6), (3, 5), (12, 2), (2, 12)] {
      let input: [Double] = Noise.samples(2_500 * inputCount)
      let output = try Self.convert(input, from: inputCount, to: outputCount)
      let matrix = ChannelMatrix(from: inputCount, to: outputCount)
      #expect(output.count == 2_500 * outputCount)
      for index in stride(from: 0, to: 2_500, by: 13) {
        for channel in 0..<outputCount {
          let sum = (0..<inputCount).reduce(0.0) {
            $0 + matrix.factors[channel][$1] * input[index * inputCount + $1]
          }
          #expect(abs(output[index * outputCount + channel] - sum) < 1e-14)
        }
      }
      let cut = try Self.convert(
        input, from: inputCount, to: outputCount, cuts: [1, 2, 1_030].map { $0 * inputCount })
      #expect(cut == output)
    }
  }
}
