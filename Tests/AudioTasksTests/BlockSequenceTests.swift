// SPDX-License-Identifier: Apache-2.0
import AudioTasks
import TestSupport
import Testing

/// The samples of a source in a loop, without a session of one's own.
@Suite struct BlockSequenceTests {
  @Test func theLoopGetsEverySample() async throws {
    let samples = Noise.integers(100_000)
    var seen: [Double] = []
    var lengths: Set<Int> = []
    let shape = FrameParameters(samplesPerCall: 960)
    for try await block in try GivenSource(samples, encoding: .s16).blocks(
      as: shape, of: Double.self)
    {
      #expect(block.samplePosition == Int64(seen.count) && block.droppedFrames == 0)
      seen += block.samples
      lengths.insert(block.samples.count)
    }
    #expect(seen == samples)
    #expect(lengths == [960, 100_000 % 960])
  }

  @Test func theErrorComesBehindTheBlocksBeforeIt() async throws {
    let source = try GivenSource(Noise.integers(9_600), pieces: [480])
    source.failingRead = (5, .diskFull)
    var count = 0
    do throws(AudioError) {
      for try await block in source.blocks() { count += block.samples.count }
      Issue.record("the loop ended without an error")
    } catch {
      #expect(error.kind == .inputOutput)
    }
    #expect(count < 9_600)
  }

  @Test func leavingTheLoopEndsTheSession() async throws {
    let source = try GivenSource(Noise.integers(4_800_000))
    for try await _ in source.blocks() { break }
    // The next session of this process is none of that one.
    var count = 0
    for try await block in try GivenSource(Noise.integers(480)).blocks() {
      count += block.samples.count
    }
    #expect(count == 480)
  }
}
