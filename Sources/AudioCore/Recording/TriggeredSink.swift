/// Lets a stream through to another sink only where there is sound, onset included.
///
/// An event begins `preRoll` before a sample that reaches the threshold on any channel, and ends when
/// `hold` has passed since the last one that does. Events never overlap: what one has taken is not in the
/// pre-roll of the next. Samples are as the sink gets them, before they are rounded. Session thread only.
public final class TriggeredSink: AudioSink {
  /// What is let through.
  public struct Trigger: Sendable, Hashable {
    /// In dBFS; a sample of full scale is at 0.
    public var threshold: Double
    /// How much goes before the first loud sample.
    public var preRoll: TimePosition
    /// How much follows the last loud sample.
    public var hold: TimePosition

    /// Half a second before and two seconds after, unless said otherwise.
    public init(
      threshold: Double, preRoll: TimePosition = .time(.milliseconds(500)),
      hold: TimePosition = .time(.seconds(2))
    ) {
      self.threshold = threshold
      self.preRoll = preRoll
      self.hold = hold
    }
  }

  /// A stretch that was let through.
  public struct Event: Sendable, Hashable {
    /// Its samples, per channel from the start of the stream.
    public var samples: Range<Int64>
    /// At which rate they are counted.
    public var sampleRate: Int
  }

  private let sink: any AudioSink
  private let trigger: Trigger
  private let onEvent: (Event) -> Void
  private var format: StreamFormat?
  /// In the session's sample type.
  private var gate: (any EndingGate)?

  /// - Parameters:
  ///   - sink: takes what is let through. A ``SplittingSink`` is also told where events begin and end.
  ///   - trigger: what that is.
  ///   - onEvent: called when an event is over, on the thread that writes.
  public init(
    _ sink: any AudioSink, _ trigger: Trigger, onEvent: @escaping (Event) -> Void = { _ in }
  ) {
    self.sink = sink
    self.trigger = trigger
    self.onEvent = onEvent
  }

  public var precision: SamplePrecision { sink.precision }
  public var isLive: Bool { false }
  public var room: Int { .max }

  /// - Throws: what the other sink throws; `unsupported` where that is live, for a device cannot wait for
  ///   sound.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard !sink.isLive else {
      throw AudioError(
        .unsupported, cannot: "wait for sound", "", because: "the sink plays at a device's pace")
    }
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    return format
  }

  public func start() throws(AudioError) { try sink.start() }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    try gate(Sample.self).process(samples)
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    if reason == .finished { try gate?.end() }
    try sink.stop(reason)
  }

  public func dispose() { sink.dispose() }

  private func gate<Sample: AudioSample>(
    _ type: Sample.Type
  ) throws(AudioError) -> SoundGate<Sample> {
    if let gate = gate as? SoundGate<Sample> { return gate }
    guard let format, gate == nil else {
      throw AudioError(
        .lifeCycle, cannot: "wait for sound", "",
        because: gate == nil ? "it is not initialised" : "the type of the samples changes")
    }
    let made = SoundGate<Sample>(
      sink, channelCount: format.channelCount, sampleRate: format.sampleRate,
      threshold: Decibels.factor(trigger.threshold),
      preRoll: try trigger.preRoll.length(at: format.sampleRate, as: "pre-roll"),
      hold: try trigger.hold.length(at: format.sampleRate, as: "hold"), onEvent: onEvent)
    gate = made
    return made
  }
}

extension TriggeredSink: RecordingSink {
  func keepUp() throws(AudioError) { try (sink as? any RecordingSink)?.keepUp() }
}
