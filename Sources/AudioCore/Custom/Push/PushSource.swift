// SPDX-License-Identifier: Apache-2.0
/// A live source of samples that a program sends from a thread of its own: a virtual microphone.
///
/// ```swift
/// let microphone = PushSource(format: format)
/// try session.setLocal(microphone)
/// let sender = microphone.sender  // for another thread
/// ```
///
/// A ring takes the samples, so neither side waits for the other. If the ring is empty, `read` returns `pending` and
/// counts an underrun. This source has no clock, so the session decides how long it waits and which samples stand in.
/// The stream ends with ``PushSender/finish()``.
///
/// One life cycle: `initialize` → (`start` → `stop`)… → `dispose`, all on the session thread. Muting stops the source,
/// and unmuting starts it again. If `initialize` returns false or throws, or `start` throws, the session ends with an
/// error, and only `dispose` is still called. `dispose` is called exactly once after `initialize`, also after a
/// failure.
///
/// For one session, as its local, a remote or a shared source; everything but the sender belongs to the session thread.
public final class PushSource: MutedSource, FillingSource {
  /// The options of a push source.
  public struct Options: Sendable {
    /// The source's name in errors.
    public var name: String
    /// The encoding of the samples. If it needs ``SamplePrecision/double``, `Double` samples arrive without rounding
    /// and the session computes in `Double`.
    public var encoding: SampleEncoding
    /// The capacity of the ring in samples per channel; nil = one second.
    public var capacity: Int?
    /// The quality of the conversion of samples sent at another rate.
    public var quality: ResamplerQuality
    /// The tolerated lateness of samples, relative to the first ones: a session hears all of them that much later.
    /// Silence stands in for samples that are later still, and the samples behind such a silence are delayed by the
    /// latency again.
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

  /// Takes samples from the session's start to its stop. Outside this time and while the source is muted, sending is an
  /// error. Any thread, one at a time.
  public let sender: PushSender
  private let format: StreamFormat?
  private let options: Options
  /// The program's closures; released at `dispose`, since they may hold the owner of this source.
  private var calls: Calls?
  private var reader: PushReader?
  private var isStarted = false

  private struct Calls {
    let initialize: (PushSender) throws -> Bool
    let start: () throws -> Void
    let stop: () -> Void
    let dispose: () -> Void
  }

  /// - Parameters:
  ///   - format: the format of the samples to send; nil = the format that the session proposes.
  ///   - options: name, ring, quality and latency.
  ///   - initialize: gets the sender, whose ``PushSender/format`` is settled; returns false if the source cannot work.
  ///   - start: begins the sending, which may happen within this call. Do not wait for room here: only the session
  ///     thread makes it.
  ///   - stop: ends the sending: every `send` throws until another `start`. Join the sending thread here.
  ///   - dispose: releases everything.
  public init(
    format: StreamFormat? = nil, options: Options = Options(),
    initialize: @escaping (PushSender) throws -> Bool = { _ in true },
    start: @escaping () throws -> Void = {}, stop: @escaping () -> Void = {},
    dispose: @escaping () -> Void = {}
  ) {
    self.format = format
    self.options = options
    calls = Calls(initialize: initialize, start: start, stop: stop, dispose: dispose)
    sender = PushSender(name: options.name)
  }

  /// The counts so far. Any thread.
  public var statistics: PushStatistics { sender.statistics }

  public var takesProposedFormat: Bool { format == nil }

  /// - Throws: the error of the closure; `lifeCycle` if it returns false, and for a second call; `invalidParameter` for
  ///   a ring of less than one sample, and if neither the source nor the proposal has a format.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    guard reader == nil, sender.link == nil else { throw .usedBefore(options.name) }
    guard let format = format ?? proposal else { throw .noFormat(of: options.name) }
    let capacity = try format.ringCapacity(options.capacity, of: options.name)
    let link = PushLink(
      name: options.name, format: format, precision: options.encoding.precision,
      capacity: capacity, latency: options.latency, wakeup: wakeup,
      waiters: sender.waiters)
    reader = PushReader(link, quality: options.quality)
    sender.open(link)
    try AudioError.initialize(options.name) { try calls?.initialize(sender) ?? true }
    return SourceDescription(
      format: format, encoding: options.encoding, pace: .arrival, latency: options.latency)
  }

  /// - Throws: the error of the closure.
  public func start() throws(AudioError) {
    sender.enter(.started)
    do {
      try calls?.start()
    } catch {
      sender.enter(.stopped)
      throw AudioError(wrapping: error, cannot: "start", options.name)
    }
    isStarted = true
  }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let reader else { return .ended }
    // `isFinished` is read before the ring, so all samples before the end are visible.
    let isFinished = sender.isFinished
    return try reader.read(into: &output, isFinished: isFinished, isMuted: sender.isMuted)
  }

  public func silenceStoodIn(samplesPerChannel count: Int64) {
    reader?.silenceStoodIn(samplesPerChannel: count)
  }

  package func takeFilled() -> [Range<Int64>] { reader?.takeFilled() ?? [] }

  package func takeWithdrawn() -> Int64? { reader?.takeWithdrawn() }

  /// A gain, a mute and ``PushSender/clear()`` are heard soon, however far ahead the program sends.
  package var lead: Duration? { .milliseconds(40) }

  /// Stops the program: samples sent from now on are refused and counted.
  public func mute() { stop(.muted) }

  /// Starts the program again.
  ///
  /// - Throws: the error of the closure `start`.
  public func unmute() throws(AudioError) { try start() }

  public func stop() { stop(.stopped) }

  private func stop(_ phase: PushSender.Phase) {
    sender.enter(phase)
    if isStarted { calls?.stop() }
    isStarted = false
  }

  public func dispose() {
    stop()
    // A source without `initialize` has nothing to release.
    if reader != nil { calls?.dispose() }
    calls = nil
    reader = nil
  }
}
