// SPDX-License-Identifier: Apache-2.0
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
    case muted
    case started
    case stopped
  }

  /// The source's name in messages.
  package let name: String
  private let phase = Atomic(Phase.made.rawValue)
  private let hasFinished = Atomic(false)
  private let phases = ProgressSignal()
  /// Tasks that wait for room, for the start or for the end.
  package let waiters = PushWaiters()
  private let reference = AtomicLazyReference<PushLink>()

  init(name: String) { self.name = name }

  /// The format of the samples to send; nil before the source is initialised.
  public var format: StreamFormat? { link?.samples.format }

  /// How many samples per channel ``send(_:rate:at:)-(Span<Sample>,_,_)`` takes now; 0 outside start…stop.
  public var room: Int {
    guard currentPhase == .started, let link, link.hasRoom else { return 0 }
    return link.samples.ring.free()
  }

  /// Whether the source is muted: nothing is taken until it is heard again, for which ``waitForStart(atMost:)`` waits.
  public var isMuted: Bool { currentPhase == .muted }

  /// What happened so far.
  public var statistics: PushStatistics { link?.statistics ?? PushStatistics() }

  /// Sends a piece of the stream without waiting.
  ///
  /// - Parameters:
  ///   - samples: interleaved whole sample frames in the channel count of ``format``, ±1.0; of `Int16` 1/32768 each:
  ///     −32768 is −1.0, and 32767 is one step below 1.0.
  ///   - rate: of these samples, in hertz; nil = the stream's. Another rate is converted. A piece of
  ///     another rate than the one before first flushes that conversion, and begins on a whole sample
  ///     of the stream.
  ///   - time: where the first sample stands, in samples per channel at this piece's rate from the
  ///     beginning of the stream; nil = right after the piece before. What is missing in between
  ///     becomes silence and is counted. Where the session has let silence stand in by then, because
  ///     nothing came in time, a piece with a time keeps its place, and what of it is too late is dropped and
  ///     counted; one without follows the silence.
  /// - Returns: how many samples, across all channels and from the first on, were taken: fewer than
  ///   `samples` where the ring is full. Send the others again later, or let them go.
  /// - Throws: `lifeCycle` before start, after stop, while the source is muted, after ``finish()``, and while another
  ///   thread sends; `invalidParameter` for part of a sample frame, an illegal rate or time, and a piece that
  ///   begins before the end of what was sent, of which nothing is taken.
  public func send<Sample: FrameSample>(
    _ samples: Span<Sample>, rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    let link = try openLink(for: samples.count)
    let taken = try link.take(samples, rate: rate, at: time)
    if taken < samples.count {
      link.countRefused((samples.count - taken) / link.samples.format.channelCount)
    }
    return taken
  }

  /// Ends the stream after what was sent. Calling it again does nothing.
  public func finish() {
    hasFinished.store(true, ordering: .releasing)
    link?.signalSession()
    waiters.notify()
  }

  /// Whether ``finish()`` was called; all that was sent before is visible then.
  var isFinished: Bool { hasFinished.load(ordering: .acquiring) }

  /// Whether samples are taken now.
  package var isOpen: Bool { currentPhase == .started && !isFinished }

  var link: PushLink? { reference.load() }

  private var currentPhase: Phase { Phase(rawValue: phase.load(ordering: .acquiring)) ?? .made }

  /// Session thread only; once.
  func open(_ link: PushLink) {
    _ = reference.storeIfNil(link)
    enter(.initialized)
  }

  /// Session thread only.
  func enter(_ phase: Phase) {
    self.phase.store(phase.rawValue, ordering: .releasing)
    phases.notify()
    if let link { link.tellProgress() } else { waiters.notify() }
  }

  /// Whether the source was started, be it that it is stopped again.
  package var hasStarted: Bool { currentPhase.rawValue >= Phase.started.rawValue }

  /// Whether sending takes something, or fails.
  package var answersAtOnce: Bool { !isOpen || link.map { $0.hasRoom } ?? true }

  /// Waits until the phase is `phase` or a later one.
  func wait(atMost limit: Duration?, for phase: Phase) -> Bool {
    phases.wait(atMost: limit) { currentPhase.rawValue >= phase.rawValue }
  }

  /// - Parameters:
  ///   - count: of the units that are to be sent, for the count of what is refused.
  ///   - size: of a unit: 1 for samples, else bytes per sample.
  /// - Throws: `lifeCycle` outside start…stop, while muted and after ``finish()``.
  func openLink(for count: Int, ofSize size: Int = 1) throws(AudioError) -> PushLink {
    let reason: String
    switch currentPhase {
    case .made: reason = "it is not initialised yet"
    case .initialized: reason = "it is not started yet"
    case .muted:
      reason = "it is muted"
      if let link { link.countMuted(count / (size * link.samples.format.channelCount)) }
    case .stopped: reason = "it is stopped"
    case .started:
      if !isFinished, let link { return link }
      reason = "its stream was finished"
    }
    throw AudioError(.lifeCycle, cannot: "send to", name, because: reason)
  }
}

