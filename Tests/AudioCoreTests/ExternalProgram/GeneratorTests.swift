// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

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
    #expect(outcome.statistics.samplesIn == 0)
  }

  @Test func hasNoInput() throws {
    let outcome = try ProgramHarness<Float>(
      "cat; head -c 100 /dev/zero", layout: SampleLayout(.s8), mode: .writeOnly
    ).run(Array(repeating: 1, count: 100))
    #expect(outcome.error == nil)
    #expect(outcome.samples == Array(repeating: 0, count: 100))
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
