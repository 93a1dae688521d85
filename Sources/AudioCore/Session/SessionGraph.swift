// SPDX-License-Identifier: Apache-2.0
/// A session's plan, built in one precision: chains between sources, observers, sums and sinks.
final class SessionGraph<Sample: AudioSample> {
  /// The streams in the order of flow, like all lists here.
  private(set) var streams: [RunningStream<Sample>] = []
  private(set) var sourceReaders: [SourceReader<Sample>] = []
  private(set) var sums: [MixClock<Sample>] = []
  private(set) var sinkWriters: [SinkWriter<Sample>] = []
  /// The streams that follow a device's clock.
  private(set) var followings: [FollowedStream] = []

  let filters: ResamplerFilters<Sample>
  let isLive: Bool
  private let isRepeatable: Bool
  let isOpen: Bool
  /// Whether waits were settled at least once.
  var hasSettled = false
  private let control: SessionControl
  private let sinks: [SinkLife]
  /// The samples per channel read of the local source.
  private let localRead = SampleCount()
  /// The played samples, for the observers of record that need them.
  private var references: [PlayedReference<Sample>] = []
  private let followedSinks: [SinkLife]
  private var mixers: [ObservationPosition: Mixer<Sample>] = [:]
  /// The sources that wait for a leader.
  private var led: [(id: SourceKey, leader: SourceKey, stage: SidechainStage<Sample>)] = []

  init(
    _ plan: SessionPlan, quality: ResamplerQuality, filterCache: ResamplerFilterCache,
    workers: WorkerAllowance, control: SessionControl
  ) throws(AudioError) {
    isLive = plan.isLive
    isRepeatable = !plan.isRecording
    // In a live session a block has to come out as soon as it has gone in. A pipe may stand still at any time: as much
    // comes out as its input suffices for, with the bits of a file.
    filters = ResamplerFilters(
      quality: quality, cache: filterCache,
      pool: plan.isLive ? nil : WorkerPool(allowance: workers), isLive: plan.isLive,
      isPrompt: plan.isRecording)
    self.control = control
    isOpen = plan.isOpen
    sinks = plan.sinks
    followedSinks = plan.followings.map(\.sink)
    if let format = plan.sumFormat {
      for sum in plan.sums {
        // The playback sum lasts as long as an open session; the other sums end with their inputs.
        mixers[sum.position] = Mixer<Sample>(
          format: format, length: sum.length, isOpen: plan.isOpen && sum.position == .playback)
      }
    }
    mixers[.playback]?.isWanted = { [unowned self] in references.contains(where: \.isAwaited) }
    for route in plan.routes { _ = try add(route) }
    for sum in plan.sums {
      guard let mixer = mixers[sum.position] else { continue }
      sums.append(
        MixClock(
          mixer, sum.clocks.compactMap { running($0, of: sum.position, in: plan) },
          isOpen: mixer.isOpen))
    }
    settleWaits()
  }

  func pace(_ position: ObservationPosition) -> MixClock<Sample>? {
    sums.first { $0.mixer === mixers[position] }
  }

  func mixer(_ position: ObservationPosition) -> Mixer<Sample>? { mixers[position] }

