// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Sends a program's own samples into a ``PushSource``.
///
/// Every member may be used on any thread, but only one thread may send at a time: a second one gets an error.
/// ``send(_:rate:at:)-(Span<Sample>,_,_)`` does not wait, takes no lock and allocates only an error's text.
public final class PushSender: Sendable {
  /// The stage of the source's life.
  enum Phase: UInt8 {
    case made
    case initialized
    case muted
    case started
    case stopped
  }

  /// The source's name in errors.
  package let name: String
  private let phase = Atomic(Phase.made.rawValue)
  private let hasFinished = Atomic(false)
  private let phases = ProgressSignal()
  /// The tasks that wait for room, for the start or for the end.
  package let waiters = PushWaiters()
  private let reference = AtomicLazyReference<PushLink>()

  init(name: String) { self.name = name }

  /// The format of the samples to send; nil before the source is initialised.
  public var format: StreamFormat? { link?.samples.format }

  /// The samples per channel that ``send(_:rate:at:)-(Span<Sample>,_,_)`` takes now; 0 outside start…stop.
  public var room: Int {
    guard currentPhase == .started, let link, link.hasRoom else { return 0 }
    return link.samples.ring.free()
  }

  /// Whether the source is muted: it takes no samples until it is unmuted. ``waitForStart(atMost:)`` waits for that.
  public var isMuted: Bool { currentPhase == .muted }

  /// The counts so far.
  public var statistics: PushStatistics { link?.statistics ?? PushStatistics() }

  /// Sends a piece of the stream without waiting.
  ///
  /// - Parameters:
  ///   - samples: interleaved whole sample frames in the channel count of ``format``, ±1.0; of `Int16` 1/32768 each:
  ///     −32768 is −1.0, and 32767 is one step below 1.0.
  ///   - rate: the rate of these samples in hertz; nil = the stream's. Another rate is converted. A piece of another
  ///     rate than the previous one first flushes that conversion, and begins on a whole sample of the stream.
  ///   - time: the position of the first sample, in samples per channel at this piece's rate from the beginning of the
  ///     stream; nil = directly behind the previous piece. A gap becomes silence and is counted. If the session has let
  ///     silence stand in by then, a piece with a time keeps its place, and its late part is dropped and counted; a
  ///     piece without a time follows the silence.
  /// - Returns: the number of samples taken from the beginning, across all channels; fewer than `samples` if the ring
  ///   is full. Send the rest again later, or drop it.
  /// - Throws: `lifeCycle` before start, after stop, while the source is muted, after ``finish()``, and while another
  ///   thread sends; `invalidParameter` for part of a sample frame, an illegal rate or time, and a piece that begins
  ///   before the end of the sent samples. Nothing is taken then.
  public func send<Sample: FrameSample>(
    _ samples: Span<Sample>, rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    let link = try openLink(for: samples.count)
    let taken = try link.take(samples, rate: rate, at: time)
    if taken < samples.count {
      link.refused.add(Int64((samples.count - taken) / link.samples.format.channelCount))
    }
    return taken
  }

  /// Ends the stream behind the samples sent. A second call does nothing. Nothing else on this side ends it: a session
  /// that has only this source waits until then, or until it is asked to end.
  public func finish() {
    hasFinished.store(true, ordering: .releasing)
    link?.signalSession()
    waiters.notify()
  }

  /// Drops the samples that were sent and are not in the sum yet, such as those of an answer that is interrupted: the source
  /// is silent within 60 ms. Samples sent from now on follow behind those that an open session has read, which are the
  /// latency and 40 ms; those with a time keep their place.
  ///
  /// Any thread, also while another one sends. Does nothing before the source is initialised.
  public func clear() { link?.clear() }

  /// Whether ``finish()`` was called; all samples sent before it are visible then.
  var isFinished: Bool { hasFinished.load(ordering: .acquiring) }

  /// Whether the source takes samples now.
  package var isOpen: Bool { currentPhase == .started && !isFinished }

  var link: PushLink? { reference.load() }

  private var currentPhase: Phase { Phase(rawValue: phase.load(ordering: .acquiring)) ?? .made }

  /// Sets the link, once. Session thread only.
  func open(_ link: PushLink) {
    _ = reference.storeIfNil(link)
    enter(.initialized)
  }

  /// Sets the phase. Session thread only.
  func enter(_ phase: Phase) {
    self.phase.store(phase.rawValue, ordering: .releasing)
    phases.notify()
    if let link { link.tellProgress() } else { waiters.notify() }
  }

  /// Whether the source was ever started, even if it is stopped again.
  package var hasStarted: Bool { currentPhase.rawValue >= Phase.started.rawValue }

  /// Whether sending takes samples or fails, without a wait for room.
  package var answersAtOnce: Bool { !isOpen || link.map { $0.hasRoom } ?? true }

  func wait(atMost limit: Duration?, for phase: Phase) -> Bool {
    phases.wait(atMost: limit) { currentPhase.rawValue >= phase.rawValue }
  }

