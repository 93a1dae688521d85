/// Runs a planned session in one precision: the strands between sources, mixers and sinks.
final class Engine<Sample: AudioSample> {
  private let control: SessionControl
  private let onProgress: ((SessionProgress) -> Void)?
  private let quality: ResamplerQuality
  private let isLive: Bool
  private let mixDuration: TimePosition?
  private var intakes: [Intake<Sample>] = []
  private var mixers: [Mixer<Sample>] = []
  private var outlets: [Outlet<Sample>] = []

  init(_ plan: SessionPlan, _ session: Session) throws(AudioError) {
    control = session.control
    onProgress = session.onProgress
    quality = session.resamplerQuality
    isLive = plan.isLive
    mixDuration = session.mixDuration
    let mixed = plan.mixed == nil ? nil : plan.mixFormat.map { Mixer<Sample>(format: $0) }
    try buildRecord(plan, mixed)
    try buildPlayback(plan, mixed)
    if let mixed, let position = plan.mixed {
      try observe(mixed.output, position)
      try take(from: mixed.output, [plan.sink(.mixed)], nil)
      mixers.append(mixed)
    }
  }

  private func buildRecord(_ plan: SessionPlan, _ mixed: Mixer<Sample>?) throws(AudioError) {
    guard let local = plan.local, let position = plan.record else { return }
    let strand = Strand<Sample>(format: local.description.format)
    try observe(strand, position, local.entry)
    intakes.append(Intake(local, into: strand))
    try take(from: strand, [plan.sink(.publish)], mixed)
  }

  private func buildPlayback(_ plan: SessionPlan, _ mixed: Mixer<Sample>?) throws(AudioError) {
    guard let mixFormat = plan.mixFormat, let position = plan.playback else { return }
    let length = mixDuration?.samples(at: mixFormat.sampleRate)
    let mixer = Mixer<Sample>(format: mixFormat, length: length)
    for (life, beforeMixing) in zip(plan.incoming, plan.beforeMixing) {
      let strand = Strand<Sample>(format: life.description.format)
      try observe(strand, beforeMixing, life.entry)
      try strand.convert(to: mixFormat, quality: quality)
      if let gains = try life.entry.entry.channelGains(mixFormat) {
        strand.append(ChannelGain<Sample>(gains, format: mixFormat))
      }
      let offset = life.entry.entry.offset.samples(at: mixFormat.sampleRate)
      mixer.add(strand, offset: offset)
      intakes.append(Intake(life, into: strand))
    }
    mixers.append(mixer)
    try observe(mixer.output, position)
    try take(from: mixer.output, [plan.sink(.playback)], mixed)
  }

  /// Puts the observers of a position at the end of `strand`.
  private func observe(
    _ strand: Strand<Sample>, _ plan: PositionPlan, _ source: SourceEntry? = nil
  ) throws(AudioError) {
    let place = ObserverPlace(position: plan.position, source: source?.id, group: source?.group)
    for observer in plan.places {
      strand.append(try stage(observer.observer, observer, place, strand))
    }
  }

  private func stage<Observer: AudioFrameObserver>(
    _ observer: Observer, _ planned: PositionPlan.Place, _ place: ObserverPlace,
    _ strand: Strand<Sample>
  ) throws(AudioError) -> any StreamStage<Sample> {
    try ObserverStage<Observer, Sample>(
      observer, planned.registration, at: place, mode: planned.mode, shape: planned.shape,
      inputFormat: strand.format, quality: quality, isLive: isLive)
  }

  /// Leads the end of `strand` to its sink and into the mixed sum, where there are any.
  private func take(from strand: Strand<Sample>, _ sinks: [SinkLife?], _ mixed: Mixer<Sample>?)
    throws(AudioError)
  {
    let sinks = sinks.compactMap { $0 }
    let parts = strand.split(sinks.count + (mixed == nil ? 0 : 1))
    for (life, part) in zip(sinks, parts) {
      if let format = life.format { try part.convert(to: format, quality: quality) }
      outlets.append(Outlet(life, from: part))
    }
    guard let mixed, let part = parts.last else { return }
    try part.convert(to: mixed.output.format, quality: quality)
    mixed.add(part, offset: 0)
  }

  func run() throws(AudioError) -> SessionReport {
    for outlet in outlets { try outlet.start() }
    for intake in intakes { try intake.start() }
    var outcome = SessionReport.Outcome.finished
    var isFinishing = false
    while !isEnded {
      switch control.request {
      case .none: break
      case .abandon: return report(.abandoned)
      case .finish where !isFinishing:
        isFinishing = true
        outcome = .stopped
        try finishEarly()
      case .finish: break
      }
      switch try step() {
      case .idle: control.wakeup.wait(milliseconds: Self.longestWait)
      case .moved: reportProgress()
      case .readerGone:
        outcome = .readerGone
        isFinishing = true
        try finishEarly()
      }
    }
    return report(outcome)
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

  /// Takes no more input; what a device has not played yet is dropped, files are completed.
  private func finishEarly() throws(AudioError) {
    for intake in intakes { intake.finishEarly() }
    for outlet in outlets where outlet.isLive && !outlet.isEnded { try outlet.end(.abandoned) }
  }

  private func reportProgress() {
    guard let onProgress else { return }
    let furthest = intakes.max { left, right in
      left.samplesPerChannel * Int64(right.format.sampleRate)
        < right.samplesPerChannel * Int64(left.format.sampleRate)
    }
    guard let furthest else { return }
    onProgress(
      SessionProgress(
        samplesPerChannel: furthest.samplesPerChannel, sampleRate: furthest.format.sampleRate,
        expectedSamplesPerChannel: furthest.expectedSamplesPerChannel))
  }

  private func report(_ outcome: SessionReport.Outcome) -> SessionReport {
    SessionReport(
      outcome: outcome,
      sources: intakes.map {
        .init(id: $0.id, format: $0.format, samplesPerChannel: $0.samplesPerChannel)
      },
      sinks: outlets.map {
        .init(place: $0.place, format: $0.format, samplesPerChannel: $0.samplesPerChannel)
      })
  }
}
