// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

import AudioKernels
@testable import AudioStreams
@testable import AudioCore
@testable import AudioPrograms

/// A program that copies its input leaves the stream unchanged.
@Suite struct PassThroughTests {
  @Test(
    arguments: [
      (SampleLayout.Storage.s8, 8), (.u8, 8), (.s16, 16), (.s24, 24), (.s24In32, 24), (.s32, 32),
      (.f32, 24), (.f64, 32),
    ], [ByteOrder.little, .big])
  func catGivesBackEverySampleInEveryEncoding(
    _ encoding: (storage: SampleLayout.Storage, bits: Int), _ byteOrder: ByteOrder
  ) throws {
    let samples = Noise.integers(20_000, seed: 3, bits: encoding.bits)
    let harness = try ProgramHarness<Double>(
      "cat", layout: SampleLayout(encoding.storage, byteOrder), channels: 2)
    let outcome = harness.run(samples, blocks: [977])
    #expect(outcome.error == nil)
    #expect(outcome.samples == samples)
    #expect(outcome.statistics.samplesIn == 10_000)
    #expect(outcome.statistics.samplesOut == 10_000)
    #expect(outcome.statistics.clippedSamples == 0)
  }

  @Test(arguments: [SampleLayout.Storage.ulaw, .alaw])
  func catGivesBackWhatACompandingEncodingHolds(_ storage: SampleLayout.Storage) throws {
    let layout = SampleLayout(storage)
    let samples = try ProgramHarness<Float>("cat", layout: layout)
      .run(Noise.integers(5_000, seed: 4)).samples
    #expect(Set(samples).count > 200)
    #expect(try ProgramHarness<Float>("cat", layout: layout).run(samples).samples == samples)
  }

  @Test(arguments: ObserverMode.allCases.filter { $0 != .writeOnly })
  func catDoesNotDependOnBlockSizes(_ mode: ObserverMode) throws {
    let samples = Noise.integers(9_001 * 3, seed: 5)
    for blocks in [[1, 4_000], [7, 64, 1_023], [480], [9_001]] {
      let harness = try ProgramHarness<Float>(
        "cat", layout: SampleLayout(.s16), mode: mode, channels: 3)
      let outcome = harness.run(samples, blocks: blocks)
      #expect(outcome.error == nil)
      #expect(outcome.samples == samples)
    }
  }

  @Test func aTapSeesTheStreamAndCannotChangeIt() throws {
    let scratch = ScratchDirectory()
    let samples = Noise.integers(6_000, seed: 6)
    let tap = "tee '\(scratch.file("tap"))' | tr '\\000' '\\001'"
    let harness = try ProgramHarness<Float>(tap, layout: SampleLayout(.s16), mode: .readOnly)
    let outcome = harness.run(samples, blocks: [1_000])
    #expect(outcome.error == nil)
    #expect(outcome.samples == samples)
    let expected = samples.flatMap { sample in
      let word = UInt16(bitPattern: Int16(sample * 32_768))
      return [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
    }
    #expect(try contents(scratch.file("tap")) == expected)
  }

  /// The input exceeds both pipes and all queues before the first output byte.
  @Test func aFilterMayAnswerOnlyAtTheEnd() throws {
    let samples = Noise.integers(700_000, seed: 7)
    let slurp = "x=$(mktemp); cat >\"$x\"; cat \"$x\"; rm \"$x\""
    let outcome = try ProgramHarness<Float>(slurp).run(samples)
    #expect(outcome.error == nil)
    #expect(outcome.samples == samples)
    #expect(outcome.countBeforeEnd == 0)
  }

  @Test func whatDoesNotFitTheEncodingIsCounted() throws {
    let outcome = try ProgramHarness<Float>("cat", layout: SampleLayout(.s16))
      .run([0.5, 1.5, -2, -1])
    #expect(outcome.samples == [0.5, 32_767.0 / 32_768, -1, -1])
    #expect(outcome.statistics.clippedSamples == 2)
  }

  @Test func theStreamIsConvertedToWhatTheProgramAskedFor() throws {
    let samples = Noise.integers(4_803, seed: 8)
    let harness = try ProgramHarness<Float>("cat", programRate: 16_000)
    #expect(harness.stage.outputFormat.sampleRate == 16_000)
    let outcome = harness.run(samples)
    #expect(outcome.error == nil)
    #expect(outcome.samples.count == 1_601)
    #expect(outcome.statistics.samplesIn == 1_601)
    let tap = try ProgramHarness<Float>("cat", mode: .readOnly, programRate: 16_000)
    #expect(tap.stage.outputFormat.sampleRate == 48_000)
    #expect(tap.run(samples).samples == samples)
    #expect(tap.statistics.samplesIn == 1_601)
  }
}
