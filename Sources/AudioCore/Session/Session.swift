// SPDX-License-Identifier: Apache-2.0
/// The one engine: sources, observation positions, the mixer and sinks.
///
/// ```
/// local source ─►[ record ]─┬────────────────────► publish sink
///                           └──────────┐
/// remote, shared ─►[ before mixing ]─► Σ ─►[ playback ]─┬─► playback sink
///                                                       └─► Σ ─►[ mixed ]─► mixed sink
/// ```
///
/// Configure it, register observers, then run it once; `run()` returns when every sink has ended. A session belongs to
/// one thread, which calls sources, sinks and observers: the caller's of `run()`, or its own for `await run()`. Other
/// threads may use ``control``, ``live`` and the ``ObserverRegistration``s. With ``live``, sources join and leave the
/// running session, observers come and go, and gains change.
public final class Session {
  var local: SourceEntry?
  /// Remote and shared sources, in the order of adding.
  var incoming: [SourceEntry] = []
  var sinks: [SinkPlace: SinkMaker] = [:]
  var observers: [RegisteredObserver] = []
  var parameters: [ObservationPosition: FrameParameters] = [:]
  /// The time by which the session goes on without a device's clock. Tests set a ``VirtualTime`` before the run.
  public var time: any SessionTime = MachineTime()
  private var remoteCount = 0
  private var hasRun = false

  /// The sample rate of the sum in hertz; nil = that of the live playback sink, else the sources' highest. Sources that
  /// take any proposal, such as generators, run at it too.
  public var mixSampleRate: Int?
  /// The channel count of the sum; nil = that of the live playback sink, else the sources' largest.
  public var mixChannelCount: Int?
  /// The time from the start after which every stream of the session ends, with or without a sum; nil = with its sources.
  /// Samples are counted at the rate of the sum, without a sum at that of the local source. A session does not become
  /// longer than its sources, unless it is open: see ``end``.
  public var duration: TimePosition?
  /// The condition on which the session ends by itself.
  public var end = SessionEnd.withSources
  /// The quality of every rate conversion.
  public var resamplerQuality = ResamplerQuality.high
  /// The cache for the coefficients of rate conversions. Sharing one between sessions saves each of them up to some
  /// milliseconds.
  public var resamplerFilterCache = ResamplerFilterCache()
  /// The other threads on which an offline session may compute, for sessions that share processors while they run. The
  /// result does not depend on it.
  package var workers = WorkerAllowance(isGranted: true)
  /// Ends the session from outside.
  public let control: SessionControl
  /// Called once on the session thread, after the configuration is settled and before the first sample moves.
  public var onStart: ((SessionSummary) -> Void)?
  /// Called on the session thread when a source joins or leaves the running session, and after a live source had no
  /// samples.
  public var onEvent: ((SessionEvent) -> Void)?
  /// The session for other threads, which can change and watch it while it runs.
  public let live: LiveSession
  /// Called on the session thread after every step that moved samples.
  public var onProgress: ((SessionProgress) -> Void)?
  /// The result of `run()`; nil before its end. If that throws, the samples so far, with the outcome
  /// ``SessionReport/Outcome/failed``.
  public private(set) var report: SessionReport?

  public init(control: SessionControl = SessionControl()) {
    self.control = control
    live = LiveSession(control)
  }

  /// Sets the source that passes `record`.
  ///
  /// - Parameters:
  ///   - source: for this stream alone: see ``AudioSource``.
  ///   - gain: a finite factor, applied before observers see the source.
  /// - Throws: `lifeCycle` after `run()`.
  public func setLocal(_ source: any AudioSource, gain: Double = 1) throws(AudioError) {
    try requireNotRun("set source", SourceKey.local.description)
    local = SourceEntry(source: source, key: .local, mixing: MixEntry(gain: gain))
    live.expectLocal()
  }

