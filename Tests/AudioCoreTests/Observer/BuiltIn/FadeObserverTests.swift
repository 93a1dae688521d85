// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

/// A fade is within half a unit of the output's last bit of sample times curve, and changes no other sample.
@Suite struct FadeObserverTests {
  /// A second implementation of the formulas of ``FadeCurve``.
  private static func factor(_ curve: FadeCurve, _ x: Double) -> Double {
    switch curve {
    case .linear: x
    case .equalPower: sin(Double.pi / 2 * x)
    case .raisedCosine: (1 - cos(Double.pi * x)) / 2
    case .logarithmic: x == 0 ? 0 : pow(10, -5 * (1 - x))
    }
  }

  /// Returns the factor of each sample per channel.
  private static func factors(
    _ length: Int, in fadeIn: Int, out fadeOut: Int, _ curve: FadeCurve
  ) -> [Double] {
    (0..<length).map { index in
      var result = 1.0
      if index < fadeIn { result *= factor(curve, Double(index) / Double(fadeIn)) }
      let place = index - (length - fadeOut)
      if place >= 0, fadeOut > 0 { result *= factor(curve, 1 - Double(place) / Double(fadeOut)) }
      return result
    }
  }

  private func faded(
    _ samples: [Double], _ encoding: SampleEncoding, in fadeIn: Int, out fadeOut: Int,
    _ curve: FadeCurve, as storage: SampleLayout.Storage, pieces: [Int] = [4_000, 1, 777]
  ) throws -> [Double] {
    let session = try Session(
      local: GivenSource(samples, channels: 2, encoding: encoding, pieces: pieces))
    try session.register(
      FadeObserver(
        .record, in: .samples(Int64(fadeIn)), out: .samples(Int64(fadeOut)), curve: curve))
    return try ExactSamples.run(session, .publish, as: storage)
  }

  @Test(
    arguments: FadeCurve.allCases,
    [(4_800, 0), (0, 4_800), (1_000, 7_777), (1, 1), (50_000, 0), (0, 50_000), (9_000, 9_500)])
  func isExact(_ curve: FadeCurve, _ lengths: (Int, Int)) throws {
    let length = 10_000
    let factors = Self.factors(length, in: lengths.0, out: lengths.1, curve)
    for (encoding, storage) in [
      (SampleEncoding.s16, SampleLayout.Storage.s16), (.s16, .f32), (.s24, .s24),
    ] {
      let samples = Noise.integers(2 * length, seed: 3, bits: encoding == .s16 ? 16 : 24)
      let exact = samples.indices.map { FixedPoint(Self.cut(factors[$0 / 2]), samples[$0]) }
      let outputs = try faded(
        samples, encoding, in: lengths.0, out: lengths.1, curve, as: storage)
      #expect(outputs.count == samples.count)
      // A product in double precision may be a tie even if the exact product is none.
      #expect(
        SampleLayout(storage).countOfInexact(outputs, exact, slack: -52) == 0, "\(storage)")
    }
  }

  /// A factor below 2^−40 silences a sample and does not fit into the fixed point.
  private static func cut(_ factor: Double) -> Double { factor < 0x1p-40 ? 0 : factor }

  @Test func betweenTheFadesNothingChanges() throws {
    let samples = Noise.integers(20_000, seed: 5)
    let outputs = try faded(samples, .s16, in: 1_000, out: 2_000, .raisedCosine, as: .f64)
    let kept = 2 * 1_000..<20_000 - 2 * 2_000
    #expect(firstDifference(Array(outputs[kept]), Array(samples[kept])) == nil)
  }

  @Test func doesNotDependOnBlocks() throws {
    let samples = Noise.integers(60_000, seed: 6)
    let whole = try faded(samples, .s16, in: 20_000, out: 9_999, .equalPower, as: .f64)
    for pieces in [[1], [13, 4_096], [100_000]] {
      let cut = try faded(
        samples, .s16, in: 20_000, out: 9_999, .equalPower, as: .f64, pieces: pieces)
      #expect(firstDifference(cut, whole) == nil)
    }
  }

  /// An equal-power crossfade keeps the power; a linear one sums to the sound itself.
  @Test func crossfadesAddUp() {
    for index in 0...100 {
      let x = Double(index) / 100
      let power = FadeCurve.equalPower
      #expect(abs(pow(power.factor(at: x), 2) + pow(power.factor(at: 1 - x), 2) - 1) < 1e-15)
      for curve in [FadeCurve.linear, .raisedCosine] {
        #expect(abs(curve.factor(at: x) + curve.factor(at: 1 - x) - 1) < 1e-15)
      }
    }
  }

  /// In a sum with its own end, a source ends there, even behind a rate conversion; no later sample is heard.
  @Test func endsWithTheSum() throws {
    let session = Session()
    try session.addRemote(
      GivenSource(Array(repeating: 0.5, count: 44_100), rate: 44_100))
    session.mixSampleRate = 48_000
    session.duration = .time(.milliseconds(500))
    try session.register(
      FadeObserver(.beforeMixing, out: .time(.milliseconds(100))))
    let sink = try session.run(collecting: .playback, precision: .double)
    #expect(sink.samples.count == 24_000)
    // The fade at the sum's rate, at most half a sample off.
    let step = 0.5 / 4_800
    for place in 0..<4_700 {
      let expected = 0.5 * (1 - Double(place) / 4_800)
      #expect(abs(sink.samples[19_200 + place] - expected) < 2 * step, "\(place)")
    }
  }

  /// A mode that discards edits discards a fade, too.
  @Test func readOnlyIsDiscarded() throws {
    let samples = Noise.integers(10_000, seed: 7)
    let session = try Session(local: GivenSource(samples, encoding: .s16))
    let registration = try session.register(
      FadeObserver(
        .record, in: .samples(100), out: .samples(100),
        parameters: FrameParameters(mode: .readOnly)))
    let outputs = try ExactSamples.run(session, .publish, as: .s16)
    #expect(firstDifference(outputs, samples) == nil)
    #expect(registration.statistics[.record]?.samplesPerChannel == 10_000)
    #expect(registration.statistics[.record]?.discardedEdits ?? 0 > 0)
  }
}
