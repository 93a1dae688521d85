// SPDX-License-Identifier: Apache-2.0
/// One run of a session: opens all ends, settles formats and precision, runs the engine, closes all ends.
///
/// The order is sources, sinks, precision, observers, formats: each needs those before it.
final class SessionRun {
  private let session: Session
  /// The initialised sources in order.
  private var opened: [SourceLife] = []
  private var local: SourceLife?
  private var incoming: [SourceLife] = []
  private var sinks: [SinkLife] = []
  /// The report of the engine; nil before its end.
  private(set) var report: SessionReport?

  init(_ session: Session) {
    self.session = session
  }

  private var sources: [SourceLife] { (local.map { [$0] } ?? []) + incoming }

  private var registered: [RegisteredObserver] {
    session.observers.filter { $0.registration.isActive }
  }

  private var isRecording: Bool {
    session.end.isOpen || sources.contains { !$0.description.isRepeatable }
  }

  func run() throws(AudioError) -> SessionReport {
    for observer in registered { try observer.requireCallbacks() }
    try openSources()
    try makeSinks()
    let precision = precision
    let observers = registered
    let plan = try SessionPlanner(
      session: session, local: local, incoming: incoming, sinks: sinks, observers: observers
    ).plan()
    let positions = Set(plan.routes.map(\.observation.position))
    session.live.settle(positions: positions, sumFormat: plan.sumFormat)
    let keys = Set(sources.map(\.entry.key))
    let hasShared = session.end.isOpen || incoming.contains(where: \.entry.isShared)
    for observer in observers {
      try observer.requireStreams(
        sums: hasShared ? positions : positions.subtracting([.shared]), sources: keys,
        mayJoin: session.end.isOpen)
    }
    session.onStart?(summary(plan, precision))
    if session.control.request == .abandon {
      // Thrown before any observer's `begin`.
      throw AudioError(
        .interrupted, cannot: "run the session", "", because: "it was asked to abandon its work")
    }
    let (report, failure) =
      switch precision {
      case .single: try Engine<Float>(plan, session).run()
      case .double: try Engine<Double>(plan, session).run()
      }
    self.report = report
    if let failure { throw failure }
    return report
  }

  /// Stops all ends after a failure. A recording keeps samples that cannot be read again. An empty recording and any
  /// other sink leave nothing behind.
  func abandon() {
    for source in opened { source.stop() }
    for life in sinks {
      // Keep the first error: a sink that cannot complete its file adds nothing to it.
      let isKept = isRecording && !life.sink.pace.isLive && life.hasSamples
      try? life.stop(isKept ? .finished : .abandoned)
    }
  }

  func dispose() {
    for source in opened { source.dispose() }
    for sink in sinks { sink.dispose() }
  }

  /// Opens sources with a format first; the others follow it.
  private func openSources() throws(AudioError) {
    let entries = (session.local.map { [$0] } ?? []) + session.incoming
    if entries.isEmpty, !session.end.isOpen {
      throw AudioError(
        .invalidParameter, cannot: "run the session", "", because: "it has no source")
    }
    var lives: [SourceKey: SourceLife] = [:]
    func open(_ entry: SourceEntry, _ proposal: StreamFormat?) throws(AudioError) {
      let life = try SourceLife(entry, proposing: proposal, wakeup: session.control.wakeup)
      lives[entry.key] = life
      opened.append(life)
    }
    for entry in entries where !entry.source.takesProposedFormat { try open(entry, nil) }
    let highest = opened.map { $0.description.format.sampleRate }.max()
    let rate = session.mixSampleRate ?? highest
    let proposal: StreamFormat? =
      if let rate { try StreamFormat(sampleRate: rate, channelCount: 1) } else { nil }
    for entry in entries where entry.source.takesProposedFormat { try open(entry, proposal) }
    local = session.local.flatMap { lives[$0.key] }
    incoming = session.incoming.compactMap { lives[$0.key] }
  }

