// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

/// A frame made by a test, and its statements about its samples.
@Suite struct AudioFrameTests {
  private let stereo: StreamFormat

  init() throws { stereo = try StreamFormat(sampleRate: 48_000, channelCount: 2) }

  @Test func aFrameThatSaysNothingElseIsOfASum() {
    var samples: [Float] = [0.5, -0.5, 0.25, -0.25]
    let frame = AudioFrame(samples.mutableSpan, format: stereo)
    let facts = (frame.samplePosition, frame.isPartial, frame.source, frame.group, frame.key)
    #expect(facts == (0, false, nil, nil, nil))
    let shape = (frame.sampleRate, frame.channelCount, frame.samplesPerChannel, frame.renderTime)
    #expect(shape == (48_000, 2, 2, 0))
  }

  @Test func itIsWhatTheTestSays() {
    var samples: [Int16] = [1, 2]
    let frame = AudioFrame(
      samples.mutableSpan, format: stereo, samplePosition: 4_800, isPartial: true, source: "anna",
      group: "hall")
    let facts = (frame.samplePosition, frame.isPartial, frame.key, frame.renderTime)
    #expect(facts == (4_800, true, "hall/anna", 100))
  }

  @Test func samplesByChannelAndIndex() {
    var samples = (0..<12).map { Double($0) }
    var frame = AudioFrame(samples.mutableSpan, format: stereo)
    var read: [Double] = []
    for channel in 0..<2 {
      for index in 0..<frame.samplesPerChannel { read.append(frame[channel, index]) }
    }
    #expect(read == [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11])
    for index in 0..<frame.samplesPerChannel { frame[1, index] *= -1 }
    #expect(frame.array == [0, -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, -11])
    #expect(samples == [0, -1, 2, -3, 4, -5, 6, -7, 8, -9, 10, -11])
  }

  @Test func everySampleInOrder() throws {
    var samples: [Int16] = [10, 20, 30, 11, 21, 31]
    let format = try StreamFormat(sampleRate: 8_000, channelCount: 3)
    let frame = AudioFrame(samples.mutableSpan, format: format)
    var seen: [[Int]] = []
    frame.forEach { channel, sample in seen.append([channel, Int(sample)]) }
    #expect(seen == [[0, 10], [1, 20], [2, 30], [0, 11], [1, 21], [2, 31]])
  }

  @Test func anErrorEndsTheWalk() {
    struct Enough: Error {}
    var samples: [Float] = [1, 2, 3, 4]
    let frame = AudioFrame(samples.mutableSpan, format: stereo)
    var sum: Float = 0
    do throws(Enough) {
      try frame.forEach { (_, sample) throws(Enough) in
        if sample > 2 { throw Enough() }
        sum += sample
      }
      Issue.record("the error was lost")
    } catch {}
    #expect(sum == 3)
  }

  @Test func anArrayOutlivesTheFrame() {
    var samples: [Float] = [1, 2]
    var frame = AudioFrame(samples.mutableSpan, format: stereo)
    let kept = frame.array
    frame.samples[0] = 5
    #expect(frame.copy().samples == [5, 2])
    #expect(kept == [1, 2])
  }

  @Test func nothingIsAFrameToo() {
    var samples: [Float] = []
    let frame = AudioFrame(samples.mutableSpan, format: stereo)
    #expect(frame.samplesPerChannel == 0)
    #expect(frame.array.isEmpty)
  }
}
