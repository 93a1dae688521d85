// SPDX-License-Identifier: Apache-2.0
/// The sources of a running session: lets them join and leave, and performs the tasks of other threads.
///
/// A live source that joins is heard with its first sample, later by its latency and the delay of observers; its stream
/// begins only then. Any other source is heard at once. Session thread only.
final class Participation<Sample: AudioSample> {
  let session: Session
  let plan: SessionPlan
  let graph: SessionGraph<Sample>
  private let isOpen: Bool
  private var openings: [Opening] = []
  private var arrivals: [Arrival<Sample>] = []
  private var present: [LiveParticipant<Sample>] = []
  private(set) var departed: [SessionReport.Source] = []
  /// The observers of sources that have left whose end takes long.
  var ending: [any ObservingStage<Sample>] = []
  var observers: [RegisteredObserver]
  private var hadParticipant = false
  private var isClosed = false
  private var told = MonotonicTime(nanoseconds: 0)
  var live: LiveSession { session.live }

  init(_ session: Session, _ plan: SessionPlan, _ graph: SessionGraph<Sample>) {
    self.session = session
    self.plan = plan
    self.graph = graph
    isOpen = plan.isOpen
    observers = session.observers
    present = graph.streams.compactMap { stream in
      stream.route.origin.source.map {
        let start = stream.route.takers.first?.offset ?? 0
        return LiveParticipant(stream, $0, Participant($0, start: start), hasJoined: false)
      }
    }
    hadParticipant = present.contains { $0.id != .local }
  }

  /// Whether all sources except the local one have left.
  var isDeserted: Bool {
    hadParticipant && !isAwaiting && !present.contains { $0.id != .local }
  }

  /// Whether a source is joining.
  var isAwaiting: Bool { !arrivals.isEmpty || !openings.isEmpty }

  /// Performs the tasks, admits sources that have samples, and removes sources that have ended.
  ///
  /// - Returns: whether anything changed.
  func run(at now: MonotonicTime) throws(AudioError) -> Bool {
    var hasChanged = false
    for task in live.takeTasks() {
      try perform(task, at: now)
      hasChanged = true
    }
    hasChanged = try finishOpenings(at: now) || hasChanged
    for arrival in arrivals { hasChanged = try admit(arrival, at: now) || hasChanged }
    arrivals.removeAll { $0.isOver }
    for participant in present {
      try participant.fillMute(at: now)
      tellGaps(participant)
      guard participant.mayLeave(isOpen: isOpen), participant.stream.isOver else { continue }
      try leave(participant)
      hasChanged = true
    }
    try collectEnded()
    if hasChanged || now.nanoseconds(since: told) >= 100_000_000 {
      told = now
      for stream in graph.streams where try stream.observers.sweep() { hasChanged = true }
      graph.removeUnheardSums()
      if hasChanged { graph.settleWaits() }
      live.tell(present.map(\.status))
    }
    return hasChanged
  }

  /// Closes the session to new sources.
  func close() {
    isClosed = true
    for opening in openings { opening.entry.source.dispose() }
    openings = []
    for arrival in arrivals { arrival.life.dispose() }
    arrivals = []
  }

  /// Removes all sources at the end; ``ending`` holds the observers whose end takes long.
  func dismiss() throws(AudioError) {
    for participant in present {
      tellGaps(participant)
      if participant.mayLeave(isOpen: isOpen) { try leave(participant) }
    }
  }

  /// Releases all sources and observers.
  func dispose() {
    close()
    for participant in present { participant.life.dispose() }
    for observer in observers { observer.hold.letGo() }
  }

  /// Returns the initial sources in the order of adding, then those that joined.
  func inOrder(_ sources: [SessionReport.Source]) -> [SessionReport.Source] {
    var rest = sources
    let first = plan.sources.compactMap { life in
      rest.firstIndex { $0.key == life.entry.key }.map { rest.remove(at: $0) }
    }
    return first + rest
  }

  // MARK: Tasks

  private func perform(_ task: LiveTask, at now: MonotonicTime) throws(AudioError) {
    if let key = task.key, let index = openings.firstIndex(where: { $0.entry.key == key }) {
      guard case .remove = task else { return openings[index].tasks.append(task) }
      let entry = openings.remove(at: index).entry
      entry.source.dispose()
      return tellLeft(entry, nil)
    }
    switch task {
    case .join(let entry): open(entry)
    case .remove(let id, let draining): try remove(id, draining: draining, at: now)
    case .setGain(let gain, let id): try change(id) { $0.gain = gain }
    case .setMuted(let mute, let id): try set(mute, of: id)
    case .register(let observer): try register(observer)
    case .refresh(let observer): try refresh(observer)
    }
  }