  private func makeSinks() throws(AudioError) {
    let keys = Set(sources.map(\.entry.key))
    for (place, maker) in session.sinks.sorted(by: { $0.key < $1.key }) {
      if let except = place.except, !session.end.isOpen, !keys.contains(except) {
        throw AudioError(
          .invalidParameter, cannot: "run the session", "",
          because: "there is no source '\(except)' whose playback its sink could take")
      }
      let feeding = RoutingRow.sources(feeding: place, local: local, incoming: incoming)
      guard !feeding.isEmpty || session.end.isOpen && place != .publish && place.track == nil
      else {
        throw AudioError(
          .invalidParameter, cannot: "run the session", "",
          because: place.except.map { "nothing is left to hear without source '\($0)'" }
            ?? "its \(place) sink has no source")
      }
      let request = SinkRequest(
        encodings: feeding.map { $0.description.encoding },
        isLive: session.end.isOpen || feeding.contains { $0.description.isLive },
        metadata: try metadata(of: feeding), duration: duration(of: feeding))
      let sink = try AudioError.wrapping(cannot: "make the sink", place.description) {
        try maker(request)
      }
      sinks.append(SinkLife(place, sink))
    }
  }

  private func duration(of feeding: [SourceLife]) -> Duration? {
    let lengths = feeding.map(\.description.duration)
    guard !lengths.contains(nil), let longest = lengths.compactMap(\.self).max() else { return nil }
    switch session.duration {
    case .time(let limit): return min(longest, limit)
    case .samples(let count) where incoming.isEmpty && session.mixSampleRate == nil:
      let rate = local?.description.format.sampleRate
      return rate.map { min(longest, .seconds(Double(count) / Double($0))) } ?? longest
    case .samples, nil: return longest
    }
  }

  /// Returns the metadata for a sink: of its source, or that which all its sources share.
  private func metadata(of feeding: [SourceLife]) throws(AudioError) -> Metadata? {
    guard !session.end.isOpen else { return nil }
    guard feeding.count == 1, let source = feeding.first else {
      return Metadata.shared(
        by: try feeding.map { (source) throws(AudioError) in try source.metadata() })
    }
    guard let metadata = try source.metadata() else { return nil }
    if source.entry.mixing.offset.samples(at: 48_000) != 0 {
      return metadata.withoutPositions(because: "the sound begins later than its file")
    }
    let isChanged =
      !source.entry.mixing.leavesSamples
      || registered.contains { $0.mayEdit(session: session.parameters) }
    let position: ObservationPosition = source === local ? .record : .beforeMixing
    return
      registered
      .filter { $0.observes(position, of: source.entry.key) }
      .reduce(isChanged ? metadata.withoutMeasurements : metadata) {
        $1.adapt($0, at: source.description.format.sampleRate)
      }
  }

  private func summary(_ plan: SessionPlan, _ precision: SamplePrecision) -> SessionSummary {
    SessionSummary(
      sources: sources.map {
        .init(key: $0.entry.key, isShared: $0.entry.isShared, description: $0.description)
      },
      sinks: sinks.compactMap { life in
        guard let streamFormat = life.streamFormat, let format = life.format else { return nil }
        return .init(place: life.place, streamFormat: streamFormat, format: format)
      },
      mixFormat: plan.sumFormat, precision: precision,
      followings: plan.followings.map {
        .init(source: $0.source.entry.key, place: $0.sink.place, latency: $0.latency)
      })
  }

  /// The precision: double if a source, a sink, a gain, a sum or the resampler's quality needs it.
  private var precision: SamplePrecision {
    // The future sources of an open session are unknown.
    if session.resamplerQuality == .best || session.end.isOpen { return .double }
    let ends = sources.map { $0.description.neededPrecision } + sinks.map { $0.sink.precision }
    let edits = registered.map { $0.neededPrecision }
    return (ends + edits + [sumPrecision]).max() ?? .single
  }

  /// `Float` holds the sum of up to ``mostExactTerms`` 16-bit samples exactly. Any other sum would be rounded twice: to
  /// `Float` and then to the output.
  private var sumPrecision: SamplePrecision {
    if sources.contains(where: { !$0.entry.mixing.leavesSamples }) { return .double }
    guard sources.count > 1 else { return .single }
    let isExact =
      sources.count <= Self.mostExactTerms
      && sources.allSatisfy { $0.description.encoding.isAtMost16Bits }
    return isExact ? .single : .double
  }

  /// The sum of 2^8 samples of 16 bits fits into the 24 bits of a `Float`.
  private static let mostExactTerms = 256
}

extension SampleEncoding {
  /// Whether every sample is a multiple of 2^−15 within ±1.
  fileprivate var isAtMost16Bits: Bool {
    precision == .single && self != .f32 && !isFloatCodec
  }
}
