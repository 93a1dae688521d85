// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioCore

@Suite struct ToneTests {
  @Test func isTheSineOfEverySample() throws {
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 2)
    let source = ToneSource(frequency: 1_000, amplitude: 0.5, duration: .samples(5_000))
    let samples: [Double] = try readAll(source, proposing: format)
    #expect(samples.count == 10_000)
    for index in 0..<5_000 {
      let exact = 0.5 * sin(2 * Double.pi * Double(index * 1_000 % 44_100) / 44_100)
      #expect(abs(samples[2 * index] - exact) < 1e-15)
      #expect(samples[2 * index + 1] == samples[2 * index])
    }
  }

  /// 440.1 Hz, rounded to a multiple of 2^-44, weeks into the stream; the expected phase uses whole numbers.
  @Test func phaseIsExactAfterWeeks() {
    let frequency = 440.1
    var signal = ToneSignal(frequency: frequency, amplitude: 1, sampleRate: 48_000)
    var block = [Double](repeating: 0, count: 256)
    var span = block.mutableSpan
    let start: Int64 = 256 * 268_435_399
    signal.fill(&span, channelCount: 1, from: start)
    let cycle = Int128(48_000) << 44
    for index in 0..<256 {
      let phase = (Int128(start) + Int128(index)) * Int128(frequency * 0x1p44) % cycle
      let exact = sin(2 * Double.pi * (Double(phase) / Double(cycle)))
      #expect(abs(block[index] - exact) < 3e-15)
    }
  }

  @Test func describesItself() throws {
    let source = ToneSource(frequency: 440, duration: .time(.seconds(1) / 3))
    let own = try source.initialize(proposing: nil, wakeup: Wakeup())
    #expect(own.format == (try StreamFormat(sampleRate: 48_000, channelCount: 1)))
    #expect(own.encoding == .f32 && own.samplesPerChannel == 16_000 && !own.isLive)
    let peak = try readAll(ToneSource(frequency: 440), limit: 4_800).map { abs($0) }.max()
    #expect(abs(20 * log10(try #require(peak)) + 3) < 0.01)
  }

  /// Requested values win over proposed ones.
  @Test(
    arguments: [
      (nil, nil, 44_100, 2), (16_000, nil, 16_000, 2), (nil, 6, 44_100, 6), (8_000, 1, 8_000, 1),
    ] as [(Int?, Int?, Int, Int)])
  func generatorsHaveTheFormatThatIsAskedFor(
    rate: Int?, channels: Int?, expectedRate: Int, expectedChannels: Int
  ) throws {
    let proposal = try StreamFormat(sampleRate: 44_100, channelCount: 2)
    let expected = try StreamFormat(sampleRate: expectedRate, channelCount: expectedChannels)
    let second = TimePosition.time(.seconds(1))
    for source in [
      ToneSource(frequency: 440, sampleRate: rate, channelCount: channels, duration: second)
        as any AudioSource,
      SweepSource(
        from: 20, to: 2_000, sampleRate: rate, channelCount: channels, duration: second),
      NoiseSource(.white, sampleRate: rate, channelCount: channels, duration: second),
      SilenceSource(sampleRate: rate, channelCount: channels, duration: second),
    ] {
      #expect(source.takesProposedFormat == (rate == nil))
      let description = try source.initialize(proposing: proposal, wakeup: Wakeup())
      defer { source.dispose() }
      #expect(description.format == expected)
      #expect(description.samplesPerChannel == Int64(expectedRate))
    }
  }

  @Test(arguments: [(999, nil), (768_001, nil), (nil, 0), (nil, 65)] as [(Int?, Int?)])
  func refusesFormatsThatAreNone(rate: Int?, channels: Int?) {
    let source = ToneSource(frequency: 440, sampleRate: rate, channelCount: channels)
    #expect(
      errorKind { try source.initialize(proposing: nil, wakeup: Wakeup()) } == .invalidParameter)
  }

  @Test func aRateOfItsOwnIsThatOfTheSum() throws {
    let session = Session()
    try session.addRemote(
      ToneSource(frequency: 440, sampleRate: 16_000, duration: .samples(1_600)), id: "tone")
    try session.addRemote(SilenceSource(duration: .time(.milliseconds(100))), id: "silence")
    let sink = try session.collect(.playback, precision: .double)
    let report = try session.run()
    #expect(report.sources.map(\.format.sampleRate) == [16_000, 16_000])
    #expect(sink.samples.count == 1_600)
  }

  @Test(arguments: [0, -1, 24_000, 30_000, .nan, .infinity]) func refuses(_ frequency: Double) {
    let source = ToneSource(frequency: frequency)
    #expect(
      errorKind { try source.initialize(proposing: nil, wakeup: Wakeup()) } == .invalidParameter)
  }

  @Test func portionsDoNotMatter() throws {
    for source in [
      ToneSource(frequency: 997, duration: .samples(3_001)) as any AudioSource,
      SweepSource(from: 20, to: 20_000, duration: .samples(3_001)),
      NoiseSource(.white, seed: 5, duration: .samples(3_001)),
      NoiseSource(.pink, seed: 5, duration: .samples(3_001)),
      SilenceSource(duration: .samples(3_001)),
    ] {
      let format = try StreamFormat(sampleRate: 44_100, channelCount: 3)
      let whole: [Double] = try readAll(source, proposing: format, portion: 4_000)
      #expect(whole.count == 9_003)
      for portion in [1, 7, 256, 257, 1_000] {
        #expect(try readAll(source, proposing: format, portion: portion) == whole)
      }
      let floats: [Float] = try readAll(source, as: Float.self, proposing: format)
      #expect(floats == whole.map { Float($0) })
    }
  }
}
