// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import AudioFiles

/// The samples that pass a trigger, compared with a rule per sample.
@Suite struct TriggeredSinkTests {
  private struct Run {
    var samples: [Double]
    var events: [Range<Int64>]
  }

  private func run<Sample: AudioSample>(
    _ samples: [Sample], channels: Int, threshold: Double, preRoll: Int64, hold: Int64, block: Int
  ) throws -> Run {
    let sink = CollectingSink(precision: Sample.precision)
    var events: [Range<Int64>] = []
    let triggered = TriggeredSink(
      sink,
      TriggeredSink.Trigger(
        .level(threshold), preRoll: .samples(preRoll), hold: .samples(hold))
    ) { events.append($0.samples) }
    try triggered.begin(try StreamFormat(sampleRate: 48_000, channelCount: channels))
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + block * channels)
      _ = try triggered.write(samples.span.extracting(start..<end))
      start = end
    }
    try triggered.complete()
    return Run(samples: sink.samples, events: events)
  }

  /// Returns the events, sample by sample: quiet for longer than `hold` ends one; a loud sample begins one up to
  /// `preRoll` earlier, but after the last event.
  private func expected(
    _ isLoud: [Bool], preRoll: Int64, hold: Int64
  ) -> [Range<Int64>] {
    var events: [Range<Int64>] = []
    var open: (first: Int64, end: Int64)?
    for place in 0..<Int64(isLoud.count) {
      if let event = open, place == event.end, !isLoud[Int(place)] {
        events.append(event.first..<event.end)
        open = nil
      }
      guard isLoud[Int(place)] else { continue }
      let first = open?.first ?? max(events.last?.upperBound ?? 0, place - preRoll)
      open = (first, place + 1 + hold)
    }
    if let open { events.append(open.first..<min(open.end, Int64(isLoud.count))) }
    return events
  }

  @Test(arguments: [1, 2, 3])
  func everyBlockSizeGivesTheSameEvents(channels: Int) throws {
    var random = SplitMix64(seed: UInt64(channels))
    for round in 0..<40 {
      let length = 3_000
      // Sometimes 0, too.
      let preRoll = round % 10 == 1 ? 0 : Int64(random.next() % 300)
      let hold = round % 10 < 2 ? 0 : Int64(random.next() % 300)
      // Quiet is just below the threshold of 0.5, so the test tells `>=` from `>`.
      var samples = [Float](repeating: Float(0.5).nextDown, count: length * channels)
      var isLoud = [Bool](repeating: false, count: length)
      for _ in 0..<random.next() % 12 {
        let place = Int(random.next() % UInt64(length))
        isLoud[place] = true
        let channel = Int(random.next() % UInt64(channels))
        samples[place * channels + channel] = random.next() & 1 == 0 ? 0.5 : -0.5
      }
      // Each sample below the threshold shows its own place.
      for index in samples.indices where abs(samples[index]) < 0.5 {
        samples[index] = Float(index % 4_001) / 16_384
      }
      let events = expected(isLoud, preRoll: preRoll, hold: hold)
      let kept = events.flatMap { event in
        samples[Int(event.lowerBound) * channels..<Int(event.upperBound) * channels].map(
          Double.init)
      }
      for block in [1, 7, 256, length] {
        let run = try self.run(
          samples, channels: channels, threshold: Decibels.level(0.5), preRoll: preRoll,
          hold: hold, block: block)
        #expect(run.events == events)
        let isSame = run.samples == kept
        #expect(isSame)
      }
    }
  }

  @Test func theThresholdItselfIsLoud() throws {
    let quiet = [Double](repeating: 0, count: 100)
    for (value, isHeard) in [(1.0, true), (-1.0, true), (1.0.nextDown, false)] {
      let run = try self.run(
        quiet + [value] + quiet, channels: 1, threshold: 0, preRoll: 10, hold: 20, block: 64)
      #expect(run.events == (isHeard ? [90..<121] : []))
    }
  }

  @Test func whatIsNoNumberIsNotLoud() throws {
    let run = try self.run(
      [Float](repeating: .nan, count: 100), channels: 1, threshold: -300, preRoll: 1, hold: 1,
      block: 10)
    #expect(run.events.isEmpty)
  }

  /// Each event has its own file, with its position in the stream.
  @Test func partsForEvents() throws {
    let scratch = ScratchDirectory()
    let file = try FileFormat(.wav, .s16)
    var parts: [SplittingSink.Part] = []
    let splitting = SplittingSink(
      try PartNames(scratch.file("event-%02d.wav")), limits: [.event, .duration(.samples(25))]
    ) {
      SoundFileSink(path: $0, format: file)
    } onPart: {
      parts.append($0)
    }
    let triggered = TriggeredSink(
      splitting, TriggeredSink.Trigger(.level(-20), preRoll: .samples(5), hold: .samples(9)))
    var samples = (0..<1_000).map { Double($0) / 32_768 }
    for place in [3, 200, 400, 406, 412, 998] { samples[place] = 0.5 }
    _ = try triggered.initialize(
      proposing: try StreamFormat(sampleRate: 8_000, channelCount: 1), wakeup: Wakeup())
    // No sound yet, so no file yet.
    #expect(scratch.names.isEmpty)
    for start in stride(from: 0, to: 1_000, by: 50) {
      _ = try triggered.write(samples.span.extracting(start..<start + 50))
    }
    try triggered.complete()
    #expect(parts.map(\.position) == [0, 195, 395, 420, 993])
    #expect(parts.map(\.samplesPerChannel) == [13, 15, 25, 2, 7])
    for part in parts {
      let first = Int(part.position)
      #expect(
        try record(SoundFileSource(path: part.path)).samples
          == Array(samples[first..<first + Int(part.samplesPerChannel)]))
    }
  }

  @Test func withoutSoundThereIsNoPart() throws {
    let scratch = ScratchDirectory()
    let file = try FileFormat(.wav, .s16)
    let splitting = SplittingSink(
      try PartNames(scratch.file("event-%02d.wav")), limits: [.event]
    ) { SoundFileSink(path: $0, format: file) }
    let triggered = TriggeredSink(splitting, TriggeredSink.Trigger(.level(-20)))
    _ = try triggered.initialize(
      proposing: try StreamFormat(sampleRate: 8_000, channelCount: 1), wakeup: Wakeup())
    _ = try triggered.write([Float](repeating: 0, count: 100).span)
    try triggered.complete()
    #expect(scratch.names.isEmpty)
  }

  /// An obstacle to the first part is reported before any sound.
  @Test func partsForEventsAreCheckedAtOnce() throws {
    let scratch = ScratchDirectory()
    _ = try scratch.write([1], "event-00.wav")
    for (pattern, kind) in [
      ("event-%02d.wav", AudioError.Kind.alreadyExists), ("no/%02d", .notFound),
    ] {
      let file = try FileFormat(.wav, .s16)
      let splitting = SplittingSink(try PartNames(scratch.file(pattern)), limits: [.event]) {
        SoundFileSink(path: $0, format: file)
      }
      do throws(AudioError) {
        _ = try splitting.initialize(
          proposing: try StreamFormat(sampleRate: 8_000, channelCount: 1), wakeup: Wakeup())
        Issue.record("nothing stood in the way of \(pattern)")
      } catch {
        #expect(error.kind == kind)
      }
    }
  }

  /// A loud hum stays outside of the band: only the whistles above it are events, and the hum is kept within them.
  @Test(arguments: [64, 500, 48_000]) func onlyTheBandIsHeard(block: Int) throws {
    let rate = 48_000.0
    let whistles = [10_000..<12_000, 30_000..<30_500]
    let samples = (0..<48_000).map { place in
      let time = 2 * Double.pi * Double(place) / rate
      let isWhistling = whistles.contains { $0.contains(place) }
      return 0.5 * sin(200 * time) + (isWhistling ? 0.02 * sin(18_000 * time) : 0)
    }
    let sink = CollectingSink(precision: .double)
    var events: [Range<Int64>] = []
    let trigger = TriggeredSink.Trigger(
      .level(-40, in: FrequencyBand(from: 15_000, to: nil)), preRoll: .samples(1_000),
      hold: .samples(1_000))
    let triggered = TriggeredSink(sink, trigger) { events.append($0.samples) }
    try triggered.begin(try StreamFormat(sampleRate: 48_000, channelCount: 1))
    for start in stride(from: 0, to: samples.count, by: block) {
      let end = min(samples.count, start + block)
      _ = try triggered.write(samples.span.extracting(start..<end))
    }
    try triggered.complete()
    #expect(events.count == 2)
    for (event, whistle) in zip(events, whistles) {
      // The filter needs some samples to swing to the threshold, and to come to rest.
      #expect(abs(event.lowerBound - Int64(whistle.lowerBound) + 1_000) <= 20)
      #expect(abs(event.upperBound - Int64(whistle.upperBound) - 1_000) <= 40)
    }
    #expect(sink.samples == events.flatMap { samples[Int($0.lowerBound)..<Int($0.upperBound)] })
  }

  @Test func aBandBeyondTheRateIsRefused() throws {
    let trigger = TriggeredSink.Trigger(.level(-40, in: FrequencyBand(from: 25_000, to: nil)))
    let triggered = TriggeredSink(CollectingSink(precision: .double), trigger)
    do throws(AudioError) {
      try triggered.begin(try StreamFormat(sampleRate: 48_000, channelCount: 1))
      Issue.record("25 kHz at 48 kHz")
    } catch {
      #expect(error.kind == .invalidParameter)
      #expect(error.description.contains("below 24000 Hz"))
    }
  }
}