  /// Adds a source that passes `before mixing` and enters the sum.
  ///
  /// - Parameters:
  ///   - source: for this stream alone: see ``AudioSource``.
  ///   - id: a unique id in its group; nil = its place among the remote sources, from 1, or the next free number.
  ///   - group: the source's group; nil = none.
  ///   - entry: the source's gain, pan and offset in the sum.
  /// - Throws: `invalidParameter` if the id is taken; `lifeCycle` if the session has ended. In a running session the
  ///   source joins, as with ``LiveSession/addRemote(_:id:group:entry:)``.
  public func addRemote(
    _ source: any AudioSource, id: SourceID? = nil, group: SourceID? = nil,
    entry: MixEntry = MixEntry()
  ) throws(AudioError) {
    remoteCount += 1
    var key = SourceKey(id ?? SourceID(ordinal: remoteCount), in: group)
    while id == nil, isTaken(key) {
      remoteCount += 1
      key.id = SourceID(ordinal: remoteCount)
    }
    try add(SourceEntry(source: source, key: key, mixing: entry))
  }

  /// Adds a source that all participants share, such as music; otherwise like a remote one.
  ///
  /// - Throws: `invalidParameter` if the id is taken; `lifeCycle` if the session has ended.
  public func addShared(
    _ source: any AudioSource, id: SourceID = .shared, group: SourceID? = nil,
    entry: MixEntry = MixEntry()
  ) throws(AudioError) {
    try add(
      SourceEntry(source: source, key: SourceKey(id, in: group), isShared: true, mixing: entry))
  }

  private func add(_ source: SourceEntry) throws(AudioError) {
    if live.isRunning { return try live.add(source) }
    try requireNotRun("add source", source.key.description)
    guard !isTaken(source.key) else {
      throw AudioError(
        .invalidParameter, cannot: "add source", source.key.description,
        because: "the id is taken", advice: "give it another id")
    }
    incoming.append(source)
  }

  private func isTaken(_ key: SourceKey) -> Bool {
    if live.isRunning { return live.isTaken(key) }
    return key == .local || incoming.contains { $0.key == key }
  }

  /// Sets the sink of `place`.
  ///
  /// - Throws: `lifeCycle` after `run()`.
  public func setSink(_ sink: any AudioSink, at place: SinkPlace) throws(AudioError) {
    try setSink(at: place) { _ in sink }
  }

  /// Sets the maker of the sink of `place`. The session calls it when it knows the sink's input.
  ///
  /// - Throws: `lifeCycle` after `run()`.
  public func setSink(
    at place: SinkPlace, making maker: @escaping SinkMaker
  ) throws(AudioError) {
    try requireNotRun("set sink", place.description)
    sinks[place] = maker
  }

  /// Sets the parameters of every observer at `position`. An observer keeps its own value of an unset parameter. They
  /// do not apply to a ``VirtualSpeaker``, which has a format.
  ///
  /// - Throws: `lifeCycle` after `run()`.
  public func setParameters(
    _ parameters: FrameParameters, at position: ObservationPosition
  ) throws(AudioError) {
    try requireNotRun("set the observers' parameters at", position.rawValue)
    self.parameters[position] = parameters
  }

  /// Registers an observer, behind all earlier ones.
  ///
  /// A second registration of an observer replaces the first in its place and returns its handle, if their sources are
  /// equal or one of them is nil. For two calls per frame, register two objects.
  ///
  /// - Parameters:
  ///   - observer: called on the session thread.
  ///   - source: the only source to observe at record and before mixing; nil = all. Playback, mixed and shared are
  ///     whole sums.
  /// - Throws: `lifeCycle` if the session has ended; in a running session the errors of
  ///   ``LiveSession/register(_:from:)``. Before the run, an observer without a stream is an error of `run()`, since
  ///   its source may still be added.
  @discardableResult
  public func register(
    _ observer: any AudioObserver, from source: SourceKey? = nil
  ) throws(AudioError) -> ObserverRegistration {
    try register(RegisteredObserver(observer, source: source, in: live))
  }

  /// Registers an observer of the sum that one source hears: mixed without that source, as for ``SinkPlace/playbackOf(_:)``.
  /// It observes nothing else. The frames of that sum can only be read.
  ///
  /// - Parameters:
  ///   - observer: called on the session thread at mixed.
  ///   - source: the source to leave out. It may join and leave an open session at any time.
  /// - Throws: the errors of ``register(_:from:)``.
  @discardableResult
  public func register(
    _ observer: any AudioObserver, mixedExcept source: SourceKey
  ) throws(AudioError) -> ObserverRegistration {
    try register(RegisteredObserver(observer, mixedExcept: source, in: live))
  }

