// SPDX-License-Identifier: Apache-2.0
/// Passes a stream on to another sink only while there is sound, onset included.
///
/// An event begins `preRoll` before a sample that reaches the threshold on any channel, or before a step of 32 ms with speech. It
/// ends when `hold` has passed since the last such sample, and the longest pause. Events never overlap: samples of one are not in
/// the pre-roll of the next. Samples are compared as the sink gets them, before rounding. Session thread only.
public final class TriggeredSink: AudioSink, ComposedSink {
  /// The conditions of an event.
  public struct Trigger: Sendable, Hashable {
    /// A sound that is loud enough for an event.
    @nonexhaustive
    public enum Sound: Sendable, Hashable {
      /// A sample that reaches this level in dBFS, in a band of frequencies; nil = in all of them. A sample of full scale is at
      /// 0. The sink gets all frequencies.
      case level(Double, in: FrequencyBand? = nil)
      /// Speech, on the average of the channels. The sink gets its samples 64 ms later, and 5 ms more at another rate than
      /// 16 kHz.
      case speech(SpeechThreshold)
    }

    /// The sound of an event. Below, "loud" means such a sound.
    public var sound: Sound
    /// The length in front of the first loud sample.
    public var preRoll: TimePosition
    /// The length behind the last loud sample.
    public var hold: TimePosition
    /// The least length from the first to the last loud sample. A shorter event is dropped.
    public var leastLength = TimePosition.samples(0)
    /// The longest pause between two loud samples of one event, if it exceeds ``hold``. The pause is passed on.
    public var longestPause = TimePosition.samples(0)

    /// Half a second before and two seconds after, by default.
    public init(
      _ sound: Sound, preRoll: TimePosition = .time(.milliseconds(500)),
      hold: TimePosition = .time(.seconds(2))
    ) {
      self.sound = sound
      self.preRoll = preRoll
      self.hold = hold
    }
  }

  /// A stretch that was passed on.
  public struct Event: Sendable, Hashable {
    /// Its samples, per channel from the start of the stream.
    public var samples: Range<Int64>
    /// The rate of ``samples``, in hertz.
    public var sampleRate: Int
  }

  private let sink: any AudioSink
  package var behind: any AudioSink { sink }
  private let trigger: Trigger
  private let onEvent: (Event) -> Void
  private var format: StreamFormat?
  private var model: VoiceModel?
  private var loudness: (any TriggerLoudness)?
  private var gate: SoundGate?
  /// The position of the first sample.
  private var origin: Int64 = 0

  /// - Parameters:
  ///   - sink: takes the events, and is told their beginnings and ends.
  ///   - trigger: the conditions of an event.
  ///   - model: tells speech; nil = the installed one, if the trigger needs one.
  ///   - onEvent: called at the end of an event, on the writing thread.
  public init(
    _ sink: any AudioSink, _ trigger: Trigger, model: VoiceModel? = nil,
    onEvent: @escaping (Event) -> Void = { _ in }
  ) {
    self.sink = sink
    self.trigger = trigger
    self.model = model
    self.onEvent = onEvent
  }

  public var precision: SamplePrecision { sink.precision }
  public var room: Int { .max }

  /// - Throws: the error of the other sink; `unsupported` if that sink is live, for a device cannot wait for sound;
  ///   `invalidParameter` if the band is not below half the rate; `notFound` if the trigger needs a model and none is
  ///   installed.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard !sink.pace.isLive else {
      throw AudioError(
        .unsupported, cannot: "wait for sound", "", because: "the sink plays at a device's pace",
        advice: "give it the sink of a file")
    }
    if case .speech = trigger.sound, model == nil { model = try VoiceModel() }
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    loudness = try loudness(format)
    return format
  }

  public func start() throws(AudioError) { try sink.start() }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    try gate(for: Sample.precision).process(samples)
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    if reason == .finished { try gate?.endStream() }
    try sink.stop(reason)
  }

  public func dispose() { sink.dispose() }

  public func receive(_ notice: SinkNotice) throws(AudioError) {
    if case .leftOut(upTo: let position) = notice {
      origin = position
      try gate?.leaveOut(upTo: position)
    }
    try sink.receive(notice)
  }

  private func gate(for precision: SamplePrecision) throws(AudioError) -> SoundGate {
    if let gate, gate.precision == precision { return gate }
    guard let format, let loudness, gate == nil else {
      throw AudioError(
        .lifeCycle, cannot: "wait for sound", "",
        because: gate == nil ? "it is not initialised" : "the type of the samples changes")
    }
    let made = try SoundGate(
      sink, precision, format, trigger, loudness, from: origin, onEvent: onEvent)
    gate = made
    return made
  }

  private func loudness(_ format: StreamFormat) throws(AudioError) -> any TriggerLoudness {
    switch trigger.sound {
    case .level(let level, in: let band):
      guard let band else { return LevelLoudness(level) }
      return try BandLoudness(level, band, format)
    case .speech(let threshold):
      guard let model else { preconditionFailure("initialize loads the model") }
      return try SpeechLoudness(threshold, format, model)
    }
  }
}
