// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A session for other threads: changes its sources, observers and levels while it runs.
///
/// Every member may be used on any thread, also inside a callback. No member waits for the session, which acts between
/// two blocks. ``Session/onEvent`` reports requests that fail only then.
///
/// ```swift
/// let live = session.live  // before the run; for other threads
/// try live.addRemote(microphone, id: anna)
/// try live.setGain(0.5, of: anna)
/// try live.remove(anna)
/// ```
public final class LiveSession: ObserverAsking {
  private struct State {
    var phase = Phase.made
    var tasks: [LiveTask] = []
    /// The ids of all sources that have not left.
    var taken: Set<SourceKey> = []
    var sources: [Participant] = []
    var observers: [RegisteredObserver] = []
    /// Whether sources may join a session without any.
    var isOpen = false
    /// The positions that streams pass; nil before that is settled.
    var positions: Set<ObservationPosition>?
    /// The format of the sums; nil before that is settled, and without a sum.
    var sumFormat: StreamFormat?
    /// The error of the first observer that failed.
    var failure: AudioError?
    var eventTakers: [any SessionEventTaker] = []
  }

  private enum Phase {
    case made
    case running
    case ended
  }

  private let state = Mutex(State())
  private let hasTasks = Atomic(false)
  private let hasFailed = Atomic(false)
  private let control: SessionControl

  init(_ control: SessionControl) { self.control = control }

  deinit { endEvents() }

  /// Adds a source that passes before mixing and enters the sum at the session's present. A live source enters with its
  /// first sample, later by its ``SourceDescription/latency`` and the delay of observers.
  ///
  /// The id of a source that has left may be used again.
  ///
  /// - Parameters:
  ///   - source: for this session alone; handed over to its thread.
  ///   - id: a unique id in its group.
  ///   - group: the source's group; nil = none.
  ///   - entry: the source's gain, pan and offset in the sum.
  /// - Throws: `invalidParameter` if the id is taken; `lifeCycle` if the session has ended or sums nothing. A
  ///   ``SessionEvent/left(_:reason:)`` carries the errors of the source's `initialize` and `start`.
  public func addRemote(
    _ source: sending any AudioSource, id: SourceID, group: SourceID? = nil,
    entry: MixEntry = MixEntry()
  ) throws(AudioError) {
    try add(SourceEntry(source: source, key: SourceKey(id, in: group), mixing: entry))
  }

  /// Adds a source that all participants share, such as music; otherwise like a remote one.
  ///
  /// - Throws: the errors of ``addRemote(_:id:group:entry:)``.
  public func addShared(
    _ source: sending any AudioSource, id: SourceID = .shared, group: SourceID? = nil,
    entry: MixEntry = MixEntry()
  ) throws(AudioError) {
    try add(
      SourceEntry(source: source, key: SourceKey(id, in: group), isShared: true, mixing: entry))
  }

  func add(_ entry: SourceEntry) throws(AudioError) {
    try requireNotEnded("add source", entry.key.description)
    guard passes(.playback) else {
      throw Self.nothingIsSummed("add source", entry.key.description)
    }
    guard entry.key != .local, state.withLock({ $0.taken.insert(entry.key).inserted }) else {
      throw AudioError(
        .invalidParameter, cannot: "add source", entry.key.description, because: "the id is taken")
    }
    perform(.join(entry))
  }

  /// Removes a source. The samples that the session has taken are still heard.
  ///
  /// - Parameters:
  ///   - id: the id of the source.
  ///   - draining: whether the samples that a live source holds are heard too before it leaves, such as those sent
  ///     ahead into a ``PushSource``. It is stopped at once, so sending more is an error. Without effect on a source
  ///     that is not live, such as a file.
  /// - Throws: `invalidParameter` if the id is unknown; `lifeCycle` if the session has ended.
  public func remove(_ id: SourceKey, draining: Bool = false) throws(AudioError) {
    try require(id, to: "remove source")
    perform(.remove(id, draining: draining))
  }

  /// Sets the factor of a source; the change takes 10 ms of sound at most. It applies in front of all observers for the
  /// local source, and on the way into the sum for any other, to the samples that the session reads from now on. A program
  /// that sends ahead is read its latency and 40 ms ahead of an open session.
  ///
  /// - Throws: `invalidParameter` if the source is unknown or the gain is not finite; `lifeCycle` if the session has
  ///   ended.
  public func setGain(_ gain: Double, of id: SourceKey) throws(AudioError) {
    try AudioError.require(
      gain.isFinite, "gain", "\(gain)", because: "it must be a finite factor")
    try require(id, to: "set the gain of")
    perform(.setGain(gain, id))
  }

