// SPDX-License-Identifier: Apache-2.0

/// A read-only observer that measures the sound levels of every stream, interval by interval, live and offline.
///
/// ```swift
/// let observer = SoundLevelObserver(.record, SoundLevelSettings(calibration: 120)) { told in
///   print(told.levels.channels[0].average ?? "silence")
/// }
/// try session.register(observer)
/// ```
///
/// It sees the session's samples unconverted, and works on the session thread. The memory of its filters is allocated
/// when a stream begins.
public final class SoundLevelObserver: GenericObserver {
  public let positions: ObservationPositions
  private let asked: FrameParameters
  private let settings: SoundLevelSettings
  private let streams: MeteredStreams<SoundLevelMeter>
  private let receive: (StreamSoundLevels) -> Void

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - settings: what is measured.
  ///   - parameters: the shape of the frames.
  ///   - interval: the time that a report covers, at least a sample; independent of the size of the frames.
  ///   - receive: takes every report, on the session thread.
  public convenience init(
    _ positions: ObservationPositions, _ settings: SoundLevelSettings = SoundLevelSettings(),
    parameters: FrameParameters = FrameParameters(), interval: TimePosition = .time(.seconds(60)),
    receive: @escaping (StreamSoundLevels) -> Void
  ) {
    self.init(
      positions, settings, parameters, MeteredStreams(interval: interval), receive: receive)
  }

  /// Writes lines, described in `docs/levels.md`.
  ///
  /// - Parameters:
  ///   - lines: flushed when the last stream has ended, since other streams may begin, and closed when the observer is
  ///     released.
  ///   - text: the form of the lines.
  ///   - timing: gives the time of day of a sample of the session; nil if it is unknown.
  package convenience init(
    _ positions: ObservationPositions, _ settings: SoundLevelSettings, parameters: FrameParameters,
    interval: TimePosition, to lines: BackgroundLines, as text: SoundLevelText,
    timing: @escaping SampleTiming
  ) {
    let streams = MeteredStreams<SoundLevelMeter>(interval: interval, lines: lines)
    self.init(positions, settings, parameters, streams) { report in
      let time = timing(report.samplePosition, report.stream.format.sampleRate)
      for line in text.lines(of: report, at: time, settings) {
        streams.write { (try? $0.write(line: line)) == .accepted }
      }
    }
  }

  private init(
    _ positions: ObservationPositions, _ settings: SoundLevelSettings, _ asked: FrameParameters,
    _ streams: MeteredStreams<SoundLevelMeter>, receive: @escaping (StreamSoundLevels) -> Void
  ) {
    (self.positions, self.settings, self.asked) = (positions, settings, asked)
    (self.streams, self.receive) = (streams, receive)
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  public func begin(_ stream: ObservedStream) throws(AudioError) {
    streams.begin(stream, SoundLevelMeter(stream.format, settings))
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    streams.add(&frame, at: position, tell: tell)
    return true
  }

  /// Reports the rest of the stream.
  ///
  /// - Throws: the error of a write. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    try streams.end(stream, reason) { if $0.isWithinInterval { tell($0) } }
  }

  private func tell(_ entry: MeteredStreams<SoundLevelMeter>.Entry) {
    let levels = entry.meter.takeInterval()
    receive(
      StreamSoundLevels(
        stream: entry.stream, samplePosition: (entry.start ?? 0) + levels.start, levels: levels))
  }
}

/// A report of a ``SoundLevelObserver``.
public struct StreamSoundLevels: Sendable {
  public let stream: ObservedStream
  /// The start of the interval, in samples per channel since the start of the session at the rate of the observer's
  /// frames.
  public let samplePosition: Int64
  public let levels: SoundLevelInterval
}

extension SoundLevelObserver: TraitedObserver {
  package var traits: ObserverTraits { .hasOwnMode }
}
