// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// The places of a varying ratio in whole numbers: no rounding, at any length.
@Suite struct VaryingPointTests {
  static let rates = [
    (48_000, 48_000), (44_100, 48_000), (48_000, 44_100), (192_000, 192_000), (8_000, 44_100),
    (96_000, 44_100), (44_101, 48_000), (1_000, 768_000), (768_000, 1_000),
  ]

  /// Returns the parts of a place, independent of its representation.
  private static func parts(_ place: VaryingPoint) -> Int128 {
    Int128(place.index) * Int128(place.scale) + Int128(place.phase)
  }

  private static func stepParts(_ ratio: ResamplingRatio, _ correction: Double) -> Int128 {
    var place = VaryingPoint(ratio: ratio)
    place.correct(by: correction)
    place.advance()
    return parts(place)
  }

  /// The outputs of a day of input, in blocks of any size as in the resampler, equal one integer division.
  @Test(arguments: rates, [0, 37e-6, -200e-6, 1e-3])
  func aDayHasExactlyTheOutputsThatItsRatioGives(_ rates: (Int, Int), _ correction: Double) {
    let ratio = ResamplingRatio(from: rates.0, to: rates.1)
    var place = VaryingPoint(ratio: ratio)
    place.correct(by: correction)
    let day = 86_400 * rates.0
    var generator = SplitMix64(seed: UInt64(rates.0 + rates.1))
    var (fed, held, outputs) = (0, 0, 0)
    while fed < day {
      let block = min(Int(generator.next() % UInt64(rates.0 * 200)) + 1, day - fed)
      fed += block
      held += block
      let ready = place.outputsReady(upTo: held - 1)
      outputs += ready
      place.advance(by: ready)
      let dropped = min(place.index, held)
      held -= dropped
      place.index -= dropped
    }
    let step = Self.stepParts(ratio, correction)
    let length = Int128(day) * Int128(place.scale)
    #expect(Int128(outputs) == (length + step - 1) / step)
    // The final place, to the last part.
    #expect(
      Int128(day - held) * Int128(place.scale) + Self.parts(place) == Int128(outputs) * step)
    if correction == 0 { #expect(Int64(outputs) == ratio.outputLength(of: Int64(day))) }
    // The difference from the ideal ratio: the one rounding of the step.
    let ideal = Double(day) * Double(ratio.phaseCount) / Double(ratio.step) * (1 + correction)
    #expect(abs(Double(outputs) - ideal) < 1 + 1e-4)
  }

  @Test(arguments: rates) func theStepIsThatOfTheRatio(_ rates: (Int, Int)) {
    let ratio = ResamplingRatio(from: rates.0, to: rates.1)
    let scale = Int128(VaryingPoint(ratio: ratio).scale)
    let nominal = Self.stepParts(ratio, 0)
    #expect(nominal * Int128(ratio.phaseCount) == scale * Int128(ratio.step))
    for correction in [1e-12, 1e-9, -1e-6, 250e-6, -1e-3, 1e-3] {
      // step · (1 + c) = nominal, except for one part, of which the shortest step has 2^51.
      let step = Self.stepParts(ratio, correction)
      let change = Double(nominal - step) / Double(step)
      #expect(abs(change / correction - 1) < 1e-6 + 0x1p-52 / abs(correction))
    }
    #expect(Self.stepParts(ratio, 0.5) == Self.stepParts(ratio, 1e-3))
    #expect(Self.stepParts(ratio, -0.5) == Self.stepParts(ratio, -1e-3))
  }

  /// One by one, at once and by looking ahead: all agree while the ratio changes.
  @Test(arguments: rates) func allWaysToGoOnAgree(_ rates: (Int, Int)) {
    var generator = SplitMix64(seed: 3)
    var one = VaryingPoint(ratio: ResamplingRatio(from: rates.0, to: rates.1))
    var many = one
    for _ in 0..<200 {
      let correction = (Double(generator.next() % 2_001) - 1_000) * 1e-6
      one.correct(by: correction)
      many.correct(by: correction)
      let count = Int(generator.next() % 50)
      let start = one
      for _ in 0..<count { one.advance() }
      many.advance(by: count)
      #expect(Self.parts(one) == Self.parts(many))
      // Of the passed places, the first `count` are those up to the last one's index.
      guard count > 0 else { continue }
      var last = start
      last.advance(by: count - 1)
      let ready = start.outputsReady(upTo: last.index)
      var beyond = start
      beyond.advance(by: ready)
      #expect(ready >= count)
      #expect(beyond.index > last.index)
      beyond = start
      beyond.advance(by: ready - 1)
      #expect(beyond.index == last.index)
    }
  }
}
