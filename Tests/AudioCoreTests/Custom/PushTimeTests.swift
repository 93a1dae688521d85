// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioCore

@Suite struct PushTimeTests {
  /// Pieces of ones at given times; the oracle is a plain array written by index.
  @Test(arguments: [1, 2, 7, 512])
  func fillsGapsToTheSample(size: Int) throws {
    let bench = try PushBench(channels: 2)
    let pieces: [(time: Int64?, length: Int)] = [
      (3, 2), (nil, 1), (6, 4), (1_000, 1), (1_001, 5), (nil, 1), (1_008, 3),
    ]
    var expected: [Float] = []
    var gaps = 0
    var filled = 0
    for (time, length) in pieces {
      let begin = time.map { Int($0) * 2 } ?? expected.count
      if begin > expected.count { gaps += 1 }
      filled += begin - expected.count
      expected += [Float](repeating: 0, count: begin - expected.count)
      let samples = (0..<length * 2).map { Float(expected.count + $0 + 1) / 4_096 }
      expected += samples
      #expect(try bench.sender.send(samples, at: time) == samples.count)
    }
    bench.sender.finish()
    let read = try bench.read(size: size * 2)
    #expect(read.samples == expected)
    #expect(read.status == .ended)
    #expect(bench.sender.statistics.gaps == gaps)
    #expect(bench.sender.statistics.filledSamplesPerChannel == Int64(filled / 2))
  }

