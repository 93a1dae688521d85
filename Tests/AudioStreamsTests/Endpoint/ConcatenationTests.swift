// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Parts of a stream, played in a row, are the stream.
@Suite struct ConcatenationTests {
  private static func play(_ source: any AudioSource) throws -> [Double] {
    let session = try Session(local: source)
    return try session.run(collecting: .publish).samples
  }

  private static func pieces(_ draw: inout Draw) -> [Int] {
    (0..<draw.number(in: 1...4)).map { _ in draw.number(in: 0...200) } + [1]
  }

  @Test func partsOfASourceAreTheWholeSource() throws {
    for seed in seeds(100) {
      var draw = Draw(seed: seed)
      let channels = draw.number(in: 1...3)
      let length = draw.element([0, 1, 50, 2_000])
      let samples = Noise.integers(length * channels, seed: seed)
      var cuts = (0..<draw.number(in: 0...5)).map { _ in draw.number(in: 0...length) }.sorted()
      cuts = [0] + cuts + [length]
      // Each part is either its own source or an excerpt of the whole.
      let parts = try zip(cuts, cuts.dropFirst()).map { begin, end -> any AudioSource in
        if draw.chance {
          return try GivenSource(
            Array(samples[begin * channels..<end * channels]), channels: channels,
            pieces: Self.pieces(&draw))
        }
        return TrimmedSource(
          try GivenSource(samples, channels: channels, pieces: Self.pieces(&draw)),
          start: .samples(Int64(begin)), duration: .samples(Int64(end - begin)))
      }
      let difference = firstDifference(try Self.play(SequenceSource(parts)), samples)
      #expect(difference == nil, "seed \(seed)")
    }
  }
}
