// SPDX-License-Identifier: Apache-2.0
/// Samples exact in an encoding, for tests with an exact result.
package enum ExactSamples {
  package static let layouts: [SampleLayout.Storage] = [.u8, .s16, .s24, .s32, .f32, .f64]

  /// Returns the extremes, the centre and its neighbours, and `count` random others.
  package static func samples(_ storage: SampleLayout.Storage, _ count: Int, seed: UInt64 = 1)
    -> [Double]
  {
    let bits =
      switch storage {
      case .s8, .u8: 8
      case .s24, .s24In32, .f32: 24
      case .s32: 32
      case .f64: 53
      case .s16, .ulaw, .alaw: 16
      }
    let unit = Double(sign: .plus, exponent: 1 - bits, significand: 1)
    let edges = [-1, -1 + unit, -0.5, -unit, 0, unit, 0.5, 1 - 2 * unit, 1 - unit]
    return edges + Noise.integers(count, seed: seed, bits: bits)
  }

  /// Every sample of 16 bits.
  package static let all16 = (-32_768...32_767).map { Double($0) / 32_768 }

  /// Returns the samples in a sink of `storage` after `session`.
  package static func run(
    _ session: Session, _ place: SinkPlace, as storage: SampleLayout.Storage
  ) throws -> [Double] {
    let sink = QuantisingSink(SampleLayout(storage))
    try session.setSink(sink, at: place)
    _ = try session.run()
    return decode(sink.bytes, as: SampleLayout(storage))
  }
}