  private func register(
    _ registered: RegisteredObserver
  ) throws(AudioError) -> ObserverRegistration {
    if live.isRunning { return try live.register(registered) }
    try requireNotRun("register the observer", registered.typeName)
    if let place = observers.firstIndex(where: { $0.isReplaced(by: registered) }) {
      observers[place].source = registered.source
      observers[place].except = registered.except
      return observers[place].registration
    }
    observers.append(registered)
    return registered.registration
  }

  /// Reports an event of the run. Session thread.
  package func tell(_ event: SessionEvent) {
    onEvent?(event)
    live.tell(event)
  }

  /// Throws after the run: it would ignore later changes.
  private func requireNotRun(_ action: String, _ subject: String) throws(AudioError) {
    guard hasRun else { return }
    throw AudioError(
      .lifeCycle, cannot: action, subject, because: "the session has been run already",
      advice: "do it before the run")
  }

  /// Runs the session once: to its end, or until ``control`` ends it.
  ///
  /// - Throws: the first error of a source, a sink, an observer or the configuration, after all sources and sinks are
  ///   stopped and disposed of and incomplete files are removed. `lifeCycle` for a second call.
  public func run() throws(AudioError) -> SessionReport {
    guard !hasRun else {
      throw AudioError(
        .lifeCycle, cannot: "run", "the session", because: "it has run already",
        advice: "make a new one")
    }
    hasRun = true
    live.begin(
      (local.map { [$0.key] } ?? []) + incoming.map(\.key), observers, isOpen: end.isOpen)
    let run = SessionRun(self)
    defer {
      live.end()
      run.dispose()
      for observer in observers { observer.hold.letGo() }
    }
    do {
      let report = try run.run()
      self.report = report
      return report
    } catch {
      run.abandon()
      // A source or sink stopped waiting because the session was asked to end.
      if error.kind == .interrupted, let request = control.request {
        let report = SessionReport(outcome: request == .finish ? .stopped : .abandoned)
        self.report = report
        return report
      }
      report = run.report ?? SessionReport(outcome: .failed)
      throw error
    }
  }
}

/// A source as added to a session.
struct SourceEntry {
  let source: any AudioSource
  let key: SourceKey
  var isShared = false
  let mixing: MixEntry
}

/// The gain, pan and offset with which a source enters the sum: after the before-mixing observers, in the sum's format.
public struct MixEntry: Sendable, Hashable {
  /// A finite factor; 1 leaves the samples unchanged.
  public var gain: Double
  /// Balance between left and right, −1…1, with unity at the centre. Only for a two-channel sum.
  public var pan: Double
  /// The start of the source since the start of the sum; never negative.
  public var offset: TimePosition
  /// Whether the source's channels are channels of the sum for themselves, behind those of the sources before it. Otherwise
  /// they are converted to the sum's channels and added to them. Not for a source that joins a running session.
  public var hasOwnChannels = false

  public init(gain: Double = 1, pan: Double = 0, offset: TimePosition = .samples(0)) {
    self.gain = gain
    self.pan = pan
    self.offset = offset
  }

  var leavesSamples: Bool { gain == 1 && pan == 0 }

  /// Returns the factor of each channel; nil if all are 1.
  ///
  /// - Throws: `invalidParameter` for a gain that is not finite, for a pan outside −1…1, and for a pan in a sum that is
  ///   not stereo.
  func channelGains(_ format: StreamFormat) throws(AudioError) -> [Double]? {
    try AudioError.require(
      gain.isFinite, "gain", "\(gain)", because: "it must be a finite factor")
    try AudioError.require(
      (-1...1).contains(pan), "pan", "\(pan)", because: "it must be -1 to 1")
    try AudioError.require(
      pan == 0 || format.channelCount == 2, "pan", "\(pan)",
      because: "pan needs two channels and the mix has \(format.channelCount)",
      advice: "mix to two channels")
    if leavesSamples { return nil }
    if pan == 0 { return Array(repeating: gain, count: format.channelCount) }
    return [gain * min(1, 1 - pan), gain * min(1, 1 + pan)]
  }
}