  private func remove(_ id: SourceKey, draining: Bool, at now: MonotonicTime) throws(AudioError) {
    for arrival in arrivals where arrival.life.entry.key == id {
      if draining, try admit(arrival, at: now) { continue }  // Samples came before the request.
      refuse(arrival, nil)
    }
    arrivals.removeAll { $0.isOver }
    for sourceReader in present.filter({ $0.id == id }).compactMap(\.stream.sourceReader) {
      if draining, sourceReader.isLive {
        sourceReader.finishEarly()
      } else {
        try sourceReader.cut()
      }
    }
  }

  private func change(_ id: SourceKey, _ edit: (inout Participant) -> Void) throws(AudioError) {
    for arrival in arrivals where arrival.life.entry.key == id { edit(&arrival.status) }
    for participant in present where participant.id == id {
      edit(&participant.status)
      try participant.applyGain()
    }
  }

  private func set(_ mute: Mute, of key: SourceKey) throws(AudioError) {
    for arrival in arrivals where arrival.life.entry.key == key && arrival.status.mute != mute {
      let isOther = arrival.status.isMuted != mute.isMuted
      arrival.status.mute = mute
      do throws(AudioError) {
        if isOther { _ = try arrival.life.setMuted(mute.isMuted) }
      } catch {
        refuse(arrival, error)
        continue
      }
      session.tell(mute.isMuted ? .muted(arrival.status) : .unmuted(arrival.status))
    }
    arrivals.removeAll { $0.isOver }
    for participant in present where participant.id == key && participant.status.mute != mute {
      try participant.set(mute, at: session.time.now)
      session.tell(mute.isMuted ? .muted(participant.status) : .unmuted(participant.status))
    }
  }

  // MARK: Coming and going

  /// Lets a source join, at once or when it no longer waits for others.
  private func open(_ entry: SourceEntry) {
    guard let source = entry.source.opening, !isClosed else { return join(entry) }
    do throws(AudioError) {
      let claim = try EndpointClaim(entry)
      source.beginOpening(session.control.wakeup)
      openings.append(Opening(entry: entry, source: source, claim: claim))
    } catch {
      tellLeft(entry, error)
    }
  }

  /// - Returns: whether anything changed.
  private func finishOpenings(at now: MonotonicTime) throws(AudioError) -> Bool {
    let finished = openings.filter { !$0.source.isOpening }
    openings.removeAll { opening in finished.contains { $0.source === opening.source } }
    for opening in finished {
      join(opening.entry, opening.claim)
      for task in opening.tasks { try perform(task, at: now) }
    }
    return !finished.isEmpty
  }

  private func join(_ entry: SourceEntry, _ claim: EndpointClaim? = nil) {
    do throws(AudioError) {
      guard let mixer = graph.mixer(.playback), !mixer.output.isEnded, !isClosed else {
        entry.source.opening?.dispose()
        guard graph.mixer(.playback) != nil else {
          throw LiveSession.nothingIsSummed("add source", entry.key.description)
        }
        throw AudioError(
          .lifeCycle, cannot: "add source", entry.key.description,
          because: "the session is about to end")
      }
      let life = try SourceLife(
        entry, claim, proposing: plan.sumFormat, wakeup: session.control.wakeup)
      do {
        try life.start()
      } catch {
        life.dispose()
        throw error
      }
      arrivals.append(Arrival(life))
      hadParticipant = true
    } catch {
      tellLeft(entry, error)
    }
  }

  /// Tells that a source has left which never gave its own format.
  private func tellLeft(_ entry: SourceEntry, _ reason: AudioError?) {
    live.release(entry.key)
    let format = plan.sumFormat ?? plan.sources.first?.description.format
    guard let format else { return }
    session.tell(
      .left(
        Participant(key: entry.key, isShared: entry.isShared, format: format, start: 0),
        reason: reason))
  }

  private func refuse(_ arrival: Arrival<Sample>, _ reason: AudioError?) {
    arrival.isOver = true
    arrival.life.dispose()
    live.release(arrival.life.entry.key)
    session.tell(.left(arrival.status, reason: reason))
  }

