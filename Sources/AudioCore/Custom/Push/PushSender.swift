internal import Synchronization

/// Sends a program's own samples into a ``PushSource``.
///
/// Every member may be used on any thread, but only one thread may send at a time: a second one gets an
/// error. ``send(_:rate:at:)-(Span<Sample>,_,_)`` neither waits nor takes a lock nor allocates, except for an error's text.
public final class PushSender: Sendable {
  /// How far the source's life has come.
  enum Phase: UInt8 {
    case made
    case initialized
    case started
    case stopped
  }

  /// The source's name in messages.
  let name: String
  private let phase = Atomic(Phase.made.rawValue)
  private let hasFinished = Atomic(false)
  private let phases = ProgressSignal()
  private let reference = AtomicLazyReference<PushChannel>()

  init(name: String) { self.name = name }

  /// The format of the samples to send; nil before the source is initialised.
  public var format: StreamFormat? { channel?.samples.format }

  /// How many samples per channel ``send(_:rate:at:)-(Span<Sample>,_,_)`` takes now; 0 outside start…stop.
  public var room: Int {
    guard currentPhase == .started, let channel, channel.hasRoom else { return 0 }
    return channel.samples.ring.free()
  }

  /// What happened so far.
  public var statistics: PushStatistics { channel?.statistics ?? PushStatistics() }

  /// Sends a piece of the stream without waiting.
  ///
  /// - Parameters:
  ///   - samples: interleaved whole sample frames in the channel count of ``format``, ±1.0 (`Int16`:
  ///     ±32767).
  ///   - rate: of these samples, in hertz; nil = the stream's. Another rate is converted. A piece of
  ///     another rate than the one before first flushes that conversion, and begins on a whole sample
  ///     of the stream.
  ///   - time: where the first sample stands, in samples per channel at this piece's rate from the
  ///     beginning of the stream; nil = right after the piece before. What is missing in between
  ///     becomes silence and is counted.
  /// - Returns: how many samples, across all channels and from the first on, were taken: fewer than
  ///   `samples` where the ring is full. Send the others again later, or let them go.
  /// - Throws: `lifeCycle` before start, after stop, after ``finish()``, and while another thread
  ///   sends; `invalidParameter` for part of a sample frame, an illegal rate or time, and a piece that
  ///   begins before the end of what was sent, of which nothing is taken.
  public func send<Sample: FrameSample>(
    _ samples: Span<Sample>, rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    let channel = try openChannel()
    let taken = try channel.take(samples, rate: rate, at: time)
    if taken < samples.count {
      channel.countRefused((samples.count - taken) / channel.samples.format.channelCount)
    }
    return taken
  }

  /// Ends the stream after what was sent. Calling it again does nothing.
  public func finish() {
    hasFinished.store(true, ordering: .releasing)
    channel?.signalSession()
  }

  /// Whether ``finish()`` was called; all that was sent before is visible then.
  var isFinished: Bool { hasFinished.load(ordering: .acquiring) }

  /// Whether samples are taken now.
  var isOpen: Bool { currentPhase == .started && !isFinished }

  var channel: PushChannel? { reference.load() }

  private var currentPhase: Phase { Phase(rawValue: phase.load(ordering: .acquiring)) ?? .made }

  /// Session thread only; once.
  func open(_ channel: PushChannel) {
    _ = reference.storeIfNil(channel)
    enter(.initialized)
  }

  /// Session thread only.
  func enter(_ phase: Phase) {
    self.phase.store(phase.rawValue, ordering: .releasing)
    phases.notify()
    channel?.progress.notify()
  }

  /// Waits until the phase is `phase` or a later one.
  func wait(milliseconds: Int?, for phase: Phase) -> Bool {
    phases.wait(milliseconds: milliseconds) { currentPhase.rawValue >= phase.rawValue }
  }

  /// - Throws: `lifeCycle` outside start…stop and after ``finish()``.
  func openChannel() throws(AudioError) -> PushChannel {
    let reason: String
    switch currentPhase {
    case .made: reason = "it is not initialised yet"
    case .initialized: reason = "it is not started yet"
    case .stopped: reason = "it is stopped"
    case .started:
      if !isFinished, let channel { return channel }
      reason = "its stream was finished"
    }
    throw AudioError(.lifeCycle, cannot: "send to", name, because: reason)
  }
}
