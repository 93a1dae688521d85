// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

@Suite struct SharedSumTests {
  private let link: PullLink
  private let sum: SharedSum
  private let first = SourceID(ordinal: 1)
  private let second = SourceID(ordinal: 2)

  init() throws {
    let format = try StreamFormat(sampleRate: 1_000, channelCount: 1)
    link = PullLink(format: format, precision: .single, capacity: 100_000, wakeup: nil)
    sum = SharedSum(into: link, format: format)
    for source in [first, second] { sum.begin(source) }
  }

  private func add(_ sample: Float, _ count: Int, from source: SourceID, at place: Int64) {
    sum.add([Float](repeating: sample, count: count).span, from: source, at: place)
  }

  private func taken() throws -> [Float] {
    let reader = PullReader(name: "sum")
    reader.open(link)
    return try reader.readAvailable()
  }

  /// Without an end of the other nobody knows whether it is late.
  @Test func itWaitsForEverySourceAndForTheMix() throws {
    add(1, 100, from: first, at: 0)
    sum.follow(mixAt: 80)
    #expect(try taken().isEmpty)
    add(2, 60, from: second, at: 0)
    #expect(try taken() == Array(repeating: 3, count: 60))
    sum.end(second)
    #expect(try taken() == Array(repeating: 1, count: 20))
    sum.follow(mixAt: 200)
    #expect(try taken() == Array(repeating: 1, count: 20))
    sum.end(first)
    sum.finish()
    #expect(try taken().isEmpty)
  }

  /// A live source that has nothing holds up nobody; what it gives later follows where the sum is.
  @Test func silenceStandsInForASourceThatHasNothing() throws {
    for place in stride(from: Int64(0), to: 5_000, by: 500) {
      add(1, 500, from: first, at: place)
      sum.follow(mixAt: place + 500)
    }
    #expect(try taken() == Array(repeating: 1, count: 4_000))
    add(2, 300, from: second, at: 0)
    #expect(try taken() == Array(repeating: 3, count: 300))
    add(4, 100, from: second, at: 300)
    #expect(try taken() == Array(repeating: 5, count: 100))
  }
}