  private func admit(_ arrival: Arrival<Sample>, at now: MonotonicTime) throws(AudioError) -> Bool {
    let life = arrival.life
    do throws(AudioError) {
      switch try arrival.read() {
      case .pending: return false
      case .ended where arrival.first.input.isEmpty:
        refuse(arrival, nil)
        return true
      case .ready, .ended: break
      }
    } catch {
      refuse(arrival, error)
      return true
    }
    arrival.isOver = true
    guard let mixer = graph.mixer(.playback) else { return true }
    var route: SessionPlan.Route
    do throws(AudioError) {
      route = try planner(of: observers.filter { $0.hold.isActive })
        .route(joining: life, to: plan)
    } catch {
      refuse(arrival, error)
      return true
    }
    let rate = mixer.format.sampleRate
    let isLive = life.description.isLive
    let delay = isLive ? life.description.latency.samples(at: rate) : 0
    let onTheWay = plan.delay(of: route, to: route.takers[0], session.resamplerQuality)
    let heldBack = isLive ? onTheWay.samples(at: rate) : 0
    let start = session(at: now, mixer) + delay + heldBack + route.takers[0].offset
    route.takers[0].offset = start
    route.start = (start, rate)
    if let end = mixer.end {
      let length = ResamplingRatio(from: rate, to: life.description.format.sampleRate)
        .outputLength(of: max(0, end - start))
      route.extent = SessionPlan.Extent(shown: length, read: length)
    }
    guard let stream = try graph.add(route) else { return true }
    arrival.status.start = start
    stream.sourceReader?.mayFail = true
    stream.sourceReader?.isSilenced = arrival.status.isMutedEverywhere
    let participant = LiveParticipant(stream, life, arrival.status, hasJoined: true)
    present.append(participant)
    try participant.applyGain()
    try stream.observers.begin()
    session.tell(.joined(participant.status))
    try stream.sourceReader?.adopt(arrival.first.input)
    return true
  }

  func planner(of observers: [RegisteredObserver]) -> SessionPlanner {
    SessionPlanner(
      session: session, local: nil, incoming: [], sinks: [], observers: observers)
  }

  /// Returns the position of the sum in the session's time.
  private func session(at now: MonotonicTime, _ mixer: Mixer<Sample>) -> Int64 {
    guard isOpen, let pace = graph.sums.first(where: { $0.mixer === mixer }) else {
      return mixer.position
    }
    return pace.present(at: now)
  }

  /// Continues the ends that take long.
  ///
  /// - Throws: the first failure of the finished ends.
  func collectEnded() throws(AudioError) {
    if ending.isEmpty { return }
    var failure: AudioError?
    ending.removeAll { stage in
      guard stage.advanceEnd() else { return false }
      do throws(AudioError) {
        try stage.end(.finished)
      } catch {
        failure = failure ?? error
      }
      return true
    }
    if let failure { throw failure }
  }

  private func leave(_ participant: LiveParticipant<Sample>) throws(AudioError) {
    // The session does not wait for a joined program to end.
    ending += participant.stream.observers.takeSlow(.finished)
    try participant.stream.observers.end(.finished)
    let status = participant.status
    let failure = participant.stream.sourceReader?.failure
    account(participant)
    participant.life.dispose()
    graph.remove(participant.stream)
    present.removeAll { $0 === participant }
    live.release(participant.id)
    session.tell(.left(status, reason: failure))
  }

  private func account(_ participant: LiveParticipant<Sample>) {
    guard let source = participant.stream.sourceReader?.account else { return }
    let before = departed.firstIndex { $0.key == source.key && $0.format == source.format }
    guard let before else { return departed.append(source) }
    departed[before].samplesPerChannel += source.samplesPerChannel
    departed[before].missingSamplesPerChannel += source.missingSamplesPerChannel
  }

  private func tellGaps(_ participant: LiveParticipant<Sample>) {
    guard let sourceReader = participant.stream.sourceReader else { return }
    for gap in sourceReader.takeGaps() {
      session.tell(
        .gap(
          participant.id,
          .init(
            position: gap.lowerBound + participant.startOfSource,
            samplesPerChannel: Int64(gap.count), sampleRate: sourceReader.format.sampleRate)))
    }
  }
}
