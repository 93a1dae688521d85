// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A session as other threads see it: who joins and leaves it, who watches, and how loud.
///
/// Every member may be used on any thread, also inside a callback; nothing waits for the session, which
/// follows between two blocks. What cannot be done only then is told by ``Session/onEvent``.
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
    /// All that are registered with the running session.
    var observers: [RegisteredObserver] = []
    /// Whether sources may join though there is none.
    var isOpen = false
    /// Where streams pass; nil before that is settled.
    var positions: Set<ObservationPosition>?
    /// Of the sums; nil before that is settled, and where there is none.
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
  private let wakeup: Wakeup

  init(_ wakeup: Wakeup) { self.wakeup = wakeup }

  deinit { endEvents() }

  /// Adds a source that passes before mixing and enters the sum, from the session's present on: a live one with
  /// its first sample, later by its ``SourceDescription/latency`` and what observers hold back.
  ///
  /// An id whose source has left may join again.
  ///
  /// - Parameters:
  ///   - source: for this session alone; handed over to its thread.
  ///   - id: its name, which no other source of the group has.
  ///   - group: the group it belongs to; nil = none.
  ///   - entry: its gain, pan and offset in the sum.
  /// - Throws: `invalidParameter` where the id is taken; `lifeCycle` where the session has ended, and where it sums
  ///   nothing. What its `initialize` and `start` throw is told by a ``SessionEvent/left(_:reason:)``.
  public func addRemote(
    _ source: sending any AudioSource, id: SourceID, group: SourceID? = nil,
    entry: MixEntry = MixEntry()
  ) throws(AudioError) {
    try add(SourceEntry(source: source, key: SourceKey(id, in: group), mixing: entry))
  }

  /// The same for a source that everybody in the session shares, such as music.
  ///
  /// - Throws: as ``addRemote(_:id:group:entry:)``.
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

  /// Removes a source: what the session has taken of it is still heard.
  ///
  /// - Parameters:
  ///   - id: of the source.
  ///   - draining: whether what a live source holds already is heard too before it leaves, such as what a program has
  ///     sent ahead into its ``PushSource``. It is stopped at once: what the program sends from then on is an error. A
  ///     source that is not live, such as a file, leaves as without.
  /// - Throws: `invalidParameter` where there is none of that id; `lifeCycle` where the session has ended.
  public func remove(_ id: SourceKey, draining: Bool = false) throws(AudioError) {
    try require(id, to: "remove source")
    perform(.remove(id, draining: draining))
  }

  /// Sets the factor with which a source is heard, from the present on; it gets there within 10 ms of sound. That
  /// of the local source counts before anybody observes it, that of any other on entering the sum.
  ///
  /// - Throws: `invalidParameter` where there is no such source, and for a gain that is not finite; `lifeCycle`
  ///   where the session has ended.
  public func setGain(_ gain: Double, of id: SourceKey) throws(AudioError) {
    guard gain.isFinite else {
      throw AudioError(
        .invalidParameter, cannot: "use gain", "\(gain)", because: "it must be a finite factor")
    }
    try require(id, to: "set the gain of")
    perform(.setGain(gain, id))
  }

  /// Lets a source not be heard, or be heard again. Otherwise as ``setGain(_:of:)``.
  ///
  /// A ``MutedSource`` is told: a ``PushSource`` is stopped, what its program sends is an error
  /// meanwhile, and it is started again. Any other source goes on unheard. ``SessionEvent/muted(_:)`` and
  /// ``SessionEvent/unmuted(_:)`` tell of both.
  public func setMuted(_ isMuted: Bool, of id: SourceKey) throws(AudioError) {
    try require(id, to: "mute")
    perform(.setMuted(isMuted, id))
  }

  /// Registers an observer, behind those that are registered already: its first frame begins with the next
  /// sample of each stream. Where it edits in another format, the stream has its own again behind it.
  ///
  /// What its `begin` throws ends the session. So does an error in its parameters, which the registration keeps
  /// (``ObserverRegistration/rejection``).
  ///
  /// - Parameters:
  ///   - observer: called on the session thread; handed over to it.
  ///   - source: the only source to observe at record and before mixing; nil = all, also those that join later.
  /// - Throws: `lifeCycle` where the session has ended; `invalidParameter` where it has no callback for one of its
  ///   positions, if the session has no stream for it, and at mixed and shared where the session has not made these
  ///   from its start.
  @discardableResult
  public func register(
    _ observer: sending any AudioObserver, from source: SourceKey? = nil
  ) throws(AudioError) -> ObserverRegistration {
    try register(RegisteredObserver(observer, source: source, in: self))
  }

  func register(_ observer: RegisteredObserver) throws(AudioError) -> ObserverRegistration {
    try observer.requireCallbacks()
    try requireStreams(for: observer)
    try requireNotEnded("register an observer")
    let earlier = state.withLock { state -> RegisteredObserver? in
      state.observers.removeAll { !$0.hold.isActive }
      guard let place = state.observers.firstIndex(where: { $0.isReplaced(by: observer) }) else {
        state.observers.append(observer)
        return nil
      }
      state.observers[place].source = observer.source
      return state.observers[place]
    }
    perform(earlier.map { .refresh($0) } ?? .register(observer))
    return earlier?.registration ?? observer.registration
  }

  /// Tells a taker of events from the next one on. Any thread.
  package func add(_ taker: any SessionEventTaker) {
    let isOver = state.withLock { state in
      if state.phase != .ended { state.eventTakers.append(taker) }
      return state.phase == .ended
    }
    if isOver { taker.endOfEvents() }
  }

  /// Tells a taker of no more events. Any thread.
  package func remove(_ taker: any SessionEventTaker) {
    state.withLock { $0.eventTakers.removeAll { $0 === taker } }
  }

  /// Tells all takers of an event. Session thread.
  func tell(_ event: SessionEvent) {
    // Outside the lock: a taker may ask the session for something.
    for taker in state.withLock({ $0.eventTakers }) { taker.take(event) }
  }

  private func endEvents() {
    let takers = state.withLock { state in
      defer { state.eventTakers = [] }
      return state.eventTakers
    }
    for taker in takers { taker.endOfEvents() }
  }

  /// Asks an observer again, on the session thread.
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
    wakeup.signal()
  }

  /// The error of the first observer that failed; nil if none did.
  var failure: AudioError? {
    hasFailed.load(ordering: .acquiring) ? state.withLock { $0.failure } : nil
  }

  /// - Throws: `invalidParameter` if the session has no stream for `observer`; nothing before the session is settled.
  func requireStreams(for observer: RegisteredObserver) throws(AudioError) {
    let (positions, sources, isOpen) = state.withLock { ($0.positions, $0.taken, $0.isOpen) }
    guard let positions else { return }
    for position in [ObservationPosition.mixed, .shared]
    where !positions.contains(position) && observer.observes(position, of: nil) {
      throw AudioError(
        .invalidParameter, cannot: "observe", position.rawValue,
        because: "the session does not make it: nobody wanted it at the start",
        advice: position == .mixed
          ? "register before the run, or set a mixed sink" : "register before the run")
    }
    try observer.requireStreams(sums: positions, sources: sources, mayJoin: isOpen)
  }

  /// The sources of the running session, the local one first, as of a tenth of a second ago at most.
  public var sources: [Participant] { state.withLock { $0.sources } }

  // MARK: The session's side

  /// The session has a local source.
  func expectLocal() { state.withLock { _ = $0.taken.insert(.local) } }

  /// Whether streams may pass a position: false where it is known that none does.
  package func passes(_ position: ObservationPosition) -> Bool {
    state.withLock { state in
      switch position {
      case .record: state.taken.contains(.local)
      case .beforeMixing, .playback: state.positions?.contains(.playback) ?? true
      case .mixed, .shared: state.positions?.contains(position) ?? true
      }
    }
  }

  package static func nothingIsSummed(_ action: String, _ subject: String) -> AudioError {
    AudioError(
      .lifeCycle, cannot: action, subject, because: "the session sums nothing",
      advice: "open the session, or add a remote source before it runs")
  }

  /// Takes the sources and the observers that are there from the beginning.
  func begin(_ keys: [SourceKey], _ observers: [RegisteredObserver], isOpen: Bool) {
    state.withLock { state in
      state.phase = .running
      state.taken.formUnion(keys)
      state.observers = observers
      state.isOpen = isOpen
    }
  }

  /// Those that are registered.
  var observers: [RegisteredObserver] { state.withLock { $0.observers } }

  /// Tells where streams pass, and the format of the sums.
  func settle(positions: Set<ObservationPosition>, sumFormat: StreamFormat?) {
    state.withLock { state in
      state.positions = positions
      state.sumFormat = sumFormat
    }
  }

  /// The format of the sums; nil before it is settled, and where there is none.
  package var sumFormat: StreamFormat? { state.withLock { $0.sumFormat } }

  /// Nothing can be asked for any more. What was asked for and not done is let go.
  func end() {
    state.withLock { state in
      state.phase = .ended
      state.tasks = []
      state.sources = []
      state.observers = []
    }
    endEvents()
  }

  /// Whether the session runs.
  var isRunning: Bool { state.withLock { $0.phase == .running } }

  /// What is to be done, in the order of asking.
  func takeTasks() -> [LiveTask] {
    guard hasTasks.exchange(false, ordering: .acquiring) else { return [] }
    return state.withLock { state in
      defer { state.tasks = [] }
      return LiveTasks(state.tasks)
    }.tasks
  }

  /// Whether a source of that key is there or about to be. Any thread.
  func isTaken(_ key: SourceKey) -> Bool {
    key == .local || state.withLock { $0.taken.contains(key) }
  }

  /// Lets an id be taken again.
  func release(_ id: SourceKey) { _ = state.withLock { $0.taken.remove(id) } }

  func tell(_ sources: [Participant]) { state.withLock { $0.sources = sources } }

  private func perform(_ task: LiveTask) {
    let tasks = LiveTasks([task])
    state.withLock { $0.tasks += tasks.tasks }
    hasTasks.store(true, ordering: .releasing)
    wakeup.signal()
  }

  private func require(_ id: SourceKey, to action: String) throws(AudioError) {
    try requireNotEnded(action, id.description)
    guard state.withLock({ $0.taken.contains(id) }) else {
      throw AudioError(
        .invalidParameter, cannot: action, id.description, because: "there is no such source")
    }
  }

  private func requireNotEnded(_ action: String, _ subject: String = "") throws(AudioError) {
    guard state.withLock({ $0.phase == .ended }) else { return }
    throw AudioError(
      .lifeCycle, cannot: action, subject, because: "the session has ended")
  }
}

/// What a running session is asked to do.
enum LiveTask {
  case join(SourceEntry)
  case remove(SourceKey, draining: Bool)
  case setGain(Double, SourceKey)
  case setMuted(Bool, SourceKey)
  case register(RegisteredObserver)
  case refresh(RegisteredObserver)
}

/// Tasks on their way to the session thread: whoever asked has handed over what they hold.
private struct LiveTasks: @unchecked Sendable {
  let tasks: [LiveTask]

  init(_ tasks: [LiveTask]) { self.tasks = tasks }
}
