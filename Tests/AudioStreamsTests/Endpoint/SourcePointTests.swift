// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Parts of sources between points counted from either end.
@Suite struct SourcePointTests {
  private static let samples = (0..<20).map { Double($0) / 32 }

  private func part(
    from start: SourcePoint, to end: SourcePoint?, pieces: [Int] = [3]
  ) throws -> [Double] {
    let session = Session()
    let base = try GivenSource(Self.samples, channels: 2, pieces: pieces)
    try session.setLocal(TrimmedSource(base, from: start, to: end))
    return try session.run(collecting: .publish).samples
  }

  private static let parts: [(SourcePoint, SourcePoint?, Int, Int)] = [
    (.fromEnd(.samples(3)), nil, 7, 10),
    (.fromEnd(.samples(30)), nil, 0, 10),
    (.fromStart(.samples(2)), .fromStart(.samples(5)), 2, 5),
    (.fromStart(.samples(2)), .fromEnd(.samples(1)), 2, 9),
    (.fromEnd(.samples(4)), .fromEnd(.samples(1)), 6, 9),
    (.fromEnd(.samples(4)), .fromStart(.samples(8)), 6, 8),
    (.fromStart(.samples(5)), .fromStart(.samples(5)), 5, 5),
    (.fromStart(.samples(5)), .fromStart(.samples(50)), 5, 10),
    (.fromStart(.samples(50)), .fromEnd(.samples(2)), 10, 10),
  ]

  @Test(arguments: parts)
  func cutsToTheSample(_ start: SourcePoint, _ end: SourcePoint?, _ low: Int, _ high: Int) throws {
    #expect(try part(from: start, to: end) == Array(Self.samples[2 * low..<2 * high]))
  }

  @Test func anEndBeforeTheStartIsAnError() {
    let error = #expect(throws: AudioError.self) {
      try part(from: .fromStart(.samples(5)), to: .fromStart(.samples(4)))
    }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.reason == "its end, sample 4, lies before its start, sample 5")
  }

  @Test func aSourceWithoutAnEndHasNone() throws {
    let session = try Session(local: TrimmedSource(SilenceSource(), from: .fromEnd(.samples(3))))
    try session.setSink(NullSink(), at: .publish)
    #expect(errorKind { try session.run() } == .unsupported)
  }
}
