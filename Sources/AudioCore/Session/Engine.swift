// SPDX-License-Identifier: Apache-2.0
/// Runs a planned session in one precision: moves samples in rounds until every stream has ended.
final class Engine<Sample: AudioSample> {
  private let control: SessionControl
  private let time: any SessionTime
  private let onProgress: ((SessionProgress) -> Void)?
  private let graph: SessionGraph<Sample>
  private let isLive: Bool
  private let isRecording: Bool
  private let participation: Participation<Sample>
  private let live: LiveSession
  private let isOpen: Bool
  private let end: SessionEnd
  private var isFinishing = false
  /// Whether an open session has ended, and only its last samples are left.
  private var isClosing = false
  /// The error that ended a live source early.
  private var failure: AudioError?

  init(_ plan: SessionPlan, _ session: Session) throws(AudioError) {
    control = session.control
    live = session.live
    time = session.time
    onProgress = session.onProgress
    isLive = plan.isLive
    isRecording = plan.isRecording
    graph = try SessionGraph(
      plan, quality: session.resamplerQuality, filterCache: session.resamplerFilterCache,
      workers: session.workers, control: session.control)
    participation = Participation(session, plan, graph)
    isOpen = plan.isOpen
    end = session.end
  }

  private var sourceReaders: [SourceReader<Sample>] { graph.sourceReaders }
  private var sinkWriters: [SinkWriter<Sample>] { graph.sinkWriters }

  /// Runs until every stream has ended.
  ///
  /// - Returns: the report, and the first failure. That of a live source comes after its samples are delivered.
  func run() -> (SessionReport, AudioError?) {
    defer { participation.dispose() }
    do throws(AudioError) {
      return (report(try deliver()), nil)
    } catch {
      return (report(.failed), error)
    }
  }

  private func deliver() throws(AudioError) -> SessionReport.Outcome {
    let outcome: SessionReport.Outcome
    var hasBegun = false
    do {
      try begin()
      hasBegun = true
      outcome = try runToEnd()
      if outcome != .abandoned {
        try participation.dismiss()
        try endObservers(.finished)
        try throwObserversFailure()
      }
    } catch {
      // An observer's failure precedes the error thrown now.
      let error = live.failure ?? error
      // Later failures are dropped. Without samples there is nothing to keep.
      while isObserved { try? endObservers(isRecording && hasBegun ? .finished : .abandoned) }
      throw failure ?? error
    }
    if let error = failure ?? abandonObservers() ?? live.failure { throw error }
    return outcome
  }

  /// Ends the observers that have begun.
  ///
  /// - Returns: the first failure.
  private func abandonObservers() -> AudioError? {
    var first: AudioError?
    while isObserved {
      do throws(AudioError) {
        try endObservers(.abandoned)
      } catch {
        first = first ?? error
      }
    }
    return first
  }

  private func begin() throws(AudioError) {
    for stream in graph.streams { try stream.observers.begin() }
    for sinkWriter in sinkWriters { try sinkWriter.start() }
    for sourceReader in sourceReaders { try sourceReader.start() }
  }

  private func endObservers(_ reason: StopReason) throws(AudioError) {
    var ending = graph.streams.flatMap(\.observers.running) + participation.ending
    for stage in ending { stage.beginEnd(reason) }
    while true {
      ending.removeAll { $0.advanceEnd() }
      if ending.isEmpty { break }
      control.wakeup.wait(atMost: .milliseconds(1))
    }
    try participation.collectEnded()
    for stream in graph.streams { try stream.observers.end(reason) }
  }

  /// Whether an observer has begun and not ended.
  private var isObserved: Bool {
    !participation.ending.isEmpty || graph.streams.contains { !$0.observers.running.isEmpty }
  }

  private func runToEnd() throws(AudioError) -> SessionReport.Outcome {
    var outcome = SessionReport.Outcome.finished
    while !isEnded {
      try throwObserversFailure()
      switch control.request {
      case nil: break
      case .abandon: return .abandoned
      case .finish where !isFinishing:
        outcome = .stopped
        try finishEarly(readingOn: true)
      case .finish: break
      }
      switch try step() {
      case .idle: rest()
      case .moved: reportProgress()
      case .readerGone:
        outcome = .readerGone
        try finishEarly()
      }
      if sinkWriters.contains(where: { $0.isEnded }), sinkWriters.allSatisfy({ $0.isEnded }) {
        // All sinks have ended: a source without an end that only observers hear must not keep the session running.
        for sourceReader in sourceReaders where sourceReader.isOpenEnded {
          sourceReader.finishEarly()
        }
      }
      let lost = sourceReaders.first { $0.failure != nil && !$0.mayFail }
      if failure == nil, let lost {
        failure = lost.failure
        try finishEarly()
      }
    }
    try throwObserversFailure()
    // The request ended the wait for a pipe, which is no end of its sound.
    if control.request == .abandon { return .abandoned }
    // The request came while the last samples were still playing.
    if outcome == .finished, control.request == .finish { outcome = .stopped }
    return outcome
  }

  private func throwObserversFailure() throws(AudioError) {
    if let failure = live.failure { throw failure }
  }

