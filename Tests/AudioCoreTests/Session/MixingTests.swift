// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct MixingTests {
  private func mix(
    _ sources: [(GivenSource, MixEntry)], rate: Int? = nil, channels: Int? = nil
  ) throws -> CollectingSink {
    let session = Session()
    session.mixSampleRate = rate
    session.mixChannelCount = channels
    for (source, entry) in sources { try session.addRemote(source, entry: entry) }
    let sink = try session.collect(.playback)
    #expect(try session.run().outcome == .finished)
    return sink
  }

  @Test func isTheExactSumOfItsInputs() throws {
    let inputs = (1...20).map { Noise.integers(5_000 + 700 * $0, seed: UInt64($0)) }
    let sink = try mix(inputs.map { (try GivenSource($0, encoding: .s16), MixEntry()) })
    let expected = (0..<19_000).map { index in
      inputs.reduce(0) { $0 + (index < $1.count ? $1[index] : 0) }
    }
    #expect(sink.samples == expected)
  }

  @Test(arguments: [[1], [7, 1, 300], [100, 0, 3], [4_096]])
  func doesNotDependOnHowInputsArrive(pieces: [Int]) throws {
    let a = Noise.integers(6_000, seed: 1)
    let b = Noise.integers(9_000, seed: 2)
    let sink = try mix([
      (try GivenSource(a, channels: 2, pieces: pieces), MixEntry()),
      (try GivenSource(b, channels: 2, pieces: pieces.reversed()), MixEntry()),
    ])
    #expect(sink.samples == b.indices.map { ($0 < a.count ? a[$0] : 0) + b[$0] })
  }

  @Test func anInputKeepsItsLevelWhenAnotherEnds() throws {
    let long = Noise.integers(40_000, seed: 3)
    let sink = try mix([
      (try GivenSource([0, 0, 0]), MixEntry()), (try GivenSource(long), MixEntry()),
    ])
    #expect(sink.samples == long)
  }

  @Test func placesAnOffsetToTheSample() throws {
    let a = Noise.integers(100, seed: 4)
    let b = Noise.integers(50, seed: 5)
    let sink = try mix([
      (try GivenSource(a), MixEntry()),
      (try GivenSource(b), MixEntry(offset: .time(.milliseconds(1_000)))),
    ])
    #expect(sink.samples == a + Array(repeating: 0, count: 47_900) + b)
  }

  @Test func appliesGainAndPanOnEnteringTheSum() throws {
    let a = Noise.integers(200, seed: 6)
    let sink = try mix([
      (try GivenSource(a, channels: 2), MixEntry(gain: 0.5, pan: 0.5)),
      (try GivenSource(a, channels: 2), MixEntry(pan: -1)),
    ])
    let expected = a.indices.map { index in
      index % 2 == 0 ? a[index] * 0.25 + a[index] : a[index] * 0.5 + 0
    }
    #expect(sink.samples == expected)
  }

  @Test func refusesToPanInMono() throws {
    #expect(throws: AudioError.self) {
      try mix([(try GivenSource([1, 2]), MixEntry(pan: 0.5))])
    }
  }

  @Test func oneInputPassesAsItIs() throws {
    let sink = try mix([(try GivenSource([-0.0, 0.5, -0.0]), MixEntry())])
    #expect(sink.samples.map { $0.sign } == [.minus, .plus, .minus])
  }

  @Test func runsAtTheHighestRateAndTheMostChannels() throws {
    let sink = try mix([
      (try GivenSource([0], rate: 8_000, channels: 1), MixEntry()),
      (try GivenSource([0, 0], rate: 44_100, channels: 2), MixEntry()),
    ])
    #expect(sink.format == (try StreamFormat(sampleRate: 44_100, channelCount: 2)))
  }
}

@Suite struct MixLengthTests {
  @Test(arguments: [(1, 1), (500, 500), (10_000, 10_000), (30_000, 25_000)])
  func endsWhereItIsTold(limit: Int, expected: Int) throws {
    let samples = Noise.integers(25_000)
    let session = Session()
    session.duration = .samples(Int64(limit))
    try session.addRemote(try GivenSource(samples))
    let sink = try session.run(collecting: .playback)
    #expect(sink.samples == Array(samples.prefix(expected)))
  }

