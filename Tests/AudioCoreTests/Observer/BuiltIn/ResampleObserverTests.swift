// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct ResampleObserverTests {
  /// The sink requests the rate in one session, the observer in the other.
  @Test(arguments: [SampleEncoding.s16, .s24])
  func isTheConversionOfTheSession(encoding: SampleEncoding) throws {
    let samples = Noise.integers(4_411, seed: 6, bits: 16)
    var results: [[Double]] = []
    for usesObserver in [false, true] {
      let session = try Session(local: GivenSource(samples, rate: 44_100, encoding: encoding))
      let sink = CollectingSink()
      if usesObserver {
        try session.register(ResampleObserver(.record, sampleRate: 16_000))
      } else {
        sink.wanted = try StreamFormat(sampleRate: 16_000, channelCount: 1)
      }
      try session.setSink(sink, at: .publish)
      _ = try session.run()
      #expect(sink.format?.sampleRate == 16_000)
      results.append(sink.samples)
    }
    // ⌈4411 · 16000 / 44100⌉
    #expect(results[1].count == 1_601)
    #expect(results[0] == results[1])
  }
}
