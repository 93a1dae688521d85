// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

@Suite struct WorkerPoolTests {
  private final class Box { var value = 0 }

  @Test(arguments: [0, 1, 3]) func everyPieceIsDoneOnce(threadCount: Int) {
    let pool = WorkerPool(threadCount: threadCount)
    #expect(pool.isEmpty == (threadCount == 0))
    for round in 1...20 {
      let boxes = (0..<50).map { _ in Box() }
      let pieces = boxes.enumerated().map { index, box in WorkItem { box.value += index * round } }
      for piece in pieces { pool.add(piece) }
      // In an unexpected order.
      for piece in pieces.reversed() { pool.finish(piece) }
      #expect(boxes.map { $0.value } == (0..<50).map { $0 * round })
    }
  }

  @Test func aPieceCanBeGivenOutAgain() {
    let pool = WorkerPool(threadCount: 1)
    let box = Box()
    let piece = WorkItem { box.value += 1 }
    for _ in 0..<100 {
      piece.reset()
      pool.add(piece)
      pool.finish(piece)
    }
    #expect(box.value == 100)
  }

  /// The samples are equal at every number of helpers and every block size.
  @Test(arguments: [0, 1, 3]) func aResampledStreamDoesNotDependOnTheThreads(threadCount: Int)
    throws
  {
    var generator = SplitMix64(seed: 31)
    for (inputRate, outputRate, channels, quality) in [
      (44_100, 48_000, 2, ResamplerQuality.fast), (48_000, 16_000, 1, .fast),
      (44_100, 44_101, 2, .fast), (48_000, 16_000, 2, .best), (44_100, 47_999, 1, .best),
    ] {
      let input: [Float] = Noise.samples(30_000 * channels)
      let format = try StreamFormat(sampleRate: inputRate, channelCount: channels)
      let filter = ResamplerFilter<Float>(
        ratio: ResamplingRatio(from: inputRate, to: outputRate), quality: quality)
      let alone = try run(
        Resampler(from: format, sampleRate: outputRate, filter: filter), on: input)
      var cuts: [Int] = []
      var place = 0
      while place < 30_000 {
        cuts.append(place * channels)
        place += Int(generator.next() % 4_000)
      }
      let pool = WorkerPool(threadCount: threadCount)
      let helped = try run(
        Resampler(from: format, sampleRate: outputRate, filter: filter, pool: pool), on: input,
        cuts: cuts)
      #expect(helped == alone)
    }
  }
}
