/// One run of a session: opens everything, settles formats and precision, runs the engine, closes
/// everything.
///
/// The order is sources, sinks, precision, observers, formats: each needs those before it.
final class SessionRun {
  let session: Session
  /// Every source that was initialised, in that order.
  private var opened: [SourceLife] = []
  private var local: SourceLife?
  private(set) var incoming: [SourceLife] = []
  private(set) var sinks: [SinkLife] = []

  init(_ session: Session) {
    self.session = session
  }

  var sources: [SourceLife] { (local.map { [$0] } ?? []) + incoming }

  private var isLive: Bool { sources.contains { $0.description.isLive } }

  func run() throws(AudioError) -> SessionReport {
    try openSources()
    try makeSinks()
    let precision = precision
    let observers = session.observers.filter { $0.registration.isActive }.map { entry in
      SessionObserver(
        observer: entry.maker(precision), registration: entry.registration, source: entry.source)
    }
    let plan = try settle(observers)
    session.onStart?(summary(plan, precision))
    if session.control.request == .abandon {
      // Before any observer is told of a stream.
      throw AudioError(
        .interrupted, cannot: "run the session", "", because: "it was asked to abandon its work")
    }
    return switch precision {
    case .single: try Engine<Float>(plan, session).run()
    case .double: try Engine<Double>(plan, session).run()
    }
  }

  /// After a failure: a live recording keeps what it has; one that has nothing, and everything else,
  /// leaves nothing behind.
  func abandon() {
    for source in opened { source.stop() }
    for life in sinks {
      // The first error is the one to tell; a sink that cannot complete its file cannot add to it.
      let isRecording = isLive && !life.sink.pace.isLive && life.hasSamples
      try? life.stop(isRecording ? .finished : .abandoned)
    }
  }

  func dispose() {
    for source in opened { source.dispose() }
    for sink in sinks { sink.dispose() }
  }

  /// Sources with a format of their own come first; the others follow them.
  private func openSources() throws(AudioError) {
    let entries = (session.local.map { [$0] } ?? []) + session.incoming
    if entries.isEmpty {
      throw AudioError(
        .invalidParameter, cannot: "run the session", "", because: "it has no source")
    }
    var lives: [SourceID: SourceLife] = [:]
    func open(_ entry: SourceEntry, _ proposal: StreamFormat?) throws(AudioError) {
      let life = try SourceLife(entry, proposing: proposal, wakeup: session.control.wakeup)
      lives[entry.id] = life
      opened.append(life)
    }
    for entry in entries where !entry.source.takesProposedFormat { try open(entry, nil) }
    let highest = opened.map { $0.description.format.sampleRate }.max()
    let rate = session.mixSampleRate ?? highest
    let proposal: StreamFormat? =
      if let rate { try StreamFormat(sampleRate: rate, channelCount: 1) } else { nil }
    for entry in entries where entry.source.takesProposedFormat { try open(entry, proposal) }
    local = session.local.flatMap { lives[$0.id] }
    incoming = session.incoming.compactMap { lives[$0.id] }
  }

  private func makeSinks() throws(AudioError) {
    for place in SinkPlace.allCases {
      guard let maker = session.sinks[place] else { continue }
      let feeding: [SourceLife] =
        switch place {
        case .publish: local.map { [$0] } ?? []
        case .playback: incoming
        case .mixed: sources
        }
      guard !feeding.isEmpty else {
        throw AudioError(
          .invalidParameter, cannot: "run the session", "",
          because: "its \(place.rawValue) sink has no source")
      }
      let request = SinkRequest(
        encodings: feeding.map { $0.description.encoding },
        isLive: feeding.contains { $0.description.isLive })
      sinks.append(SinkLife(place, try maker(request)))
    }
  }

  private func settle(_ observers: [SessionObserver]) throws(AudioError) -> SessionPlan {
    func plan(
      _ position: ObservationPosition, _ native: StreamFormat, of source: SourceLife? = nil
    ) throws(AudioError) -> PositionPlan {
      try PositionPlan(
        position, of: source?.entry.id, native: native, observers: observers,
        session: session.parameters[position])
    }
    let wakeup = session.control.wakeup
    let needsMixed = sink(.mixed) != nil || observers.contains { $0.observes(.mixed, of: nil) }
    let mixFormat = needsMixed || !incoming.isEmpty ? try sumFormat(wakeup) : nil

    var settled = SessionPlan(local: local, incoming: incoming, sinks: sinks, mixFormat: mixFormat)
    if let local {
      let record = try plan(.record, local.description.format, of: local)
      settled.record = record
      try sink(.publish)?.initialize(proposing: record.outputFormat, wakeup: wakeup)
    }
    for source in incoming {
      settled.beforeMixing.append(try plan(.beforeMixing, source.description.format, of: source))
    }
    if let mixFormat, !incoming.isEmpty {
      let playback = try plan(.playback, mixFormat)
      settled.playback = playback
      if let sink = sink(.playback), sink.format == nil {
        try sink.initialize(proposing: playback.outputFormat, wakeup: wakeup)
      }
      sink(.playback)?.settle(streamFormat: playback.outputFormat)
    }
    if let mixFormat, needsMixed {
      let mixed = try plan(.mixed, mixFormat)
      settled.mixed = mixed
      try sink(.mixed)?.initialize(proposing: mixed.outputFormat, wakeup: wakeup)
    }
    settled.settleFollowings(quality: session.resamplerQuality)
    return settled
  }

  /// The format of Σ: as set, else as a live playback sink negotiates, else the sources' largest. All
  /// sources count, so that watching `mixed` does not change what `playback` is.
  private func sumFormat(_ wakeup: Wakeup) throws(AudioError) -> StreamFormat {
    let formats = sources.map { $0.description.format }
    let proposal = try StreamFormat(
      sampleRate: session.mixSampleRate ?? formats.map { $0.sampleRate }.max() ?? 0,
      channelCount: session.mixChannelCount ?? formats.map { $0.channelCount }.max() ?? 0)
    guard let sink = sink(.playback), sink.sink.pace.isLive else { return proposal }
    try sink.initialize(proposing: proposal, wakeup: wakeup)
    return try StreamFormat(
      sampleRate: session.mixSampleRate ?? sink.format?.sampleRate ?? proposal.sampleRate,
      channelCount: session.mixChannelCount ?? sink.format?.channelCount ?? proposal.channelCount)
  }

  private func sink(_ place: SinkPlace) -> SinkLife? { sinks.first { $0.place == place } }

  private func summary(_ plan: SessionPlan, _ precision: SamplePrecision) -> SessionSummary {
    SessionSummary(
      sources: sources.map { .init(id: $0.entry.id, description: $0.description) },
      sinks: sinks.compactMap { life in
        guard let streamFormat = life.streamFormat, let format = life.format else { return nil }
        return .init(place: life.place, streamFormat: streamFormat, format: format)
      },
      mixFormat: plan.mixFormat, precision: precision,
      followings: plan.followings.map {
        .init(source: $0.source.entry.id, place: $0.sink.place, latency: $0.latency)
      })
  }
}
