// SPDX-License-Identifier: Apache-2.0

/// A meter of one stream.
protocol StreamMeter: AnyObject {
  func add<Sample: AudioSample>(_ samples: Span<Sample>)
}

extension SoundMeter: StreamMeter {}
extension SoundLevelMeter: StreamMeter {}

/// The meters of an observer's streams. They are asked after intervals that do not depend on the size of the frames.
///
/// Session thread only.
final class MeteredStreams<Meter: StreamMeter> {
  struct Entry {
    let stream: ObservedStream
    let meter: Meter
    /// In samples per channel.
    fileprivate let interval: Int64
    /// The position of the stream's first sample; nil before that.
    fileprivate(set) var start: Int64?
    /// The samples per channel measured so far.
    fileprivate(set) var position: Int64 = 0

    /// Whether samples came since the end of the last interval.
    var isWithinInterval: Bool { position % interval != 0 }
  }

  private let interval: TimePosition
  /// The output of the observer; nil if it has none.
  private let lines: BackgroundLines?
  private var isWanted = true
  private var streams: [StreamIdentity: Entry] = [:]

  /// - Parameters:
  ///   - interval: at least a sample.
  ///   - lines: flushed when the last stream has ended, since other streams may begin, and closed when this is released.
  init(interval: TimePosition, lines: BackgroundLines? = nil) {
    (self.interval, self.lines) = (interval, lines)
  }

  deinit { lines?.release() }

  func begin(_ stream: ObservedStream, _ meter: Meter) {
    lines?.watch(stream.control.wakeup)
    streams[stream.identity] = Entry(
      stream: stream, meter: meter, interval: max(1, interval.samples(at: stream.format.sampleRate))
    )
  }

  /// - Parameter tell: called at the end of each interval.
  func add<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition, tell: (Entry) -> Void
  ) {
    let key = StreamIdentity(of: frame, at: position)
    guard var entry = streams[key] else { return }
    entry.start = entry.start ?? frame.samplePosition
    let (channelCount, count) = (frame.channelCount, frame.samplesPerChannel)
    var done = 0
    while done < count {
      let untilNext = entry.interval - entry.position % entry.interval
      let part = min(count - done, Int(clamping: untilNext))
      entry.meter.add(
        frame.samples.span.extracting(done * channelCount..<(done + part) * channelCount))
      done += part
      entry.position += Int64(part)
      if !entry.isWithinInterval { tell(entry) }
    }
    streams[key] = entry
  }

  /// - Parameter tell: called with the stream, unless it never began.
  /// - Throws: the error of a write. A reader that went away is no failure.
  func end(
    _ stream: ObservedStream, _ reason: StopReason, tell: (Entry) -> Void
  ) throws(AudioError) {
    if let entry = streams.removeValue(forKey: stream.identity) { tell(entry) }
    if let lines, streams.isEmpty { try lines.end(reason) }
  }

  /// Writes a line, unless an earlier one was not taken.
  ///
  /// - Parameter line: writes it, and tells whether it was taken.
  func write(_ line: (BackgroundLines) -> Bool) {
    if let lines, isWanted { isWanted = line(lines) }
  }
}
