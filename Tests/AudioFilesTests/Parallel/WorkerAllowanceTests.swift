// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// Processors added to a session while it runs.
@Suite struct WorkerAllowanceTests {
  @Test func aPoolHasAsManyThreadsAsItMay() {
    let allowance = WorkerAllowance(0)
    let pool = WorkerPool(threadCount: 3, allowance: allowance)
    #expect(!pool.isEmpty)
    #expect(!pool.isAllowed)
    #expect(pool.usefulItemCount == 2)
    allowance.threadCount = 2
    #expect(pool.isAllowed)
    #expect(pool.usefulItemCount == 6)
    allowance.threadCount = .max
    #expect(pool.usefulItemCount == 8)
  }

  /// Added, removed and added again, anywhere in the stream.
  @Test(arguments: [[0], [3], [3, 4], [1, 7, 8], [2, 3, 4, 5, 6, 7]])
  func aResampledStreamIsTheSame(changes: [Int]) throws {
    let input: [Float] = Noise.samples(2 * 40_000)
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 2)
    let filter = ResamplerFilter<Float>(
      ratio: ResamplingRatio(from: 44_100, to: 48_000), quality: .fast)
    let alone = try run(
      Resampler(from: format, sampleRate: 48_000, filter: filter), on: input)
    let allowance = WorkerAllowance(0)
    let helped = try Resampler(
      from: format, sampleRate: 48_000, filter: filter,
      pool: WorkerPool(threadCount: 2, allowance: allowance))
    let output = SampleQueue<Float>()
    for block in 0..<10 {
      if changes.contains(block) { allowance.threadCount = allowance.threadCount == 0 ? 2 : 0 }
      helped.process(input.span.extracting(block * 8_000..<(block + 1) * 8_000), into: output)
    }
    helped.finish(into: output)
    let samples = (0..<output.count).map { output.readable[$0] }
    #expect(firstDifference(samples, alone) == nil)
  }

  /// A file decoded and encoded on additional threads from its middle on is unchanged.
  @Test func aFileIsTheSame() throws {
    let scratch = ScratchDirectory()
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 2)
    let samples = Noise.integers(2 * 700_000, seed: 5)
    let input = scratch.file("in.flac")
    try store(samples, in: input, FileFormat(.flac, .s16), format)
    func convert(to name: String, grantingAt wanted: Int64?) throws -> [UInt8] {
      let workers = WorkerAllowance(0)
      let session = Session()
      let source = SoundFileSource(path: input)
      let path = scratch.file(name)
      let sink = SoundFileSink(path: path, format: try FileFormat(.flac, .s16))
      (session.workers, source.workers, sink.workers) = (workers, workers, workers)
      try session.setLocal(source)
      try session.setSink(sink, at: .publish)
      session.onProgress = { progress in
        if let wanted, progress.samplesPerChannel >= wanted { workers.threadCount = 1 }
      }
      let report = try session.run()
      #expect(report.outcome == .finished)
      return try contents(path)
    }
    let alone = try convert(to: "alone.flac", grantingAt: nil)
    for wanted: Int64 in [0, 200_000, 450_000] {
      let helped = try convert(to: "\(wanted).flac", grantingAt: wanted)
      #expect(firstDifference(helped, alone) == nil)
    }
  }
}
