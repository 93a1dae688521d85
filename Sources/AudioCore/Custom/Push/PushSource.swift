// SPDX-License-Identifier: Apache-2.0
/// A program's side of a ``PushSource``: told when to send, and given the sender to send with.
///
/// One life cycle: `initialize` → (`start` → `stop`)… → `dispose`, all on the session thread: a source that is muted is
/// stopped, and started when it is heard again. Where
/// `initialize` answers false or `start` throws, the session ends with an error and no later call but
/// `dispose` comes. `dispose` comes exactly once after `initialize`, also after a failure.
public protocol CustomSource: AnyObject {
  /// The format of the samples that will be sent, asked before `initialize`; nil = whatever the session
  /// proposes.
  var format: StreamFormat? { get }

  /// Acquires what the source needs.
  ///
  /// - Parameter sender: for this life; its ``PushSender/format`` says what to send. It takes samples
  ///   from `start` on, on any one thread.
  /// - Returns: false where the source cannot work: the session ends with an error.
  func initialize(_ sender: PushSender) -> Bool

  /// Samples may be sent from now on, also from within this call. Do not wait for room here: the
  /// session thread is the one that makes it.
  func start() throws(AudioError)

  /// No more samples are taken: every further `send` throws, until a `start` that may follow. A good place to join the
  /// sending thread.
  func stop()

  /// Releases everything.
  func dispose()
}

extension CustomSource {
  public var format: StreamFormat? { nil }
  public func start() throws(AudioError) {}
  public func stop() {}
  public func dispose() {}
}

/// A live source of samples that a program sends from a thread of its own.
///
/// A ring takes the samples, so that neither side waits for the other. When the program has sent
/// nothing, `read` answers `pending` and the underrun is counted: this source has no clock, so it is the
/// session that decides how long to wait and what to put there. The stream ends with
/// ``PushSender/finish()``.
///
/// For one session; everything but the sender belongs to the session thread.
public final class PushSource: MutedSource, FillingSource {
  /// What there is to choose about a push source.
  public struct Options: Sendable {
    /// In messages.
    public var name: String
    /// What the samples are worth: where it needs ``SamplePrecision/double``, `Double` samples arrive
    /// without rounding and the session computes in `Double`.
    public var encoding: SampleEncoding
    /// How many samples per channel the ring holds; nil = one second.
    public var capacity: Int?
    /// The quality of the conversion of samples sent at another rate.
    public var quality: ResamplerQuality
    /// By how much samples may come late, counted from when the first of them came: a session hears them
    /// that much later. Beyond it silence stands in for them, and what comes behind a silence is heard that
    /// much later again.
    public var latency: Duration

    public init(
      name: String = "push source", encoding: SampleEncoding = .f32, capacity: Int? = nil,
      quality: ResamplerQuality = .high, latency: Duration = .milliseconds(100)
    ) {
      self.latency = latency
      self.name = name
      self.encoding = encoding
      self.capacity = capacity
      self.quality = quality
    }
  }

  let sender: PushSender
  private let format: StreamFormat?
  private let options: Options
  /// Released at `dispose`.
  private var program: (any CustomSource)?
  private var reader: PushReader?
  private var isStarted = false

  /// A source for `program`, whose format is asked now.
  public convenience init(_ program: any CustomSource, options: Options = Options()) {
    self.init(program, format: program.format, options: options)
  }

  init(_ program: (any CustomSource)?, format: StreamFormat?, options: Options) {
    self.program = program
    self.format = format
    self.options = options
    sender = PushSender(name: options.name)
  }

  /// What happened so far. Any thread.
  public var statistics: PushStatistics { sender.statistics }

  public var takesProposedFormat: Bool { format == nil }

  /// - Throws: `lifeCycle` where the program's `initialize` answers false, and the second time;
  ///   `invalidParameter` for a ring of less than one sample, and where neither the program states a
  ///   format nor the session proposes one.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    guard reader == nil, sender.link == nil else {
      throw refusal(.lifeCycle, "it was used before", "make a new one for each session")
    }
    guard let format = format ?? proposal else {
      throw refusal(
        .invalidParameter, "it states no format and the session proposes none", "state a format")
    }
    let capacity = options.capacity ?? format.sampleRate
    guard capacity > 0 else {
      throw refusal(.invalidParameter, "its ring holds \(capacity) samples", "1 is the least")
    }
    let link = PushLink(
      name: options.name, format: format, precision: options.encoding.precision,
      capacity: capacity, latency: options.latency, wakeup: wakeup,
      waiters: sender.waiters)
    reader = PushReader(link, quality: options.quality)
    sender.open(link)
    guard program?.initialize(sender) ?? true else {
      throw refusal(.lifeCycle, "its initialize answered false", nil)
    }
    return SourceDescription(
      format: format, encoding: options.encoding, pace: .arrival, latency: options.latency)
  }

  /// - Throws: what the program's `start` throws.
  public func start() throws(AudioError) {
    sender.enter(.started)
    do {
      try program?.start()
    } catch {
      sender.enter(.stopped)
      throw error
    }
    isStarted = true
  }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let reader else { return .ended }
    // Before the ring: what was sent before the end is seen then.
    let isFinished = sender.isFinished
    return try reader.read(into: &output, isFinished: isFinished, isMuted: sender.isMuted)
  }

  public func silenceStoodIn(samplesPerChannel count: Int64) {
    reader?.silenceStoodIn(samplesPerChannel: count)
    sender.link?.yield(count)
  }

  package func takeFilled() -> [Range<Int64>] { reader?.takeFilled() ?? [] }

  /// Stops the program: what it sends from now on is refused and counted.
  public func mute() { stop(.muted) }

  /// Starts the program again.
  ///
  /// - Throws: what the program's `start` throws.
  public func unmute() throws(AudioError) { try start() }

  public func stop() { stop(.stopped) }

  private func stop(_ phase: PushSender.Phase) {
    sender.enter(phase)
    if isStarted { program?.stop() }
    isStarted = false
  }

  public func dispose() {
    stop()
    // A program that was never initialised has nothing to release.
    if reader != nil { program?.dispose() }
    program = nil
    reader = nil
  }

  private func refusal(
    _ kind: AudioError.Kind, _ reason: String, _ advice: String?
  ) -> AudioError {
    AudioError(kind, cannot: "initialize", options.name, because: reason, advice: advice)
  }
}