  /// Waits until something may have changed. An open session rests in fixed steps, so hundreds of sending programs do
  /// not wake it each time.
  private func rest() {
    for sinkWriter in sinkWriters { sinkWriter.handOver() }
    if isOpen {
      time.rest(.milliseconds(sinkWriters.contains { $0.isLive } ? 5 : 10))
      control.wakeup.wait(atMost: .zero)
    } else {
      time.wait(
        for: control.wakeup,
        atMost: .milliseconds(isWoken ? Self.longestWaitForDevices : Self.longestWait))
    }
  }

  /// Whether a wakeup ends every wait: devices wake the session for a dry source or a full sink, and no source needs
  /// silence in time.
  private var isWoken: Bool {
    control.wakeup.canAllWake && sourceReaders.allSatisfy { $0.hasClock || !$0.isDry }
      && !graph.sums.contains { $0.mixer.isLive }
      && !isObserved
  }

  /// In milliseconds. A pipe cannot wake the session, so the session polls it this often. Devices wake it, unless a
  /// driver stalls their thread during a rest; the samples handed over before must then be written in time.
  private static var longestWait: Int { 20 }
  private static var longestWaitForDevices: Int { 500 }

  private var isEnded: Bool {
    !participation.isAwaiting && sourceReaders.allSatisfy { $0.isEnded }
      && sinkWriters.allSatisfy { $0.isEnded }
      && graph.sums.allSatisfy { $0.mixer.output.isEnded }
  }

  private func step() throws(AudioError) -> SinkWriter<Sample>.Turn {
    var turn = SinkWriter<Sample>.Turn.idle
    if try participation.run(at: time.now) { turn = .moved }
    if isOpen, !isFinishing, !isClosing { try closeIfDue() }
    graph.settleCeilings(at: time.now)
    for sourceReader in sourceReaders where try sourceReader.run() { turn = .moved }
    if isLive {
      for sinkWriter in sinkWriters { sinkWriter.isHeld = false }
      for sum in graph.sums where isOpen || sum.mixer.isLive { try sum.yieldSilence(at: time.now) }
    }
    for sum in graph.sums where try sum.mixer.run() { turn = .moved }
    for sinkWriter in sinkWriters {
      switch try sinkWriter.run() {
      case .idle: break
      case .moved: if turn == .idle { turn = .moved }
      case .readerGone: turn = .readerGone
      }
    }
    return turn
  }

  /// Takes no more input, drops samples that a device has not played, and completes files.
  ///
  /// - Parameter isReadingOn: whether to read a pipe to its end, which the same request causes.
  private func finishEarly(readingOn isReadingOn: Bool = false) throws(AudioError) {
    isFinishing = true
    participation.close()
    for sourceReader in sourceReaders {
      // An open session ends at its present and skips samples sent ahead.
      if isOpen {
        try sourceReader.cut()
      } else if !(isReadingOn && sourceReader.endsByItself) {
        sourceReader.finishEarly()
      }
    }
    for sum in graph.sums {
      if isOpen { sum.mixer.close() } else { sum.mixer.finishEarly() }
    }
    for sinkWriter in sinkWriters where sinkWriter.isLive && !sinkWriter.isEnded {
      try sinkWriter.end(.abandoned)
    }
  }

  /// Ends an open session with its duration or with its last source; all of its streams end at the same time.
  private func closeIfDue() throws(AudioError) {
    guard let pace = graph.pace(.playback) else { return try finishEarly() }
    let mixer = pace.mixer
    let local = sourceReaders.first { $0.id == .local }
    if end == .whenEmpty, participation.isDeserted {
      participation.close()
      let rate = mixer.format.sampleRate
      let recorded = local.map {
        ResamplingRatio(from: $0.format.sampleRate, to: rate).outputLength(of: $0.position)
      }
      mixer.end(at: max(pace.present(at: time.now), recorded ?? 0))
      if let local, let end = mixer.end {
        local.end(at: AudioTime.rescaled(end, from: rate, to: local.format.sampleRate))
      }
    }
    guard mixer.isOver else { return }
    isClosing = true
    participation.close()
    // Samples sent ahead are not heard.
    for sourceReader in sourceReaders where sourceReader !== local { try sourceReader.cut() }
  }

  private func reportProgress() {
    guard let onProgress else { return }
    let furthest = sourceReaders.max { $0.secondsRead < $1.secondsRead }
    guard let furthest else { return }
    onProgress(
      SessionProgress(
        samplesPerChannel: furthest.samplesPerChannel, sampleRate: furthest.format.sampleRate,
        expectedSamplesPerChannel: furthest.expectedSamplesPerChannel, present: present))
  }

  /// Files are read ahead, and a source that joins late counts from its own start: the microphone tells the present, else the
  /// sum's clock.
  private var present: (position: Int64, sampleRate: Int)? {
    if let local = sourceReaders.first(where: { $0.id == .local && $0.isLive }) {
      return (local.position, local.format.sampleRate)
    }
    guard isLive, let pace = graph.pace(.playback) ?? graph.pace(.mixed) else { return nil }
    let rate = pace.mixer.format.sampleRate
    return (pace.mixer.position + pace.lag.samples(at: rate), rate)
  }

  private func report(_ outcome: SessionReport.Outcome) -> SessionReport {
    SessionReport(
      outcome: outcome,
      sources: participation.inOrder(participation.departed + sourceReaders.map { $0.account }),
      sinks: sinkWriters.map {
        .init(place: $0.place, format: $0.format, samplesPerChannel: $0.samplesPerChannel)
      },
      followings: graph.followings.map { $0.statistics },
      notices: live.observers.flatMap { $0.notices() })
  }
}