  @Test func refusesAPieceThatComesLate() throws {
    let bench = try PushBench()
    _ = try bench.sender.send([0.1, 0.2, 0.3] as [Float], at: 0)
    do {
      _ = try bench.sender.send([0.4, 0.5] as [Float], at: 1)
      Issue.record("it was taken")
    } catch {
      #expect(
        "\(error)" == "cannot send to 'mic': the piece begins 2 samples before the end of "
          + "the stream so far; send pieces in order")
    }
    #expect(bench.sender.statistics.lateSamplesPerChannel == 2)
    _ = try bench.sender.send([0.6] as [Float], at: 3)
    #expect(try bench.read().samples == [0.1, 0.2, 0.3, 0.6])
    #expect(bench.sender.statistics.gaps == 0)
  }

  /// Samples refused by a full ring become a gap if the sender goes on by the clock.
  @Test func lostSamplesBecomeSilence() throws {
    let bench = try PushBench(capacity: 3)
    let taken = try bench.sender.send([0.1, 0.2, 0.3, 0.4, 0.5] as [Float], at: 0)
    #expect(taken == 3)
    var read = try bench.read().samples
    _ = try bench.sender.send([0.6] as [Float], at: 5)
    read += try bench.read().samples
    #expect(read == [0.1, 0.2, 0.3, 0, 0, 0.6])
  }

  /// One conversion over all pieces of a run; the oracle is the resampler on the whole.
  @Test(arguments: [1, 97, 400], [16_000, 44_100, 96_000])
  func carriesTheConversionFromPieceToPiece(piece: Int, rate: Int) throws {
    let bench = try PushBench(channels: 2, capacity: 10_000)
    let samples = Noise.integers(1_600).map { Float($0) }
    for start in stride(from: 0, to: samples.count, by: piece * 2) {
      let part = Array(samples[start..<min(start + piece * 2, samples.count)])
      #expect(try bench.sender.send(part, rate: rate, at: Int64(start / 2)) == part.count)
    }
    bench.sender.finish()
    #expect(try bench.read().samples == resampled(samples, from: rate, channels: 2))
  }

  /// Each run is converted and flushed by itself. A gap inside a run is silence before conversion, a gap between runs
  /// is silence of the stream.
  @Test func flushesWhenTheRateChanges() throws {
    let bench = try PushBench(capacity: 10_000)
    let samples = Noise.integers(1_000).map { Float($0) }
    func part(_ range: Range<Int>) -> [Float] { Array(samples[range]) }
    let sender = bench.sender
    _ = try sender.send(part(0..<100))
    _ = try sender.send(part(100..<300), rate: 44_100)
    _ = try sender.send(part(300..<400), rate: 44_100)
    _ = try sender.send(part(400..<501), rate: 8_000)
    // The third run begins at 100 + ⌈300 · 48 / 44.1⌉ = 427, which is 71 at 8 kHz; 71 + 101 + 28 = 200.
    _ = try sender.send(part(501..<551), rate: 8_000, at: 200)
    let silent = [Float](repeating: 0, count: 28)
    let before =
      part(0..<100) + resampled(part(100..<400), from: 44_100, channels: 1)
      + resampled(part(400..<501) + silent + part(501..<551), from: 8_000, channels: 1)
    // Back to the stream's rate, 10 samples after the end.
    _ = try sender.send(part(551..<560), at: Int64(before.count + 10))
    sender.finish()
    let expected = before + [Float](repeating: 0, count: 10) + part(551..<560)
    #expect(try bench.read(size: 100).samples == expected)
    #expect(sender.statistics.gaps == 2)
    #expect(sender.statistics.filledSamplesPerChannel == 28 * 6 + 10)
  }

  /// Equal instants at two rates leave no gap and no overlap.
  @Test(arguments: [8_000, 11_025, 44_100, 48_000], [16_000, 22_050, 44_100, 192_000])
  func contiguousTimesLeaveNoGap(first: Int, second: Int) {
    var timeline = PushTimeline(streamRate: 48_000)
    for seconds in 0..<20 {
      let rate = seconds % 2 == 0 ? first : second
      let placement = timeline.placement(rate: rate, at: Int64(seconds * rate))
      #expect(placement.gap == 0)
      timeline.append(rate, placement)
      let next = timeline.placement(rate: rate, at: Int64((seconds + 1) * rate + 5))
      #expect(next.gap == 5)
    }
  }

  private func resampled(_ samples: [Float], from rate: Int, channels: Int) -> [Float] {
    do {
      let chain = Chain<Float>(
        format: try StreamFormat(sampleRate: rate, channelCount: channels))
      try chain.convert(
        to: try StreamFormat(sampleRate: 48_000, channelCount: channels), quality: .high,
        isLive: true)
      chain.input.append(samples.span)
      try chain.end()
      let queue = chain.output
      return (0..<queue.count).map { queue.readable[$0] }
    } catch {
      Issue.record("\(error)")
      return []
    }
  }

  /// Silence inserted by the session takes the place of late samples.
  @Test func whatIsLateKeepsItsPlace() throws {
    let bench = try PushBench()
    let samples = (1...300).map { Float($0) / 512 }
    _ = try bench.sender.send(Array(samples[..<100]), at: 0)
    #expect(try bench.read().samples == Array(samples[..<100]))
    bench.microphone.silenceStoodIn(samplesPerChannel: 50)
    // Late in full, late in part, in time.
    #expect(try bench.sender.send(Array(samples[100..<130]), at: 100) == 30)
    #expect(try bench.sender.send(Array(samples[130..<200]), at: 130) == 70)
    #expect(try bench.sender.send(Array(samples[200...]), at: 200) == 100)
    #expect(try bench.read().samples == Array(samples[150...]))
    #expect(bench.sender.statistics.lateSamplesPerChannel == 50)
    #expect(bench.sender.statistics.gaps == 0)
    #expect(throws: AudioError.self) { try bench.sender.send([0.5], at: 299) }
  }

  @Test func aGapIsShortenedByTheSilenceThatStoodIn() throws {
    let bench = try PushBench()
    _ = try bench.sender.send([0.5], at: 0)
    _ = try bench.read()
    bench.microphone.silenceStoodIn(samplesPerChannel: 50)
    _ = try bench.sender.send([0.25], at: 61)
    #expect(try bench.read().samples == Array(repeating: 0, count: 10) + [0.25])
    #expect(bench.sender.statistics.filledSamplesPerChannel == 10)
    #expect(bench.sender.statistics.lateSamplesPerChannel == 0)
  }

  /// A piece without a time follows the silence after a further 0.1 s, the allowed lateness.
  @Test func whatStatesNoTimeFollowsTheSilence() throws {
    let bench = try PushBench()
    _ = try bench.sender.send([0.5])
    _ = try bench.read()
    bench.microphone.silenceStoodIn(samplesPerChannel: 50)
    _ = try bench.sender.send([0.25])
    _ = try bench.sender.send([0.125])
    #expect(
      try bench.read(size: 8_192).samples == Array(repeating: 0, count: 4_800) + [0.25, 0.125])
    // The lateness is known by now.
    _ = try bench.sender.send([1], at: 4_853)
    #expect(try bench.read().samples == [1])
  }
}
