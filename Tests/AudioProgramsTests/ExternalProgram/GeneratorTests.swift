// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

import AudioKernels
@testable import AudioStreams
@testable import AudioCore
@testable import AudioPrograms

/// Programs that replace the stream.
@Suite struct GeneratorTests {
  @Test(arguments: [[5_000], [1, 999], [16]])
  func replacesTheStreamByAsManySamples(_ blocks: [Int]) throws {
    let harness = try ProgramHarness<Float>(
      "yes", layout: SampleLayout(.u8), mode: .writeOnly, channels: 2)
    let outcome = harness.run(Noise.integers(10_000), blocks: blocks)
    #expect(outcome.error == nil)
    // 'y' and a line feed, as offset binary
    let pair = [(121.0 - 128) / 128, (10.0 - 128) / 128]
    #expect(outcome.samples == (0..<5_000).flatMap { _ in pair })
  }

  /// 1 in place of each 0 of its input: the output shows the input.
  private static let marking = "LC_ALL=C tr '\\000' '\\001'"

  /// In `s8` silence is 0, which the program makes 1/128.
  @Test(arguments: [[100_000], [1, 999], [16]])
  func getsSilenceAsLongAsTheStream(_ blocks: [Int]) throws {
    let outcome = try ProgramHarness<Float>(
      Self.marking, layout: SampleLayout(.s8), mode: .writeOnly, channels: 2
    ).run(Noise.integers(200_000), blocks: blocks)
    #expect(outcome.error == nil)
    #expect(outcome.samples == [Double](repeating: 1.0 / 128, count: 200_000))
    #expect(outcome.statistics.samplesIn == 100_000)
    #expect(outcome.statistics.samplesOut == 100_000)
  }

  /// It answers only after the end of its input.
  @Test func itsInputEndsWithTheStream() throws {
    let outcome = try ProgramHarness<Float>(
      "printf %s $(wc -c)", layout: SampleLayout(.u8), mode: .writeOnly
    ).run(Array(repeating: 1, count: 6), blocks: [2])
    #expect(outcome.error?.reason.contains("it gave only 1 samples per channel,") == true)
    #expect(outcome.samples == [(54.0 - 128) / 128])
  }

  @Test func mayCloseItsInput() throws {
    let outcome = try ProgramHarness<Float>(
      "exec <&-; head -c 300000 /dev/zero", layout: SampleLayout(.s8), mode: .writeOnly
    ).run(Array(repeating: 1, count: 300_000), blocks: [1_000])
    #expect(outcome.error == nil)
    #expect(outcome.samples == Array(repeating: 0, count: 300_000))
  }

  @Test(arguments: [(99, "99 samples per channel,"), (0, "0 samples per channel,")])
  func tooLittleIsAnError(count: Int, told: String) throws {
    let outcome = try ProgramHarness<Float>(
      "head -c \(count) /dev/zero", layout: SampleLayout(.s8), mode: .writeOnly
    ).run(Array(repeating: 1, count: 100), blocks: [30])
    #expect(outcome.error?.kind == .inputOutput)
    #expect(outcome.error?.reason.contains("it gave only \(told) fewer than") == true)
    #expect(outcome.samples == Array(repeating: 0, count: count))
  }

  @Test func anOutputThatEndsInsideASampleIsTold() throws {
    let outcome = try ProgramHarness<Float>(
      "head -c 41 /dev/zero", layout: SampleLayout(.s16), mode: .writeOnly, channels: 2
    ).run(Array(repeating: 1, count: 100))
    #expect(outcome.error?.reason.contains("10 samples per channel and 1 byte") == true)
    #expect(outcome.samples == Array(repeating: 0, count: 20))
  }
}