  /// - Parameters:
  ///   - count: the number of units to send, for the count of refused samples.
  ///   - size: the size of a unit: 1 for samples, else bytes per sample.
  /// - Throws: `lifeCycle` outside start…stop, while muted and after ``finish()``.
  func openLink(for count: Int, ofSize size: Int = 1) throws(AudioError) -> PushLink {
    let reason: String
    switch currentPhase {
    case .made: reason = "it is not initialised yet"
    case .initialized: reason = "it is not started yet"
    case .muted:
      reason = "it is muted"
      if let link { link.muted.add(Int64(count / (size * link.samples.format.channelCount))) }
    case .stopped: reason = "it is stopped"
    case .started:
      if !isFinished, let link { return link }
      reason = "its stream was finished"
    }
    throw AudioError(
      .lifeCycle, cannot: "send to", name, because: reason,
      advice: currentPhase.rawValue < Phase.muted.rawValue
        ? "wait until it has started: waitForStart(), in a task started()" : nil)
  }
}

extension PushSender {
  /// Sends a piece of the stream without waiting; as ``send(_:rate:at:)-(Span<Sample>,_,_)`` for a span.
  public func send<Sample: FrameSample>(
    _ samples: [Sample], rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    try send(samples.span, rate: rate, at: time)
  }

  /// Waits until the source is started, or unmuted. One thread at a time.
  ///
  /// - Parameter limit: the longest wait; nil = until the source is started or stopped, which may never happen without
  ///   a running session.
  /// - Returns: whether the source takes samples now.
  public func waitForStart(atMost limit: Duration? = nil) -> Bool {
    wait(atMost: limit, for: .started) && isOpen
  }

  /// Sends a piece and waits for room if necessary. Not for a thread with deadlines.
  ///
  /// - Parameters:
  ///   - samples: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``; may be longer than the ring.
  ///   - rate: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  ///   - time: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  ///   - limit: the longest wait for room, each time; nil = no limit.
  /// - Returns: the number of samples taken, across all channels: all of them unless the time ran out.
  /// - Throws: the errors of ``send(_:rate:at:)-(Span<Sample>,_,_)``; also `lifeCycle` as soon as the source is
  ///   stopped. The samples taken before that are in the stream or lost with it.
  public func sendWaiting<Sample: FrameSample>(
    _ samples: Span<Sample>, rate: Int? = nil, at time: Int64? = nil, atMost limit: Duration? = nil
  ) throws(AudioError) -> Int {
    var taken = 0
    while true {
      taken += try take(samples, from: taken, rate: rate, at: time)
      if taken == samples.count || !waitForRoom(atMost: limit) { return taken }
    }
  }

  /// Takes the part of a piece that fits, behind its first `taken` samples, which are in the stream.
  package func take<Sample: FrameSample>(
    _ samples: Span<Sample>, from taken: Int, rate: Int?, at time: Int64?
  ) throws(AudioError) -> Int {
    let link = try openLink(for: samples.count - taken)
    let begun = Int64(taken / link.samples.format.channelCount)
    return try link.take(
      samples.extracting(droppingFirst: taken), rate: rate, at: time.map { $0 + begun })
  }

  /// - Returns: false if the time ran out.
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

/// The counts of a push source so far. All counts of samples are in samples per channel.
public struct PushStatistics: Sendable, Hashable {
  /// The samples taken from the program, at their own rates.
  public var takenSamplesPerChannel: Int64 = 0
  /// The pieces that began behind the end of the previous one.
  public var gaps = 0
  /// The silence that filled these gaps, at the stream's rate, each rounded up.
  public var filledSamplesPerChannel: Int64 = 0
  /// The samples refused by ``PushSender/send(_:rate:at:)-(Span<Sample>,_,_)`` because the ring was full; sent again,
  /// they count again.
  public var refusedSamplesPerChannel: Int64 = 0
  /// The samples refused because the piece began before the end of the sent samples, or dropped because silence had
  /// replaced them.
  public var lateSamplesPerChannel: Int64 = 0
  /// The samples refused because the source was muted.
  public var mutedSamplesPerChannel: Int64 = 0
  /// The reads of a running program that found the ring empty.
  public var underruns = 0

  /// Makes counts; each is 0 by default.
  public init(
    takenSamplesPerChannel: Int64 = 0, gaps: Int = 0, filledSamplesPerChannel: Int64 = 0,
    refusedSamplesPerChannel: Int64 = 0,
    lateSamplesPerChannel: Int64 = 0, mutedSamplesPerChannel: Int64 = 0, underruns: Int = 0
  ) {
    self.takenSamplesPerChannel = takenSamplesPerChannel
    self.gaps = gaps
    self.filledSamplesPerChannel = filledSamplesPerChannel
    self.refusedSamplesPerChannel = refusedSamplesPerChannel
    self.lateSamplesPerChannel = lateSamplesPerChannel
    self.mutedSamplesPerChannel = mutedSamplesPerChannel
    self.underruns = underruns
  }
}
