// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A gain is within half a unit of the output's last bit of the exact product, computed with integers.
@Suite struct ExactGainTests {
  /// 6.0206 dB is nearly 2 and −6.0206 dB nearly 1/2: every odd sample then comes close to a tie.
  static let gains = [-90, -6.0206, -6, -0.1, 0, 3, 6.0206]

  private func outputs(
    of samples: [Double], _ encoding: SampleEncoding, _ gains: [Double],
    as storage: SampleLayout.Storage
  ) throws -> [Double] {
    let session = try Session(
      local: GivenSource(samples, encoding: encoding, pieces: [4_000, 1, 777]))
    for gain in gains {
      try session.register(GainObserver(.record, decibels: gain))
    }
    return try ExactSamples.run(session, .publish, as: storage)
  }

  @Test(arguments: gains)
  func everySampleOf16Bits(_ gain: Double) throws {
    let samples = ExactSamples.all16
    let factor = Decibels.factor(gain)
    let exact = samples.map { FixedPoint($0, factor) }
    for storage in [SampleLayout.Storage.s16, .f32] {
      let outputs = try outputs(of: samples, .s16, [gain], as: storage)
      #expect(outputs.count == samples.count)
      #expect(SampleLayout(storage).countOfInexact(outputs, exact) == 0, "\(storage)")
    }
  }

  @Test(arguments: ExactSamples.layouts, gains)
  func otherEncodings(_ storage: SampleLayout.Storage, _ gain: Double) throws {
    let samples = ExactSamples.samples(storage, 2_000)
    let factor = Decibels.factor(gain)
    let exact = samples.map { FixedPoint($0, factor) }
    for target in ExactSamples.layouts {
      let outputs = try outputs(
        of: samples, SampleLayout(storage).encoding, [gain], as: target)
      #expect(outputs.count == samples.count)
      #expect(SampleLayout(target).countOfInexact(outputs, exact) == 0, "\(target)")
    }
  }

  @Test(arguments: [(-6, -0.1), (3, 6.0206), (-6.0206, 3)])
  func twoInARow(_ first: Double, _ second: Double) throws {
    let samples = ExactSamples.all16
    let exact = samples.map { FixedPoint($0, Decibels.factor(first), Decibels.factor(second)) }
    let outputs = try outputs(of: samples, .s16, [first, second], as: .s16)
    #expect(outputs.count == samples.count)
    #expect(SampleLayout(.s16).countOfInexact(outputs, exact) == 0)
  }
}