  /// Builds a route. Its chain has the stages of its observers, then those of its takers.
  func add(_ planned: SessionPlan.Route) throws(AudioError) -> RunningStream<Sample>? {
    var route = planned
    var chain: Chain<Sample>
    let mixer: Mixer<Sample>?
    switch route.origin {
    case .source(let source):
      mixer = nil
      chain = Chain(
        format: source.description.format, source.channelLayout, blockSize: route.blockSize)
    case .sum(.shared):
      guard let origin = mixers[.playback] else { return nil }
      mixer = origin
      chain = origin.makeSharedPart()
    case .mixedExcept(let key):
      guard let origin = mixers[.mixed] else { return nil }
      mixer = origin
      let others = mixers[.playback]?.makeSum(without: key)
      route.start = (others?.begin ?? origin.position, origin.format.sampleRate)
      chain = origin.makePart(without: key, hasSink: !route.takers.isEmpty, adding: others)
    case .sum(let position):
      guard let origin = mixers[position] else { return nil }
      mixer = origin
      chain = origin.output
    }
    var gain: ChannelGain<Sample>?
    if let gains = route.gains {
      let stage = ChannelGain<Sample>(gains, format: chain.format)
      chain.append(stage)
      gain = stage
    }
    let observers = RunningObservers(chain, route, mixer, quality: filters.quality) {
      [unowned self, route] (planned, place) throws(AudioError) in
      try self.stage(for: planned, in: route, place)
    }
    for planned in route.observation.observers { try observers.append(planned) }
    var sourceReader: SourceReader<Sample>?
    if let source = route.origin.source {
      // Observers never see samples read beyond their end.
      if let extent = route.extent, extent.shown < extent.read, !route.observation.observers.isEmpty
      {
        let observed = chain
        chain = Chain(format: observed.format, observed.layout, blockSize: route.blockSize)
        chain.append(BoundedStage(observed, atMost: extent.shown))
      }
      let id = source.entry.key
      let made = SourceReader(
        source, into: chain, counting: id == .local ? localRead : SampleCount(),
        atMost: route.extent?.read)
      // In an open session a failing source leaves, and the others go on.
      made.mayFail = isOpen && id != .local
      made.isWanted = { [unowned self] in
        self.led.contains { $0.leader == id && $0.stage.isWaiting }
      }
      sourceReaders.append(made)
      sourceReader = made
    }
    observers.sourceReader = sourceReader
    let stream = RunningStream(route, observers, sourceReader, chain, gain: gain)
    for (taker, part) in zip(route.takers, chain.split(route.takers.count)) {
      try lead(part, to: taker, stream)
    }
    streams.append(stream)
    return stream
  }

  /// Removes the ended stream of a source.
  func remove(_ stream: RunningStream<Sample>) {
    streams.removeAll { $0 === stream }
    sourceReaders.removeAll { $0 === stream.sourceReader }
    let id = stream.route.origin.source?.entry.key
    led.removeAll { $0.id == id }
  }

  /// Removes the sums without a source that no observer and no sink takes any more.
  func removeUnheardSums() {
    let unheard = streams.filter {
      $0.route.origin.except != nil && $0.route.takers.isEmpty && $0.observers.isEmpty
    }
    for stream in unheard {
      let others = mixers[.mixed]?.removePart(stream.observers.chain)
      if let others { mixers[.playback]?.remove(others) }
      streams.removeAll { $0 === stream }
    }
  }

  /// Forgets the waiting stages that are in no stream any more.
  func forgetLed() {
    led.removeAll { waiting in !streams.contains { $0.observers.contains(waiting.stage) } }
  }

  private func stage(
    for planned: PlannedObserver, in route: SessionPlan.Route, _ place: StagePlace
  ) throws(AudioError) -> any ObservingStage<Sample> {
    let source = route.origin.source?.entry
    var stream = observedStream(planned, in: route)
    var setting = StageSetting(planned: planned, place: place, stream: stream, filters: filters)
    let reference = try reference(for: planned, in: route, at: setting.firstPosition)
    if let reference {
      stream.playedFormat = reference.format
      setting = StageSetting(
        planned: planned, place: place, stream: stream, filters: filters, played: reference)
    }
    let stage = try planned.observer.stage(setting)
    if let reference, !reference.isFollowing {
      // Files move as fast as they can: the record waits for the samples that are played at its time.
      let waiting = SidechainStage(stage, start: place.start) { reference.progress }
      reference.record = waiting
      return waiting
    }
    guard planned.isLed, let id = source?.key, let leader = planned.observer.leader(of: id) else {
      return stage
    }
    guard !follows(leader, id) else {
      throw AudioError(
        .invalidParameter, cannot: "observe source", id.description,
        because: "it and source \(leader) would wait for each other")
    }
    let observer = planned.observer
    let made = SidechainStage(stage, start: place.start) { [unowned self] in
      let stream = self.streams.first { $0.route.origin.source?.entry.key == leader }
      return stream?.observers.progress(of: observer)
    }
    led.append((id, leader, made))
    return made
  }

  /// Makes the reference of an observer of record that needs it; nil for any other.
  private func reference(
    for planned: PlannedObserver, in route: SessionPlan.Route, at position: Int64
  ) throws(AudioError) -> PlayedReference<Sample>? {
    guard planned.observer.needsReference, let source = route.origin.source else { return nil }
    let sink = sinks.first { $0.place == .playback }
    let reference = try PlayedReference<Sample>(
      planned, from: source, read: localRead, to: sink, at: position, quality: filters.quality
    ) { [unowned self] in !sourceReaders.contains { $0.id == .local && !$0.isEnded } }
    references.append(reference)
    if let sinkWriter = sinkWriters.first(where: { $0.place == .playback }) {
      reference.begin = sinkWriter.samplesPerChannel
      sinkWriter.add(reference)
    }
    return reference
  }

