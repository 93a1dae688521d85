// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A mix is within half a unit of the output's last bit of the exact sum, computed with integers.
///
/// The slack above the half unit covers the roundings to `Double` of products and sums below 4: eight of at most 2^−52
/// each.
@Suite struct ExactMixTests {
  private static let slack = -49

  struct Input: Sendable {
    var storage: SampleLayout.Storage
    var gain = 0.0
    var pan = 0.0
  }

  static let mixes: [[Input]] = [
    [.init(storage: .s16), .init(storage: .s16), .init(storage: .u8)],
    [.init(storage: .s16, gain: -6), .init(storage: .s16, gain: -6.0206)],
    [.init(storage: .s16, gain: 3, pan: 0.3), .init(storage: .u8), .init(storage: .s16, pan: -1)],
    [.init(storage: .s16, gain: -90), .init(storage: .s24, gain: -0.1), .init(storage: .f32)],
    [.init(storage: .f32), .init(storage: .f32), .init(storage: .f32)],
    [.init(storage: .s32, gain: -6), .init(storage: .s24, gain: 6.0206), .init(storage: .s16)],
  ]

  @Test(arguments: mixes, [SampleLayout.Storage.u8, .s16, .s24, .s32, .f32])
  func inputsWithGains(_ inputs: [Input], _ target: SampleLayout.Storage) throws {
    let session = Session()
    var exact: [FixedPoint] = []
    for (index, input) in inputs.enumerated() {
      let samples = ExactSamples.samples(input.storage, 4_001, seed: UInt64(index + 1))
      let entry = MixEntry(gain: Decibels.factor(input.gain), pan: input.pan)
      let factors = [min(1, 1 - input.pan), min(1, 1 + input.pan)].map { entry.gain * $0 }
      let products = samples.indices.map { FixedPoint(samples[$0], factors[$0 % 2]) }
      if exact.isEmpty {
        exact = products
      } else {
        for index in exact.indices { exact[index] += products[index] }
      }
      try session.addRemote(
        try GivenSource(
          samples, channels: 2, encoding: SampleLayout(input.storage).encoding,
          pieces: [1_000 + index, 3]),
        entry: entry)
    }
    let outputs = try ExactSamples.run(session, .playback, as: target)
    #expect(outputs.count == exact.count)
    #expect(SampleLayout(target).countOfInexact(outputs, exact, slack: Self.slack) == 0)
  }

  /// An f32 source is rounded neither to `Float` before an s16 sink nor between its terms.
  @Test func aSumNearATieIsRoundedOnce() throws {
    // 1/2 + 2^−30 of a 16-bit step; only Double holds the sum.
    let terms = [0x1p-16, 0x1p-46, 0.5, -0.25]
    let session = Session()
    for term in terms { try session.addRemote(try GivenSource([term], encoding: .f32)) }
    let outputs = try ExactSamples.run(session, .playback, as: .s16)
    #expect(outputs == [0.25 + 0x1p-15])
  }

  @Test func aSourceThatAnObserverAddsAtAGain() throws {
    let samples = ExactSamples.samples(.s16, 5_000, seed: 1)
    let added = ExactSamples.samples(.f32, 5_000, seed: 2)
    let gain = Decibels.factor(-6)
    let session = try Session(local: GivenSource(samples, encoding: .s16))
    try session.register(
      MixObserver(.record, gain: gain) {
        (_: ObservedStream) throws(AudioError) -> any AudioSource in
        do { return try GivenSource(added) } catch { throw .diskFull }
      })
    let exact = samples.indices.map { index in
      var sum = FixedPoint(samples[index])
      sum += FixedPoint(added[index], gain)
      return sum
    }
    let outputs = try ExactSamples.run(session, .publish, as: .s16)
    #expect(outputs.count == exact.count)
    #expect(SampleLayout(.s16).countOfInexact(outputs, exact, slack: Self.slack) == 0)
  }
}
