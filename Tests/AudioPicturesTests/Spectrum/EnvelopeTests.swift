// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioPictures

/// The extremes of every column equal those found by reading every sample.
@Suite struct EnvelopeTests {
  @Test(arguments: [(1, 1), (10, 37), (36, 37), (1_000, 37), (100_003, 37), (700_001, 5)])
  func isWhatALookAtEverySampleFinds(length: Int, places: Int) throws {
    var random = SeededRandom(seed: UInt64(length))
    let samples = (0..<2 * length).map { _ in Double.random(in: -1...1, using: &random) }
    var envelope = Envelope(channelCount: 2, places: places)
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + 2 * Int.random(in: 1...30_000, using: &random))
      envelope.append(samples.span.extracting(start..<end))
      start = end
    }
    #expect(envelope.length == Int64(length))
    var end: Int64 = 0
    for place in 0..<places {
      let range = envelope.samples(at: place, of: places)
      let exact =
        Int64(place * length / places)..<Int64(((place + 1) * length + places - 1) / places)
      // All samples of the column, and hardly more.
      #expect(
        range.lowerBound <= exact.lowerBound && range.upperBound >= (place + 1) * length / places)
      #expect(range.count <= exact.count + max(2, exact.count / 8), "\(range), \(exact)")
      #expect(range.lowerBound <= end, "\(place)")
      end = range.upperBound
      for channel in 0..<2 {
        let column = envelope.column(channel, at: place, of: places)
        let direct = range.map { samples[2 * Int($0) + channel] }
        #expect(column.lowest == Float(try #require(direct.min())))
        #expect(column.highest == Float(try #require(direct.max())))
        let rms = (direct.reduce(0) { $0 + $1 * $1 } / Double(direct.count)).squareRoot()
        #expect(abs(column.rms - rms) < 1e-12)
        #expect(column.count == Int64(direct.count))
      }
    }
    #expect(end == Int64(length))
    #expect(envelope.whole(0).count == Int64(length))
    #expect(envelope.division.column(of: Int64(length - 1)) < envelope.division.limit)
  }

  @Test func leavesOutWhatIsNotANumber() {
    var envelope = Envelope(channelCount: 1, places: 2)
    envelope.append(([0.5, .nan, -0.25, .infinity] as [Float]).span)
    let column = envelope.whole(0)
    #expect((column.lowest, column.highest) == (-0.25, 0.5))
    #expect(column.count == 2)
  }

  /// A picture's range is the range of 32-bit floating point.
  @Test func narrowsWhatIsBeyondTheRange() {
    var envelope = Envelope(channelCount: 1, places: 2)
    envelope.append(([0.5, 1e308, -1e200, 1e308] as [Double]).span)
    let column = envelope.whole(0)
    #expect(column.highest == .greatestFiniteMagnitude)
    #expect(column.lowest == -.greatestFiniteMagnitude)
    #expect(column.count == 4)
  }
}
