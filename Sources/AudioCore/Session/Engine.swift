/// Runs a planned session in one precision: the strands between sources, mixers and sinks.
final class Engine<Sample: AudioSample> {
  let control: SessionControl
  private let onProgress: ((SessionProgress) -> Void)?
  let filters: ResamplerFilters<Sample>
  let isLive: Bool
  let mixDuration: TimePosition?
  var intakes: [Intake<Sample>] = []
  var mixers: [Mixer<Sample>] = []
  var outlets: [Outlet<Sample>] = []
  /// The stages that observers stand in.
  var observing: [any ObservingStage<Sample>] = []
  /// The streams that follow a device's clock.
  var followings: [FollowedStream] = []
  /// What the mixed sum goes by where devices are its local source and play beside it.
  private var mixedClock: (mixer: Mixer<Sample>, clock: any PacingClock)?
  /// Those of them that have begun and not ended, in the order of their streams.
  private var begun: ArraySlice<any ObservingStage<Sample>> = []
  private let isRecording: Bool
  private var isFinishing = false
  /// Why a live source ended before its time.
  private var failure: AudioError?

  init(_ plan: SessionPlan, _ session: Session) throws(AudioError) {
    control = session.control
    onProgress = session.onProgress
    // Live, a block has to come out when it has gone in.
    filters = ResamplerFilters(
      quality: session.resamplerQuality, crew: plan.isLive ? nil : WorkCrew())
    isLive = plan.isLive
    isRecording = plan.isRecording
    mixDuration = session.mixDuration
    let mixed = plan.mixed == nil ? nil : plan.mixFormat.map { Mixer<Sample>(format: $0) }
    try buildRecord(plan, mixed)
    try buildPlayback(plan, mixed)
    if let mixed, let position = plan.mixed {
      try observe(mixed.output, position, plan.sources)
      try take(from: mixed.output, [plan.sink(.mixed)], nil, nil, plan)
      mixers.append(mixed)
      if plan.local?.description.pace.clock != nil,
        let clock = plan.sink(.playback)?.sink.pace.clock, clock.timing != nil
      {
        clock.watch()
        mixedClock = (mixed, clock)
      }
    }
  }

  /// Runs until every stream has ended.
  ///
  /// - Throws: the first failure. That of a live source comes after everything it gave is delivered.
  func run() throws(AudioError) -> SessionReport {
    let outcome: SessionReport.Outcome
    do {
      try begin()
      outcome = try runToEnd()
      if outcome != .abandoned { try endObservers(.finished) }
    } catch {
      // The first failure is the one to tell.
      while !begun.isEmpty { try? endObservers(isRecording ? .finished : .abandoned) }
      throw failure ?? error
    }
    while !begun.isEmpty { try? endObservers(.abandoned) }
    if let failure { throw failure }
    return report(outcome)
  }

  private func begin() throws(AudioError) {
    for stage in observing {
      try stage.begin()
      begun.append(stage)
    }
    for outlet in outlets { try outlet.start() }
    for intake in intakes { try intake.start() }
  }

  private func endObservers(_ reason: StopReason) throws(AudioError) {
    while let stage = begun.popFirst() { try stage.end(reason) }
  }

  private func runToEnd() throws(AudioError) -> SessionReport.Outcome {
    var outcome = SessionReport.Outcome.finished
    while !isEnded {
      switch control.request {
      case .none: break
      case .abandon: return .abandoned
      case .finish where !isFinishing:
        outcome = .stopped
        try finishEarly()
      case .finish: break
      }
      switch try step() {
      case .idle: control.wakeup.wait(milliseconds: Self.longestWait)
      case .moved: reportProgress()
      case .readerGone:
        outcome = .readerGone
        try finishEarly()
      }
      if outlets.contains(where: { $0.isEnded }), outlets.allSatisfy({ $0.isEnded }) {
        // Every sink has ended: a source that only observers hear must not keep the session for ever.
        for intake in intakes where intake.isOpenEnded { intake.finishEarly() }
      }
      if failure == nil, let lost = intakes.first(where: { $0.failure != nil }) {
        failure = lost.failure
        try finishEarly()
      }
    }
    // Asked while the last samples were still to be heard.
    if outcome == .finished, control.request == .finish { outcome = .stopped }
    return outcome
  }

