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
/// Configure it, register observers, then run it once; that returns when every sink has ended. A session
/// belongs to one thread, on which sources, sinks and observers are called: the caller's of `run()`, or one of its
/// own for `await run()`. Others may use ``control``, ``live`` and the ``ObserverRegistration``s: with ``live`` sources join
/// and leave while the session runs, observers come and go, and gains change.
public final class Session {
  var local: SourceEntry?
  /// Remote and shared sources, in the order of adding.
  var incoming: [SourceEntry] = []
  var sinks: [SinkPlace: SinkMaker] = [:]
  var observers: [RegisteredObserver] = []
  var parameters: [ObservationPosition: FrameParameters] = [:]
  /// Told apart from the machine's own only by tests.
  package var time: any SessionTime = MachineTime()
  private var remoteCount = 0
  private var hasRun = false

  /// The sample rate of the sum, in hertz; nil = the live playback sink's, else the sources' highest.
  /// Sources that take whatever is proposed, such as generators, run at it too.
  public var mixSampleRate: Int?
  /// The channel count of the sum; nil = the live playback sink's, else the sources' largest.
  public var mixChannelCount: Int?
  /// Where the sum ends, counted in its own samples; nil = with its last source.
  public var mixDuration: TimePosition?
  /// When the session ends by itself.
  public var end = SessionEnd.withSources
  /// The quality of every rate conversion.
  public var resamplerQuality = ResamplerQuality.high
  /// Where the coefficients of rate conversions are kept: one for several sessions saves each of them up to
  /// some milliseconds.
  public var resamplerFilterCache = ResamplerFilterCache()
  /// The other threads on which an offline session may compute, for sessions that share processors while they run. The
  /// result does not depend on it.
  package var workers = WorkerAllowance(isGranted: true)
  /// Ends the session from outside.
  public let control: SessionControl
  /// Called once on the session thread, when everything is settled and before the first sample moves.
  public var onStart: ((SessionSummary) -> Void)?
  /// Called on the session thread when a source joins or leaves while the session runs, and when one had nothing.
  public var onEvent: ((SessionEvent) -> Void)?
  /// The session for other threads: who joins, leaves and watches it while it runs.
  public let live: LiveSession
  /// Called on the session thread after every step.
  public var onProgress: ((SessionProgress) -> Void)?

  public init(control: SessionControl = SessionControl()) {
    self.control = control
    live = LiveSession(control.wakeup)
  }

  /// Sets the source that passes `record`.
  ///
  /// - Parameters:
  ///   - source: for this session alone.
  ///   - gain: a factor, finite, by which it is multiplied before anybody observes it.
  /// - Throws: `lifeCycle` after `run()`.
  public func setLocal(_ source: any AudioSource, gain: Double = 1) throws(AudioError) {
    try requireNotRun("set the local source")
    local = SourceEntry(source: source, key: .local, mixing: MixEntry(gain: gain))
    live.expectLocal()
  }

  /// Adds a source that passes `before mixing` and enters the sum.
  ///
  /// - Parameters:
  ///   - source: for this session alone.
  ///   - id: its name, which no other source of the group has; nil = its place among the remote sources, from 1,
  ///     or the next number that is free.
  ///   - group: the group it belongs to; nil = none.
  ///   - entry: its gain, pan and offset in the sum.
  /// - Throws: `invalidParameter` where the id is taken; `lifeCycle` where the session has ended. While it runs
  ///   the source joins, as with ``LiveSession/addRemote(_:id:group:entry:)``.
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

  /// Adds a source that everybody in the session shares, such as music; otherwise as a remote one.
  ///
  /// - Throws: `invalidParameter` where the id is taken; `lifeCycle` where the session has ended.
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
  public func setSink(_ place: SinkPlace, _ sink: any AudioSink) throws(AudioError) {
    try setSink(place) { _ in sink }
  }

  /// Sets how the sink of `place` is made, once the session knows what the sink will get.
  ///
  /// - Throws: `lifeCycle` after `run()`.
  public func setSink(
    _ place: SinkPlace, making maker: @escaping SinkMaker
  ) throws(AudioError) {
    try requireNotRun("set sink", place.rawValue)
    sinks[place] = maker
  }

  /// Sets the parameters of every observer at `position`. What they leave unset, such as the mode, stays the
  /// observer's own. They do not apply to a ``VirtualSpeaker``, which has a format.
  ///
  /// - Throws: `lifeCycle` after `run()`.
  public func setParameters(
    _ parameters: FrameParameters, at position: ObservationPosition
  ) throws(AudioError) {
    try requireNotRun("set the observers' parameters at", position.rawValue)
    self.parameters[position] = parameters
  }

  /// Registers an observer, after those that are registered already.
  ///
  /// An observer that is registered already for the same source, or for all, is not called twice: the second
  /// registration replaces the first in its place, and gives the same handle. To be called twice takes two objects.
  ///
  /// - Parameters:
  ///   - observer: called on the session thread.
  ///   - source: the only source to observe at record and before mixing; nil = all. Playback, mixed and shared are
  ///     sums, and observed whole.
  /// - Throws: `lifeCycle` where the session has ended. While it runs, as ``LiveSession/register(_:from:)``; before that
  ///   an observer for which there is no stream is an error of `run()`, for its source may still be added.
  @discardableResult
  public func register(
    _ observer: any AudioObserver, from source: SourceKey? = nil
  ) throws(AudioError) -> ObserverRegistration {
    let registered = RegisteredObserver(observer, source: source, in: live)
    if live.isRunning { return try live.register(registered) }
    try requireNotRun("register an observer")
    if let place = observers.firstIndex(where: { $0.isReplaced(by: registered) }) {
      observers[place].source = source
      return observers[place].registration
    }
    observers.append(registered)
    return registered.registration
  }

  /// Tells of what happens while it runs. Session thread.
  func tell(_ event: SessionEvent) {
    onEvent?(event)
    live.tell(event)
  }

  /// What is added once the session runs would never be heard.
  private func requireNotRun(_ action: String, _ subject: String = "") throws(AudioError) {
    guard hasRun else { return }
    throw AudioError(
      .lifeCycle, cannot: action, subject, because: "the session has been run already",
      advice: "do it before the run")
  }

  /// Runs the session, once: to its end, or until ``control`` ends it.
  ///
  /// - Throws: the first error of a source, a sink, an observer or the configuration; every source and sink is
  ///   stopped and disposed of then, and incomplete files are removed. `lifeCycle` when called again.
  public func run() throws(AudioError) -> SessionReport {
    guard !hasRun else {
      throw AudioError(
        .lifeCycle, cannot: "run the session", "", because: "it has run already",
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
      return try run.run()
    } catch {
      run.abandon()
      // A source or a sink gave up waiting because the session was asked to end.
      if error.kind == .interrupted, control.request != .none {
        return SessionReport(
          outcome: control.request == .finish ? .stopped : .abandoned, sources: [], sinks: [])
      }
      throw error
    }
  }
}

/// A source as it was added to a session.
struct SourceEntry {
  let source: any AudioSource
  let key: SourceKey
  /// Whether everybody in the session shares it.
  var isShared = false
  let mixing: MixEntry
}