  /// Mutes a source, or unmutes it. Otherwise like ``setGain(_:of:)``.
  ///
  /// A ``MutedSource`` is told: a ``PushSource`` stops, so sending to it is an error until it starts again. Any other
  /// source goes on unheard. ``SessionEvent/muted(_:)`` and ``SessionEvent/unmuted(_:)`` report the changes.
  ///
  /// - Parameters:
  ///   - isMuted: whether the source is muted from now on.
  ///   - everywhere: whether silence also takes the source's place for observers before mixing: in its frames, its tracks
  ///     and its transcripts. Otherwise only the sum is without it; of the local source everything is, in both cases.
  ///   - id: the source.
  public func setMuted(
    _ isMuted: Bool, everywhere: Bool = false, of id: SourceKey
  ) throws(AudioError) {
    try require(id, to: "mute")
    perform(.setMuted(Mute(isMuted: isMuted, isEverywhere: isMuted && everywhere), id))
  }

  /// Registers an observer, behind all earlier ones. Its first frame begins with the next sample of each stream. If it
  /// edits in another format, the stream is converted back behind it.
  ///
  /// An error of its `begin` ends the session. So does an error in its parameters, which the registration keeps
  /// (``ObserverRegistration/rejection``).
  ///
  /// - Parameters:
  ///   - observer: called on the session thread; handed over to it.
  ///   - source: the only source to observe at record and before mixing; nil = all, including later ones.
  /// - Throws: `lifeCycle` if the session has ended; `invalidParameter` if the observer lacks a callback for one of its
  ///   positions, if the session has no stream for it, or if it asks for a mixed or shared stream that was not made
  ///   at the session's start.
  @discardableResult
  public func register(
    _ observer: sending any AudioObserver, from source: SourceKey? = nil
  ) throws(AudioError) -> ObserverRegistration {
    try register(RegisteredObserver(observer, source: source, in: self))
  }

  /// Registers an observer of mixed without one source, as ``Session/register(_:mixedExcept:)`` does. Its first frame
  /// begins with the next sample of that sum.
  ///
  /// - Parameters:
  ///   - observer: called on the session thread at mixed; handed over to it.
  ///   - source: the source to leave out. It may join and leave at any time.
  /// - Throws: the errors of ``register(_:from:)``.
  @discardableResult
  public func register(
    _ observer: sending any AudioObserver, mixedExcept source: SourceKey
  ) throws(AudioError) -> ObserverRegistration {
    try register(RegisteredObserver(observer, mixedExcept: source, in: self))
  }

  func register(_ observer: RegisteredObserver) throws(AudioError) -> ObserverRegistration {
    try observer.requireCallbacks()
    try requireStreams(for: observer)
    try requireNotEnded("register the observer", observer.typeName)
    let earlier = state.withLock { state -> RegisteredObserver? in
      state.observers.removeAll { !$0.hold.isActive }
      guard let place = state.observers.firstIndex(where: { $0.isReplaced(by: observer) }) else {
        state.observers.append(observer)
        return nil
      }
      state.observers[place].source = observer.source
      state.observers[place].except = observer.except
      return state.observers[place]
    }
    perform(earlier.map { .refresh($0) } ?? .register(observer))
    return earlier?.registration ?? observer.registration
  }

  /// Reports events to a taker from the next one on. Any thread.
  package func add(_ taker: any SessionEventTaker) {
    let isOver = state.withLock { state in
      if state.phase != .ended { state.eventTakers.append(taker) }
      return state.phase == .ended
    }
    if isOver { taker.endOfEvents() }
  }

  /// Stops reporting events to a taker. Any thread.
  package func remove(_ taker: any SessionEventTaker) {
    state.withLock { $0.eventTakers.removeAll { $0 === taker } }
  }

  /// Reports an event to all takers. Session thread.
  func tell(_ event: SessionEvent) {
    // Outside the lock, since a taker may call the session.
    for taker in state.withLock({ $0.eventTakers }) { taker.take(event) }
  }

  private func endEvents() {
    for taker in state.withLock({ $0.eventTakers.takeAll() }) { taker.endOfEvents() }
  }

  /// Asks an observer again for its answers, on the session thread.
  func refresh(_ hold: ObserverHold) {
    let observer = state.withLock { state in
      state.phase == .running ? state.observers.first { $0.hold === hold } : nil
    }
    if let observer { perform(.refresh(observer)) }
  }

  func fail(_ error: AudioError) {
    state.withLock { state in
      if state.phase == .running { state.failure = state.failure ?? error }
    }
    hasFailed.store(true, ordering: .releasing)
    control.wakeup.signal()
  }