  private func observedStream(
    _ planned: PlannedObserver, in route: SessionPlan.Route
  ) -> ObservedStream {
    let source = route.origin.source?.entry
    return ObservedStream(
      position: route.observation.position, source: source?.key.id, group: source?.key.group,
      except: planned.observer.except,
      isShared: source?.isShared ?? (route.observation.position.line.origin == .sharedPart),
      format: planned.shape.format, samplesPerCall: planned.shape.samplesPerCall,
      channelLayout: planned.channelLayout, encoding: route.encoding, isLive: isLive,
      isRepeatable: isRepeatable, resamplerQuality: filters.quality, control: control,
      registration: planned.observer.registration)
  }

  /// Whether `source` waits for `other`, directly or through another source.
  private func follows(_ source: SourceKey, _ other: SourceKey) -> Bool {
    source == other || led.contains { $0.id == source && follows($0.leader, other) }
  }

  /// Connects the end of a chain to one taker.
  private func lead(
    _ chain: Chain<Sample>, to taker: SessionPlan.Taker, _ stream: RunningStream<Sample>
  ) throws(AudioError) {
    let sourceReader = stream.sourceReader
    let before = SampleCount(taker.offset)
    var followed: FollowedStream?
    if let following = taker.following, let sourceReader {
      let stream = try chain.convert(
        to: taker.format, following, quality: filters.quality, read: sourceReader.read,
        before: before)
      followings.append(stream)
      followed = stream
    } else {
      try chain.convert(to: taker.format, with: filters)
    }
    if let gains = taker.gains {
      let stage = ChannelGain<Sample>(gains, format: taker.format)
      chain.append(stage)
      if taker.destination.isSum(at: .playback) { stream.gain = stage }
    }
    if let followed {
      // The intended delay, as silence: the playing device starts with a full buffer.
      chain.output.appendSilence(followed.begin() * chain.format.channelCount)
    }
    switch taker.destination {
    case .sink(let sink):
      let isClockWanted = isOpen || followedSinks.contains { $0 === sink }
      let clock = isClockWanted ? sink.sink.pace.clock : nil
      clock?.watch()
      var end: Int64?
      if let extent = stream.route.extent, extent.shown < extent.read, let sourceReader {
        end = ResamplingRatio(from: sourceReader.format.sampleRate, to: chain.format.sampleRate)
          .outputLength(of: extent.shown)
      }
      let sinkWriter = SinkWriter(sink, from: chain, clock: clock, atMost: end)
      if sink.place == .playback { for reference in references { sinkWriter.add(reference) } }
      sinkWriters.append(sinkWriter)
    case .sum(let position):
      let live = sourceReader.flatMap { sourceReader in
        sourceReader.isLive
          ? MixerInput.Live(sourceReader: sourceReader, isFollowing: taker.following != nil) : nil
      }
      guard let mixer = mixers[position] else { return }
      let input = MixerInput(
        chain, of: stream.route.origin.source?.entry.key, in: mixer.format,
        firstChannel: taker.firstChannel,
        offset: taker.offset - mixer.position, live: live,
        isShared: stream.route.origin.source?.entry.isShared ?? false, before: before)
      mixer.add(input)
      stream.input = input
    }
  }

  private func running(
    _ clock: SessionPlan.Clock, of position: ObservationPosition, in plan: SessionPlan
  ) -> SumClock<Sample>? {
    switch clock {
    case .feeding(let place):
      let heldBack = plan.delay(from: position, to: place, filters.quality) ?? .zero
      return sinkWriters.first { $0.place == place }.map { sinkWriter in
        .feeding(
          sinkWriter,
          heldBack.samples(at: plan.sumFormat?.sampleRate ?? sinkWriter.format.sampleRate))
      }
    case .beside(let place, let clock):
      clock.watch()
      return sinkWriters.first { $0.place == place }.map { .beside($0, clock) }
    case .capturing(let id):
      return sourceReaders.first { $0.id == id }.map { .capturing($0) }
    }
  }
}

/// A count of samples per channel that one part of the session writes and another reads. Session thread only.
final class SampleCount {
  var samplesPerChannel: Int64

  init(_ samplesPerChannel: Int64 = 0) { self.samplesPerChannel = samplesPerChannel }
}
