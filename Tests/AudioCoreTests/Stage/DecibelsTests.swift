import AudioCore
import Testing

@Suite struct GainObserverTests {
  @Test(arguments: [SampleEncoding.s16, .s24])
  func isExactInThePrecisionOfTheSession(encoding: SampleEncoding) throws {
    let bits = encoding == .s16 ? 16 : 24
    let samples = Noise.integers(3_000, bits: bits)
    let session = Session()
    session.setLocal(try ArraySource(samples, encoding: encoding))
    session.register(matching: GainObserver.make(decibels: -6, positions: .record))
    let sink = CollectingSink()
    session.setSink(.publish, sink)
    _ = try session.run()
    let factor = Decibels.factor(-6)
    // Two roundings: of the factor and of the product.
    let tolerance = encoding == .s16 ? 0x1p-23 : 0x1p-53
    #expect(
      zip(samples, sink.samples).allSatisfy { abs($0 * factor - $1) <= tolerance * abs($1) })
  }

  @Test func zeroDecibelsIsExactlyOne() {
    #expect(Decibels.factor(0) == 1)
    #expect(abs(Decibels.factor(20) - 10) < 1e-14)
  }
}