  /// Devices wake the session themselves; a pipe cannot, so it is looked at this often.
  private static var longestWait: Int { 20 }

  private var isEnded: Bool {
    intakes.allSatisfy { $0.isEnded } && outlets.allSatisfy { $0.isEnded }
      && mixers.allSatisfy { $0.output.isEnded }
  }

  private func step() throws(AudioError) -> Outlet<Sample>.Turn {
    var turn = Outlet<Sample>.Turn.idle
    for intake in intakes where try intake.run() { turn = .moved }
    if isLive { yieldSilence() }
    for mixer in mixers where try mixer.run() { turn = .moved }
    for outlet in outlets {
      switch try outlet.run() {
      case .idle: break
      case .moved: if turn == .idle { turn = .moved }
      case .readerGone: turn = .readerGone
      }
    }
    return turn
  }

  /// How far another live source may be behind the clock before silence stands in for it, in
  /// milliseconds.
  private static var tolerance: Int64 { 100 }

  /// A live source that has nothing yields silence, as far as the live clock has come: that of the
  /// device that plays, or else of the first that is captured from. Without a clock there is nobody to wait for.
  private func yieldSilence() {
    for mixer in mixers where mixer.isLive {
      let rate = mixer.format.sampleRate
      if let outlet = outlets.first(where: { $0.isClock && !$0.isEnded }) {
        if let mixedClock, mixedClock.mixer === mixer {
          // What is played may be a block ahead of it: the local source is waited for until the device
          // would run dry. What was written but not played yet says nothing about what was captured.
          guard let demand = mixedClock.clock.demandWhilePlaying() else { continue }
          mixer.yieldSilence(
            upTo: AudioTime.rescaled(demand, from: outlet.format.sampleRate, to: rate)
              - Int64(mixer.output.blockLength))
          continue
        }
        guard let demand = outlet.demand else { continue }
        mixer.yieldSilence(
          upTo: AudioTime.rescaled(demand, from: outlet.format.sampleRate, to: rate))
      } else if let clock = intakes.first(where: { $0.isClock && !$0.isEnded }) {
        let now = AudioTime.rescaled(
          clock.samplesPerChannel, from: clock.format.sampleRate, to: rate)
        mixer.yieldSilence(upTo: now - Self.tolerance * Int64(rate) / 1_000)
      }
    }
  }

  /// Takes no more input; what a device has not played yet is dropped, files are completed.
  private func finishEarly() throws(AudioError) {
    isFinishing = true
    for intake in intakes { intake.finishEarly() }
    for mixer in mixers { mixer.finishEarly() }
    for outlet in outlets where outlet.isLive && !outlet.isEnded { try outlet.end(.abandoned) }
  }

  private func reportProgress() {
    guard let onProgress else { return }
    let furthest = intakes.max { $0.secondsRead < $1.secondsRead }
    guard let furthest else { return }
    onProgress(
      SessionProgress(
        samplesPerChannel: furthest.samplesPerChannel, sampleRate: furthest.format.sampleRate,
        expectedSamplesPerChannel: furthest.expectedSamplesPerChannel))
  }

  private func report(_ outcome: SessionReport.Outcome) -> SessionReport {
    let missing = mixers.reduce(into: [SourceID: Int64]()) { total, mixer in
      total.merge(mixer.missing) { $0 + $1 }
    }
    return SessionReport(
      outcome: outcome,
      sources: intakes.map {
        .init(
          id: $0.id, format: $0.format, samplesPerChannel: $0.samplesPerChannel,
          missingSamplesPerChannel: missing[$0.id] ?? 0)
      },
      sinks: outlets.map {
        .init(place: $0.place, format: $0.format, samplesPerChannel: $0.samplesPerChannel)
      },
      followings: followings.map { $0.statistics })
  }
}