  /// A rate conversion reads ahead of the cut; an observer sees nothing behind the cut.
  @Test(arguments: [ResamplerQuality.fast, .high, .best], [8_000, 44_100])
  func isTheBeginningOfTheWholeSum(quality: ResamplerQuality, rate: Int) throws {
    let resampled = Noise.integers(rate / 2, seed: 3)
    let other = Noise.integers(20_000, seed: 4)
    let id = SourceID("a")
    func sum(_ length: Int64?, observer: RecordingObserver<Double>? = nil) throws -> [Double] {
      let session = Session()
      session.resamplerQuality = quality
      session.mixSampleRate = 48_000
      session.duration = length.map { .samples($0) }
      try session.addRemote(
        try GivenSource(resampled, rate: rate, pieces: [700, 1, 3_000]), id: id)
      try session.addRemote(try GivenSource(other, rate: 48_000))
      if let observer { try session.register(observer, from: SourceKey(id)) }
      return try session.run(collecting: .playback).samples
    }
    let whole = try sum(nil)
    for length in [1, 480, 9_999, 18_000] {
      let begin = Array(whole.prefix(length))
      #expect(try sum(Int64(length)) == begin)
      let observer = RecordingObserver<Double>(
        .beforeMixing, FrameParameters(sampleRate: rate, channelCount: 1, mode: .readOnly))
      #expect(try sum(Int64(length), observer: observer) == begin)
      let shown = (length * rate + 47_999) / 48_000
      #expect(observer.samples() == Array(resampled.prefix(shown)))
    }
  }

  /// Every stream ends after the duration: those of the local source and of a track, too, and each is the beginning of
  /// the one without it.
  @Test(arguments: [48_000, 44_100], [false, true])
  func endsEveryStream(rate: Int, hasRemote: Bool) throws {
    let (local, remote) = (Noise.integers(rate, seed: 5), Noise.integers(rate, seed: 6))
    let wanted = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    func streams(_ duration: TimePosition?) throws -> (sinks: [[Double]], seen: [[Double]]) {
      let session = try Session(local: GivenSource(local, rate: rate, pieces: [700, 1, 3_000]))
      session.mixSampleRate = 48_000
      session.duration = duration
      var places = [SinkPlace.publish]
      if hasRemote {
        try session.addRemote(GivenSource(remote, rate: rate), id: "a")
        places += [.playback, .mixed, .track("a")]
      }
      let sinks = try places.map { (place) throws(AudioError) in
        let sink = try session.collect(place)
        sink.wanted = wanted
        return sink
      }
      let observers = ([.record] + (hasRemote ? [.beforeMixing] : [])).map {
        RecordingObserver<Double>(
          $0, FrameParameters(sampleRate: rate, channelCount: 1, mode: .readOnly))
      }
      for observer in observers { try session.register(observer) }
      #expect(try session.run().outcome == .finished)
      return (sinks.map(\.samples), observers.map { $0.samples() })
    }
    let whole = try streams(nil)
    let cut = try streams(.time(.milliseconds(300)))
    #expect(cut.sinks == whole.sinks.map { Array($0.prefix(14_400)) })
    #expect(cut.seen == whole.seen.map { Array($0.prefix(rate * 3 / 10)) })
  }

  /// A number of samples counts at the rate of the sum.
  @Test func countsSamplesOfTheSum() throws {
    let session = try Session(local: GivenSource(Noise.integers(8_000), rate: 16_000))
    try session.addRemote(GivenSource(Noise.integers(48_000)))
    session.duration = .samples(9_600)
    let (publish, playback) = (try session.collect(.publish), try session.collect(.playback))
    _ = try session.run()
    #expect(publish.samples.count == 3_200)
    #expect(playback.samples.count == 9_600)
  }

  @Test func stopsAnEndlessSource() throws {
    let session = Session()
    session.duration = .time(.milliseconds(700))
    try session.addRemote(ToneSource(frequency: 1_000))
    try session.addRemote(try GivenSource([0.5], rate: 8_000))
    let sink = try session.run(collecting: .playback)
    #expect(sink.format == (try StreamFormat(sampleRate: 8_000, channelCount: 1)))
    #expect(sink.samples.count == 5_600)
  }
}