  /// The error of the first observer that failed; nil if none did.
  var failure: AudioError? {
    hasFailed.load(ordering: .acquiring) ? state.withLock { $0.failure } : nil
  }

  /// - Throws: `invalidParameter` if the session has no stream for `observer`; never before the session is settled.
  func requireStreams(for observer: RegisteredObserver) throws(AudioError) {
    let (positions, sources, isOpen) = state.withLock { ($0.positions, $0.taken, $0.isOpen) }
    guard let positions else { return }
    for line in RoutingRow.all where line.isOnDemand {
      let position = line.position
      if positions.contains(position) || !observer.needsSum(at: position) { continue }
      throw AudioError(
        .invalidParameter, cannot: "observe", position.rawValue,
        because: "the session does not make it: it was not requested at the start",
        advice: line.leadsNowhere
          ? "register before the run"
          : "register before the run, or set a \(position.rawValue) sink")
    }
    try observer.requireStreams(sums: positions, sources: sources, mayJoin: isOpen)
  }

  /// The sources of the running session, the local one first; at most a tenth of a second old.
  public var sources: [Participant] { state.withLock { $0.sources } }

  // MARK: The session's side

  /// Records that the session has a local source.
  func expectLocal() { state.withLock { _ = $0.taken.insert(.local) } }

  /// Whether streams may pass a position: false if known to have none.
  package func passes(_ position: ObservationPosition) -> Bool {
    state.withLock { state in
      let line = position.line
      return switch line.origin {
      case .localSource: state.taken.contains(.local)
      case .incomingSources: state.positions?.contains(line.sum ?? position) ?? true
      case .sum, .sumOnDemand, .sharedPart: state.positions?.contains(position) ?? true
      }
    }
  }

  package static func nothingIsSummed(_ action: String, _ subject: String) -> AudioError {
    AudioError(
      .lifeCycle, cannot: action, subject, because: "the session sums nothing",
      advice: "open the session, or add a remote source before it runs")
  }

  func begin(_ keys: [SourceKey], _ observers: [RegisteredObserver], isOpen: Bool) {
    state.withLock { state in
      state.phase = .running
      state.taken.formUnion(keys)
      state.observers = observers
      state.isOpen = isOpen
    }
  }

  var observers: [RegisteredObserver] { state.withLock { $0.observers } }

  /// Records the positions that streams pass, and the format of the sums.
  func settle(positions: Set<ObservationPosition>, sumFormat: StreamFormat?) {
    state.withLock { state in
      state.positions = positions
      state.sumFormat = sumFormat
    }
  }

  /// The format of the sums; nil before it is settled, and without a sum.
  package var sumFormat: StreamFormat? { state.withLock { $0.sumFormat } }

  /// Ends all requests, and drops those that are still pending.
  func end() {
    state.withLock { state in
      state.phase = .ended
      state.tasks = []
      state.sources = []
      state.observers = []
    }
    endEvents()
  }

  /// Whether the session runs: from the call of `Session.run()` to its end.
  public var isRunning: Bool { state.withLock { $0.phase == .running } }

  /// Asks the session to take no more input, deliver the input so far and complete every file.
  public func finish() { control.requestStop(.finish) }

  /// Asks the session to drop everything and remove incomplete files.
  public func abandon() { control.requestStop(.abandon) }

  /// Takes the pending tasks, in the order of the requests.
  func takeTasks() -> [LiveTask] {
    guard hasTasks.exchange(false, ordering: .acquiring) else { return [] }
    return state.withLock { LiveTasks(tasks: $0.tasks.takeAll()) }.tasks
  }

  /// Whether a source of that key is present or joining. Any thread.
  func isTaken(_ key: SourceKey) -> Bool {
    key == .local || state.withLock { $0.taken.contains(key) }
  }

  func release(_ id: SourceKey) { _ = state.withLock { $0.taken.remove(id) } }

  func tell(_ sources: [Participant]) { state.withLock { $0.sources = sources } }

  private func perform(_ task: LiveTask) {
    let tasks = LiveTasks(tasks: [task])
    state.withLock { $0.tasks += tasks.tasks }
    hasTasks.store(true, ordering: .releasing)
    control.wakeup.signal()
  }

  private func require(_ id: SourceKey, to action: String) throws(AudioError) {
    try requireNotEnded(action, id.description)
    guard state.withLock({ $0.taken.contains(id) }) else {
      throw AudioError(
        .invalidParameter, cannot: action, id.description, because: "there is no such source")
    }
  }

  private func requireNotEnded(_ action: String, _ subject: String) throws(AudioError) {
    guard state.withLock({ $0.phase == .ended }) else { return }
    throw AudioError(
      .lifeCycle, cannot: action, subject, because: "the session has ended")
  }
}