extension PushSender {
  /// Sends a piece of the stream without waiting; as ``send(_:rate:at:)-(Span<Sample>,_,_)`` for a span.
  public func send<Sample: FrameSample>(
    _ samples: [Sample], rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    try send(samples.span, rate: rate, at: time)
  }

  /// Waits until the source is started, or heard again after it was muted. One thread at a time.
  ///
  /// - Parameter limit: the longest wait; nil = until it is started or stopped, which may be
  ///   never where the session does not run.
  /// - Returns: whether samples are taken now.
  public func waitForStart(atMost limit: Duration? = nil) -> Bool {
    wait(atMost: limit, for: .started) && isOpen
  }

  /// Sends a piece and waits for room where there is none. Not for a thread with deadlines.
  ///
  /// - Parameters:
  ///   - samples: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``; may be longer than the ring.
  ///   - rate: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  ///   - time: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  ///   - limit: the longest wait for room each time there is none; nil = until there is.
  /// - Returns: how many samples, across all channels, were taken: all of them unless the time ran out.
  /// - Throws: as ``send(_:rate:at:)-(Span<Sample>,_,_)``; also `lifeCycle` as soon as the source is stopped, when the
  ///   samples taken so far are in the stream or gone with it.
  public func sendWaiting<Sample: FrameSample>(
    _ samples: Span<Sample>, rate: Int? = nil, at time: Int64? = nil, atMost limit: Duration? = nil
  ) throws(AudioError) -> Int {
    var taken = 0
    while true {
      taken += try take(samples, from: taken, rate: rate, at: time)
      if taken == samples.count || !waitForRoom(atMost: limit) { return taken }
    }
  }

  /// Takes what fits of a piece behind its first `taken` samples, which are in the stream.
  package func take<Sample: FrameSample>(
    _ samples: Span<Sample>, from taken: Int, rate: Int?, at time: Int64?
  ) throws(AudioError) -> Int {
    let link = try openLink(for: samples.count - taken)
    let begun = Int64(taken / link.samples.format.channelCount)
    return try link.take(
      samples.extracting(droppingFirst: taken), rate: rate, at: time.map { $0 + begun })
  }

  /// - Returns: false where the time ran out.
  func waitForRoom(atMost limit: Duration?) -> Bool {
    link?.wait(atMost: limit) { answersAtOnce } ?? true
  }

  /// Sends a piece and waits for room; as ``sendWaiting(_:rate:at:atMost:)-(Span<Sample>,_,_,_)`` for a span.
  public func sendWaiting<Sample: FrameSample>(
    _ samples: [Sample], rate: Int? = nil, at time: Int64? = nil, atMost limit: Duration? = nil
  ) throws(AudioError) -> Int {
    try sendWaiting(samples.span, rate: rate, at: time, atMost: limit)
  }
}

/// What happened at a push source so far. Every count of samples is in samples per channel.
public struct PushStatistics: Sendable, Hashable {
  /// Taken from the program, at the rates it stated.
  public var samplesTaken: Int64 = 0
  /// Times a piece began after the end of the one before.
  public var gaps = 0
  /// Silence that filled these gaps, at the stream's rate, each rounded up.
  public var samplesFilled: Int64 = 0
  /// Refused by ``PushSender/send(_:rate:at:)-(Span<Sample>,_,_)`` because the ring was full; sent again, they count again.
  public var samplesRefused: Int64 = 0
  /// Refused because the piece began before the end of what was sent, or dropped because silence stood in
  /// its place already.
  public var samplesLate: Int64 = 0
  /// Refused because the source was muted.
  public var samplesMuted: Int64 = 0
  /// Times the session had read everything and the program had sent no more.
  public var underruns = 0

  /// Counts as the members say; where nothing is said, nothing came.
  public init(
    samplesTaken: Int64 = 0, gaps: Int = 0, samplesFilled: Int64 = 0, samplesRefused: Int64 = 0,
    samplesLate: Int64 = 0, samplesMuted: Int64 = 0, underruns: Int = 0
  ) {
    self.samplesTaken = samplesTaken
    self.gaps = gaps
    self.samplesFilled = samplesFilled
    self.samplesRefused = samplesRefused
    self.samplesLate = samplesLate
    self.samplesMuted = samplesMuted
    self.underruns = underruns
  }
}
