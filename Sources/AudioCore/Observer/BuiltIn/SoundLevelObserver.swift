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
  private let interval: TimePosition
  private let output: Output
  private var streams: [StreamIdentity: Entry] = [:]
  private var isWanted = true

  private enum Output {
    case receiver((StreamSoundLevels) -> Void)
    case lines(BackgroundLines, SoundLevelText, timing: SampleTiming)
  }

  private struct Entry {
    let stream: ObservedStream
    let meter: SoundLevelMeter
    /// In samples per channel.
    let interval: Int64
    /// The position of the stream's first sample; nil before that.
    var start: Int64?
    /// The samples per channel since the last report.
    var count: Int64 = 0
  }

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - settings: what is measured.
  ///   - parameters: the shape of the frames.
  ///   - interval: the time that a report covers, at least a sample; independent of the size of the frames.
  ///   - receive: takes every report, on the session thread.
  public init(
    _ positions: ObservationPositions, _ settings: SoundLevelSettings = SoundLevelSettings(),
    parameters: FrameParameters = FrameParameters(), interval: TimePosition = .time(.seconds(60)),
    receive: @escaping (StreamSoundLevels) -> Void
  ) {
    self.positions = positions
    self.settings = settings
    asked = parameters
    self.interval = interval
    output = .receiver(receive)
  }

  /// Writes lines, described in `docs/levels.md`.
  ///
  /// - Parameters:
  ///   - lines: flushed when the last stream has ended, since other streams may begin, and closed when the observer is
  ///     released.
  ///   - text: the form of the lines.
  ///   - timing: gives the time of day of a sample of the session; nil if it is unknown.
  package init(
    _ positions: ObservationPositions, _ settings: SoundLevelSettings, parameters: FrameParameters,
    interval: TimePosition, to lines: BackgroundLines, as text: SoundLevelText,
    timing: @escaping SampleTiming
  ) {
    self.positions = positions
    self.settings = settings
    asked = parameters
    self.interval = interval
    output = .lines(lines, text, timing: timing)
  }

  deinit { if case .lines(let lines, _, _) = output { lines.release() } }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  public func begin(_ stream: ObservedStream) throws(AudioError) {
    if case .lines(let lines, _, _) = output { lines.watch(stream.control.wakeup) }
    streams[stream.identity] = Entry(
      stream: stream, meter: SoundLevelMeter(stream.format, settings),
      interval: max(1, interval.samples(at: stream.format.sampleRate)))
  }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    let key = StreamIdentity(of: frame, at: position)
    guard var entry = streams[key] else { return true }
    entry.start = entry.start ?? frame.samplePosition
    let (channelCount, count) = (frame.channelCount, frame.samplesPerChannel)
    var done = 0
    while done < count {
      let part = min(count - done, Int(clamping: entry.interval - entry.count))
      entry.meter.add(
        frame.samples.span.extracting(done * channelCount..<(done + part) * channelCount))
      done += part
      entry.count += Int64(part)
      if entry.count == entry.interval { tell(&entry) }
    }
    streams[key] = entry
    return true
  }

  /// Reports the rest of the stream.
  ///
  /// - Throws: the error of a write. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    if var entry = streams.removeValue(forKey: stream.identity), entry.count > 0 { tell(&entry) }
    if case .lines(let lines, _, _) = output, streams.isEmpty { try lines.end(reason) }
  }

  private func tell(_ entry: inout Entry) {
    let levels = entry.meter.takeInterval()
    entry.count = 0
    let report = StreamSoundLevels(
      stream: entry.stream, samplePosition: (entry.start ?? 0) + levels.start, levels: levels)
    switch output {
    case .receiver(let receive): receive(report)
    case .lines(let lines, let text, let timing):
      let time = timing(report.samplePosition, entry.stream.format.sampleRate)
      for line in text.lines(of: report, at: time, settings) where isWanted {
        isWanted = (try? lines.write(line: line)) == .accepted
      }
    }
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
