// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The level of many samples equals the level of one after another, to the last bit.
@Suite struct LevelTests {
  /// Counts around the size of one conversion.
  private static let counts = [0, 1, 127, 128, 129, 1_000]

  @Test(arguments: counts) func floatsAreAddedInOrder(count: Int) {
    let samples = Noise.integers(count, seed: 4, bits: 24).map { Float($0 * 1.1) }
    var (expected, level) = (Level(), Level())
    for sample in samples { expected.add(Double(sample)) }
    level.add(samples.span)
    #expect(level == expected)
    #expect(level.samples == count)
  }

  @Test(arguments: counts) func doublesAreAddedInOrder(count: Int) {
    var samples = Noise.integers(count, seed: 6, bits: 53)
    if count > 5 { samples[5] = 3 }
    var (expected, level) = (Level(), Level())
    for sample in samples { expected.add(sample) }
    level.add(samples)
    #expect(level == expected)
    #expect(level.clippedSamples == (count > 5 ? 1 : 0))
  }

  /// The most negative sample is full scale.
  @Test func integersAreScaled() {
    var level = Level()
    level.add([Int16.min, 16_384, 0])
    #expect(level.peak == 1)
    #expect(level.rms == (1.25 / 3).squareRoot())
    #expect(level.clippedSamples == 0)
  }

  @Test func twoCallsAreOne() {
    let samples = Noise.integers(999, seed: 8).map { Float($0) }
    var (whole, cut) = (Level(), Level())
    whole.add(samples)
    cut.add(samples.span.extracting(0..<200))
    cut.add(samples.span.extracting(200..<999))
    #expect(cut == whole)
  }

  @Test func whatIsNotANumberIsCounted() {
    var level = Level()
    level.add([0.5, .nan, -.infinity] as [Float])
    #expect(level.peak.isNaN)
    #expect(level.notANumberSamples == 1)
    #expect(level.clippedSamples == 1)
  }

  /// An observer can be tested without a session.
  @Test func aGateInAUnitTest() throws {
    final class Gate: RecordObserver {
      func parameters(at position: ObservationPosition) -> FrameParameters { .readWrite }
      func record(_ frame: inout AudioFrame<Float>) -> Bool {
        var level = Level()
        level.add(frame.samples.span)
        if level.rmsDecibels < -50 { frame.samples.update(repeating: 0) }
        return true
      }
    }
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    for (samples, passed) in [
      ([0.5, -0.5, 0.001, -0.001] as [Float], [0.5, -0.5, 0.001, -0.001] as [Float]),
      ([0.001, -0.001, 0.001, -0.001], [0, 0, 0, 0]),
    ] {
      var samples = samples
      var frame = AudioFrame(samples.mutableSpan, format: format)
      let isEdited = Gate().record(&frame)
      #expect(isEdited)
      #expect(frame.array == passed)
    }
  }
}
