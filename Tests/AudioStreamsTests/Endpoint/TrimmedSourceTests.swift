// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct TrimmedSourceTests {
  @Test(arguments: [(0, 10), (3, 4), (7, 100), (10, 5), (50, 5), (0, 0)])
  func cutsToTheSample(start: Int, length: Int) throws {
    let samples = (0..<20).map { Double($0) / 32 }
    let session = Session()
    let base = try GivenSource(samples, channels: 2, pieces: [3])
    try session.setLocal(
      TrimmedSource(base, start: .samples(Int64(start)), duration: .samples(Int64(length))))
    let sink = try session.run(collecting: .publish)
    #expect(sink.samples == Array(samples.dropFirst(start * 2).prefix(length * 2)))
  }

  @Test func roundsTimesToTheNearestSample() {
    #expect(TimePosition.time(.seconds(1) / 3).samples(at: 44_100) == 14_700)
    #expect(TimePosition.time(.microseconds(11)).samples(at: 44_100) == 0)
    #expect(TimePosition.time(.microseconds(12)).samples(at: 44_100) == 1)
    #expect(TimePosition.time(.seconds(360_000)).samples(at: 768_000) == 276_480_000_000)
    #expect(TimePosition.samples(5).samples(at: 1_000) == 5)
  }
}
