// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioPlugins

/// Output shifted back by its latency.
@Suite struct DelayedStreamTests {
  /// Returns the output for blocks of 4 samples numbered from 0, each delayed by its latency.
  private func output(_ latencies: [Double], silence: Int = -1) -> [Int] {
    var stream = DelayedStream()
    var output: [Int] = []
    for (block, latency) in latencies.enumerated() {
      let share = stream.take(latency, length: 4)
      output += Array(repeating: silence, count: share.silence)
      for index in share.first..<4 { output.append(4 * block + index - Int(latency)) }
    }
    return output
  }

  @Test(arguments: [0, 1, 4, 5, 11])
  func aConstantLatencyLeavesEverySampleInPlace(_ latency: Int) {
    let output = output(Array(repeating: Double(latency), count: 8))
    #expect(output == Array(0..<32 - latency))
  }

  @Test func aLatencyThatGrowsDropsWhatComesTwice() {
    // From the second block on the latency is 3 samples more: sample n still stands at n.
    let output = output([1, 4, 4, 4])
    #expect(output == Array(0..<12))
  }

  @Test func aLatencyThatShrinksLeavesAGapOfSilence() {
    // Two blocks at 4, then at 1: the plug-in skips samples 4 to 6.
    #expect(output([4, 4, 1, 1]) == [0, 1, 2, 3, -1, -1, -1, 7, 8, 9, 10, 11, 12, 13, 14])
  }

  @Test func changesAreCounted() {
    var stream = DelayedStream()
    for latency in [5.0, 5, 7, 7, 5, .nan, -3, .infinity] {
      _ = stream.take(latency, length: 4)
    }
    // To 7, to 5, to 0; NaN and infinity change nothing.
    #expect(stream.changes == 3)
    #expect(stream.latency == 0)
  }
}
