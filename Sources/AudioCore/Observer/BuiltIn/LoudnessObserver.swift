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
  private let interval: TimePosition
  private let measures: SoundMeter.Measures
  private let output: Output
  private var streams: [StreamIdentity: Entry] = [:]
  private var isWanted = true

  private enum Output {
    case receiver((StreamLoudness) -> Void)
    case lines(BackgroundLines)
  }

  private struct Entry {
    let stream: ObservedStream
    let meter: SoundMeter
    /// Samples per channel between two readings.
    let interval: Int64
    /// The position of the stream's first sample; nil before that.
    var start: Int64?
    /// The samples per channel measured so far.
    var position: Int64 = 0
  }

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - interval: the time between readings, at least a sample; independent of the size of the frames.
  ///   - measures: the measurements for the end, besides levels.
  ///   - receive: takes every reading, on the session thread.
  public init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    interval: TimePosition = .time(.seconds(1)), measuring measures: SoundMeter.Measures = .all,
    receive: @escaping (StreamLoudness) -> Void
  ) {
    self.positions = positions
    asked = parameters
    self.interval = interval
    self.measures = measures
    output = .receiver(receive)
  }

  /// Writes the loudness as lines of JSON, described in `docs/events.md`.
  ///
  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - interval: the time between readings, at least a sample.
  ///   - lines: the output of the lines: flushed when the last stream has ended, since other streams may begin, and
  ///     closed when the observer is released.
  package init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    interval: TimePosition = .time(.seconds(1)), to lines: BackgroundLines
  ) {
    self.positions = positions
    asked = parameters
    self.interval = interval
    measures = .all
    output = .lines(lines)
  }

  deinit { if case .lines(let lines) = output { lines.release() } }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  public func begin(_ stream: ObservedStream) throws(AudioError) {
    if case .lines(let lines) = output { lines.watch(stream.control.wakeup) }
    streams[stream.identity] = Entry(
      stream: stream,
      meter: SoundMeter(stream.format, layout: stream.channelLayout, measures: measures),
      interval: max(1, interval.samples(at: stream.format.sampleRate)))
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    let key = StreamIdentity(of: frame, at: position)
    guard var entry = streams[key] else { return true }
    let begin = entry.start ?? frame.samplePosition
    entry.start = begin
    let (channelCount, count) = (frame.channelCount, frame.samplesPerChannel)
    var done = 0
    while done < count {
      let untilNext = entry.interval - entry.position % entry.interval
      let part = min(count - done, Int(clamping: untilNext))
      entry.meter.add(
        frame.samples.span.extracting(done * channelCount..<(done + part) * channelCount))
      done += part
      entry.position += Int64(part)
      guard entry.position % entry.interval == 0 else { continue }
      tell(
        StreamLoudness(
          stream: entry.stream, samplePosition: begin + entry.position,
          reading: entry.meter.reading, measurement: nil))
    }
    streams[key] = entry
    return true
  }

  /// Gives the measurement of the whole stream.
  ///
  /// - Throws: the error of a write. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    if let entry = streams.removeValue(forKey: stream.identity) {
      let measurement = entry.meter.finish()
      tell(
        StreamLoudness(
          stream: stream, samplePosition: (entry.start ?? 0) + entry.position,
          reading: entry.meter.reading, measurement: measurement))
    }
    if case .lines(let lines) = output, streams.isEmpty { try lines.end(reason) }
  }

  private func tell(_ loudness: StreamLoudness) {
    switch output {
    case .receiver(let receive): receive(loudness)
    case .lines(let lines): if isWanted { isWanted = lines.take(loudness.json) }
    }
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
