// SPDX-License-Identifier: Apache-2.0
/// A read-only observer that measures the loudness of every stream while it goes on, live and offline.
///
/// ```swift
/// let observer = LoudnessObserver(.playback) { told in
///   print(told.reading.momentary ?? "nothing is heard")
/// }
/// try session.register(observer)
/// ```
///
/// It sees the session's samples unconverted. If a source gives a channel layout, the channels count accordingly
/// (``ObservedStream/channelLayout``). It works on the session thread, in memory allocated when the stream begins,
/// except for 16 bytes of each 100 ms (``SoundMeter``).
public final class LoudnessObserver: GenericObserver {
  public let positions: ObservationPositions
  private let asked: FrameParameters
  private let measures: SoundMeter.Measures
  private let streams: MeteredStreams<SoundMeter>
  private let receive: (StreamLoudness) -> Void

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - interval: the time between readings, at least a sample; independent of the size of the frames.
  ///   - measures: the measurements for the end, besides levels.
  ///   - receive: takes every reading, on the session thread.
  public convenience init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    interval: TimePosition = .time(.seconds(1)), measuring measures: SoundMeter.Measures = .all,
    receive: @escaping (StreamLoudness) -> Void
  ) {
    self.init(
      positions, parameters, measures, MeteredStreams(interval: interval), receive: receive)
  }

  /// Writes the loudness as lines of JSON, described in `docs/events.md`.
  ///
  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - interval: the time between readings, at least a sample.
  ///   - lines: the output of the lines: flushed when the last stream has ended, since other streams may begin, and
  ///     closed when the observer is released.
  package convenience init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    interval: TimePosition = .time(.seconds(1)), to lines: BackgroundLines
  ) {
    let streams = MeteredStreams<SoundMeter>(interval: interval, lines: lines)
    self.init(positions, parameters, .all, streams) { report in
      streams.write { $0.take(report.json) }
    }
  }

  private init(
    _ positions: ObservationPositions, _ asked: FrameParameters, _ measures: SoundMeter.Measures,
    _ streams: MeteredStreams<SoundMeter>, receive: @escaping (StreamLoudness) -> Void
  ) {
    (self.positions, self.asked, self.measures) = (positions, asked, measures)
    (self.streams, self.receive) = (streams, receive)
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  public func begin(_ stream: ObservedStream) throws(AudioError) {
    streams.begin(
      stream, SoundMeter(stream.format, layout: stream.channelLayout, measures: measures))
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    streams.add(&frame, at: position) { tell($0, nil) }
    return true
  }

  /// Gives the measurement of the whole stream.
  ///
  /// - Throws: the error of a write. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    try streams.end(stream, reason) { tell($0, $0.meter.finish()) }
  }

  private func tell(
    _ entry: MeteredStreams<SoundMeter>.Entry, _ measurement: SoundMeasurement?
  ) {
    receive(
      StreamLoudness(
        stream: entry.stream, samplePosition: (entry.start ?? 0) + entry.position,
        reading: entry.meter.reading, measurement: measurement))
  }
}

/// A reading of a ``LoudnessObserver``.
public struct StreamLoudness: Sendable {
  public let stream: ObservedStream
  /// The end of the measured part, in samples per channel since the start of the session at the rate of the observer's
  /// frames.
  public let samplePosition: Int64
  public let reading: LoudnessReading
  /// The measurement of the whole stream, at its end; nil before.
  public let measurement: SoundMeasurement?

  /// The line described in `docs/events.md`.
  fileprivate var json: JSONValue {
    let rate = stream.format.sampleRate
    var members = stream.members(event: measurement == nil ? "loudness" : "measurement")
    members += [
      ("samplePosition", .integer(samplePosition)),
      ("renderTime", .integer(AudioTime.milliseconds(samplePosition, at: rate))),
      ("sampleRate", .integer(Int64(rate))),
    ]
    guard let measurement else {
      members += [
        ("momentary", .rounded(reading.momentary)), ("shortTerm", .rounded(reading.shortTerm)),
        ("integrated", .rounded(reading.integrated)),
      ]
      return .object(members)
    }
    members += [
      ("loudness", .rounded(measurement.loudness)),
      ("loudnessRange", .rounded(measurement.loudnessRange)),
      ("maxMomentary", .rounded(measurement.maxMomentary)),
      ("maxShortTerm", .rounded(measurement.maxShortTerm)),
      ("truePeak", .rounded(measurement.truePeak)),
      ("samplePeak", .rounded(measurement.samplePeak)),
      ("rms", .rounded(measurement.rms)), ("crestFactor", .rounded(measurement.crestFactor)),
      ("clippedRuns", .integer(Int64(measurement.clippedRuns))),
    ]
    return .object(members)
  }
}

extension LoudnessObserver: TraitedObserver {
  package var traits: ObserverTraits { .hasOwnMode }
}
