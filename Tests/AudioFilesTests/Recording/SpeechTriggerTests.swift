// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioStreams

/// A `TriggeredSink` of speech passes on the steps with speech, and every sample that it says.
@Suite struct SpeechTriggerTests {
  /// Loud sounds count as speech.
  private func model() throws -> VoiceModel {
    let folder = ScratchDirectory()
    return try VoiceModel(path: folder.write(VoiceNumbers.loud.bytes))
  }

  private struct Run: Equatable {
    var samples: [Double]
    var events: [Range<Int64>]
  }

  private func run<Sample: AudioSample>(
    _ samples: [Sample], rate: Int, channels: Int = 1, preRoll: Int64, hold: Int64, block: Int,
    leftOut: Int64? = nil
  ) throws -> Run {
    let sink = CollectingSink(precision: Sample.precision)
    var events: [Range<Int64>] = []
    let triggered = TriggeredSink(
      sink,
      TriggeredSink.Trigger(
        .speech(SpeechThreshold()), preRoll: .samples(preRoll), hold: .samples(hold)),
      model: try model()
    ) { events.append($0.samples) }
    try triggered.begin(try StreamFormat(sampleRate: rate, channelCount: channels))
    if let leftOut { try triggered.receive(.leftOut(upTo: leftOut)) }
    for start in stride(from: 0, to: samples.count, by: block * channels) {
      let end = min(samples.count, start + block * channels)
      _ = try triggered.write(samples.span.extracting(start..<end))
    }
    try triggered.complete()
    return Run(samples: sink.samples, events: events)
  }

  /// Loud between the places, in samples per channel.
  private func talk(_ loud: [Range<Int>], length: Int, channels: Int = 1) -> [Float] {
    (0..<length * channels).map { place in
      let isLoud = loud.contains { $0.contains(place / channels) }
      return (isLoud ? 0.5 : 0.001) * Float(sin(Double(place / channels) * 0.3))
    }
  }

  @Test(arguments: [1, 2], [100, 512, 1_000, 40_000])
  func eventsAreWholeStepsAtAnyBlockSize(channels: Int, block: Int) throws {
    // Steps 8 to 15 and 40; the network of the test hears a step when it comes, and the trigger calls it the one before.
    let samples = talk([4_096..<8_192, 20_480..<20_992], length: 32_000, channels: channels)
    let found = try run(
      samples, rate: 16_000, channels: channels, preRoll: 0, hold: 0, block: block)
    #expect(found.events == [3_584..<7_680, 19_968..<20_480])
    #expect(
      found.samples
        == found.events.flatMap { event in
          samples[Int(event.lowerBound) * channels..<Int(event.upperBound) * channels].map(
            Double.init)
        })
    let held = try run(
      samples, rate: 16_000, channels: channels, preRoll: 1_000, hold: 2_000, block: block)
    #expect(held.events == [2_584..<9_680, 18_968..<22_480])
  }

  @Test func anotherRateGivesTheTimes() throws {
    let loud = [65_536..<131_072]
    let found = try run(
      talk(loud, length: 200_000), rate: 48_000, preRoll: 0, hold: 0, block: 4_800)
    let event = try #require(found.events.first)
    #expect(found.events.count == 1)
    // Within a step of 1,536 samples.
    #expect(abs(event.lowerBound + 1_536 - 65_536) <= 1_536)
    #expect(abs(event.upperBound + 1_536 - 131_072) <= 1_536)
    let doubles = talk(loud, length: 200_000).map(Double.init)
    #expect(
      try run(doubles, rate: 48_000, preRoll: 0, hold: 0, block: 999).events == found.events)
  }

  @Test func soundUpToTheEndIsKept() throws {
    let samples = talk([8_192..<16_100], length: 16_100)
    let found = try run(samples, rate: 16_000, preRoll: 0, hold: 100, block: 700)
    #expect(found.events.count == 1)
    #expect(found.events.first?.lowerBound == 7_680)
    // The last step is shorter than half a step.
    #expect((15_360...16_100).contains(found.events.first?.upperBound ?? 0))
  }

  @Test func aStreamThatGoesOnElsewhereKeepsItsPositions() throws {
    let samples = talk([4_096..<8_192], length: 16_000)
    let found = try run(
      samples, rate: 16_000, preRoll: 0, hold: 0, block: 700, leftOut: 1_000_000)
    #expect(found.events == [1_003_584..<1_007_680])
  }

  @Test func anEmptyStreamHasNoEvent() throws {
    for length in [0, 1, 100] {
      let found = try run(talk([], length: length), rate: 44_100, preRoll: 0, hold: 0, block: 50)
      #expect(found.events.isEmpty)
    }
  }
}
