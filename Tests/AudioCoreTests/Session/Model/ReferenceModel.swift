// SPDX-License-Identifier: Apache-2.0
import TestSupport
@testable import AudioStreams
@testable import AudioCore

/// A session computed from its documentation on whole arrays: no blocks, no queues, no order of calls.
struct ReferenceModel {
  /// A stream from its beginning to its end.
  struct Stream {
    var rate: Int
    var channels: Int
    /// Interleaved.
    var samples: [Double]

    var length: Int { samples.count / channels }
  }

  /// A planted fault that tests the comparison itself.
  enum Planted {
    case none, sumOneSampleLate, lastFrameLost
  }

  let session: SessionCase
  var planted = Planted.none
  private var outcome = SessionOutcome()

  init(_ session: SessionCase, planted: Planted = .none) {
    self.session = session
    self.planted = planted
  }

  /// Follows the picture of the session, from top to bottom.
  mutating func run() throws -> SessionOutcome {
    outcome = SessionOutcome()
    var mixed = silence
    if let local = session.local {
      let source = Stream(rate: local.rate, channels: local.channels, samples: local.samples)
      let published = try observe(source, .record, .local, start: 0)
      try deliver(published, .publish)
      add(try convert(published, to: sum), to: &mixed)
    }
    if !session.remotes.isEmpty {
      var playback = silence
      for (index, remote) in session.remotes.enumerated() {
        let source = Stream(rate: remote.rate, channels: remote.channels, samples: remote.samples)
        let heard = try observe(
          source, .beforeMixing, SourceID(ordinal: index + 1), start: remote.offset)
        let entering = try convert(heard, to: sum)
        add(scaled(entering, remote), to: &playback, at: remote.offset)
      }
      playback = try observe(playback, .playback, nil, start: 0)
      try deliver(playback, .playback)
      add(
        try convert(playback, to: sum), to: &mixed, at: planted == .sumOneSampleLate ? 1 : 0)
    }
    try deliver(try observe(mixed, .mixed, nil, start: 0), .mixed)
    return outcome
  }

  private var sum: StreamFormat {
    get throws {
      try StreamFormat(sampleRate: session.rateOfSum, channelCount: session.channelsOfSum)
    }
  }

  private var silence: Stream {
    Stream(rate: session.rateOfSum, channels: session.channelsOfSum, samples: [])
  }

  private mutating func deliver(_ stream: Stream, _ place: SinkPlace) throws {
    guard session.hasSink(place) else { return }
    let wanted =
      try session.wanted[place]
      ?? StreamFormat(sampleRate: stream.rate, channelCount: stream.channels)
    outcome.sinks[place] = try convert(stream, to: wanted).samples
  }

  /// A sum ends with the last of its streams; an empty stream ends at its start.
  private func add(_ stream: Stream, to sum: inout Stream, at offset: Int = 0) {
    let begin = offset * sum.channels
    let missing = begin + stream.samples.count - sum.samples.count
    if missing > 0 { sum.samples += [Double](repeating: 0, count: missing) }
    for index in stream.samples.indices { sum.samples[begin + index] += stream.samples[index] }
  }

  private func scaled(_ stream: Stream, _ source: SessionCase.Source) -> Stream {
    var scaled = stream
    for index in stream.samples.indices {
      scaled.samples[index] *= source.gain
      if stream.channels == 2 {
        scaled.samples[index] *= min(1, index % 2 == 0 ? 1 - source.pan : 1 + source.pan)
      }
    }
    return scaled
  }

  /// Channels are converted on the side with fewer channels.
  private func convert(_ stream: Stream, to format: StreamFormat) throws -> Stream {
    var stream = stream
    if format.channelCount < stream.channels { stream = mapped(stream, format.channelCount) }
    if format.sampleRate != stream.rate {
      let resampler = try Resampler<Double>(
        from: StreamFormat(sampleRate: stream.rate, channelCount: stream.channels),
        sampleRate: format.sampleRate, quality: .fast)
      stream.samples = try TestSupport.run(resampler, on: stream.samples)
      stream.rate = format.sampleRate
    }
    if format.channelCount > stream.channels { stream = mapped(stream, format.channelCount) }
    return stream
  }

  private func mapped(_ stream: Stream, _ channels: Int) -> Stream {
    let factors = ChannelMatrix(from: stream.channels, to: channels).factors
    let samples = (0..<stream.length).flatMap { (place: Int) -> [Double] in
      factors.map { (row: [Double]) -> Double in
        var sum = 0.0
        for channel in 0..<stream.channels {
          sum += row[channel] * stream.samples[place * stream.channels + channel]
        }
        return sum
      }
    }
    return Stream(rate: stream.rate, channels: channels, samples: samples)
  }

  /// Passes a stream through the observers at a position, in their order.
  ///
  /// - Parameter start: the start in samples per channel of the sum.
  private mutating func observe(
    _ stream: Stream, _ position: ObservationPosition, _ source: SourceID?, start: Int
  ) throws -> Stream {
    var stream = stream
    for (index, observer) in session.observers.enumerated()
    where observer.positions.contains(.init(position)) {
      // An observer of one source sees that source's stream, and every sum.
      if let own = observer.source, let source, SourceID(ordinal: own + 1) != source { continue }
      let native = try StreamFormat(sampleRate: stream.rate, channelCount: stream.channels)
      let shape = try observer.parameters.resolved(native: native)
      let seen = try convert(stream, to: shape.format)
      let name = SessionOutcome.StreamName(observer: index, position: position, source: source)
      var next = Int64(
        (Double(start) * Double(seen.rate) / Double(session.rateOfSum)).rounded(
          .toNearestOrAwayFromZero))
      var answers: [Double] = []
      for begin in stride(from: 0, to: seen.samples.count, by: shape.samplesPerCall) {
        let end = min(begin + shape.samplesPerCall, seen.samples.count)
        if planted == .lastFrameLost, end < begin + shape.samplesPerCall { continue }
        let original = Array(seen.samples[begin..<end])
        let silence = [Double](repeating: 0, count: end - begin)
        let handed = observer.mode == .writeOnly ? silence : original
        outcome.frames[name, default: []].append(
          .init(
            samplePosition: next, isPartial: end - begin < shape.samplesPerCall, samples: handed))
        var edited = handed
        observer.edit.apply(to: &edited)
        answers += observer.answer ? edited : handed
        next += Int64((end - begin) / seen.channels)
      }
      if observer.mode != .readOnly {
        stream = Stream(rate: seen.rate, channels: seen.channels, samples: answers)
      }
    }
    return stream
  }
}
