// SPDX-License-Identifier: Apache-2.0
/// Plans the connections of a session's sources, observers and sinks by walking ``RoutingRow/all``.
struct SessionPlanner {
  let session: Session
  let local: SourceLife?
  let incoming: [SourceLife]
  let sinks: [SinkLife]
  let observers: [RegisteredObserver]

  /// Makes the plan; initialises every sink with the format that reaches it.
  ///
  /// - Throws: the error of an observer's parameters, a sink or a source's mixing.
  func plan() throws(AudioError) -> SessionPlan {
    let sums = RoutingRow.all.filter { $0.hasMixer && isMade($0) }
    let ownChannels = try ownChannelCounts()
    let format = try sums.isEmpty ? nil : sumFormat(ownChannels.reduce(0, +))
    var plan = SessionPlan(
      routes: [], sums: [], sumFormat: format, sources: sources, sinks: sinks,
      isOpen: session.end.isOpen)
    for line in RoutingRow.all {
      for (origin, native) in origins(of: line, sumFormat: format) {
        let observation = try ObservationPlan(
          line.position, of: origin.source?.entry.key, native: native, observers: observers,
          session: session.parameters[line.position],
          carried: { try? origin.source?.metadata() })
        for sink in sinks(of: line, origin) {
          if sink.place.track != nil { try sink.requireNoDevice() }
          try sink.reach(with: observation.outputFormat, wakeup: session.control.wakeup)
        }
        plan.routes.append(
          SessionPlan.Route(
            origin: origin, observation: observation,
            encoding: .widest(feeding(line, origin).map { $0.description.encoding }), takers: []))
      }
    }
    for except in leftOut {
      if let route = try route(except: except, in: plan) { plan.routes.append(route) }
    }
    for line in sums {
      guard let format else { continue }
      plan.sums.append(
        SessionPlan.Sum(
          position: line.position, length: try length(at: format.sampleRate, format)))
    }
    for index in plan.routes.indices where plan.routes[index].origin.except == nil {
      try connect(&plan.routes[index], format, plan.sums, ownChannels)
    }
    for index in plan.routes.indices { follow(from: index, in: &plan) }
    for index in plan.sums.indices {
      plan.sums[index].clocks = clocks(of: plan.sums[index].position, in: plan)
    }
    return plan
  }

  /// Returns the route of a remote or shared source that joins a running session. It begins at the sum's beginning; its
  /// only taker has the source's offset.
  ///
  /// - Throws: the errors of ``plan()`` for this source.
  func route(joining life: SourceLife, to plan: SessionPlan) throws(AudioError) -> SessionPlan.Route
  {
    guard let format = plan.sumFormat else {
      throw AudioError(
        .lifeCycle, cannot: "add source", life.entry.key.description,
        because: "the session sums nothing")
    }
    let observation = try ObservationPlan(
      .beforeMixing, of: life.entry.key, native: life.description.format, observers: observers,
      session: session.parameters[.beforeMixing])
    guard !life.entry.mixing.hasOwnChannels else {
      throw AudioError(
        .unsupported, cannot: "add source", life.entry.key.description,
        because: "a running session has no channels for it alone", advice: "add it before the run")
    }
    var route = SessionPlan.Route(
      origin: .source(life), observation: observation, encoding: life.description.encoding,
      takers: [])
    route.blockSize = BlockSize.smallest
    var taker = SessionPlan.Taker(destination: .sum(.playback), format: format)
    taker.offset = try life.entry.mixing.offset.length(at: format.sampleRate, as: "offset")
    taker.gains = try life.entry.mixing.channelGains(format)
    route.takers = [taker]
    return route
  }

  /// Returns the route of mixed without a source, with all its observers and sinks; nil if the session does not make
  /// mixed.
  ///
  /// - Throws: the errors of ``plan()`` for this sum.
  func route(except: SourceKey, in plan: SessionPlan) throws(AudioError) -> SessionPlan.Route? {
    guard let format = plan.sumFormat else { return nil }
    let observation = try ObservationPlan(
      .mixed, of: nil, except: except, native: format, observers: observers,
      session: session.parameters[.mixed])
    var route = SessionPlan.Route(
      origin: .mixedExcept(except), observation: observation,
      encoding: .widest(
        plan.sources.filter { $0.entry.key != except }.map { $0.description.encoding }),
      takers: [])
    if let sink = sink(.playbackOf(except)) {
      try sink.requireNoDevice()
      try sink.reach(with: observation.outputFormat, wakeup: session.control.wakeup)
      if let format = sink.format {
        route.takers = [SessionPlan.Taker(destination: .sink(sink), format: format)]
      }
    }
    return route
  }

  /// The sources without which a sink or an observer needs mixed.
  private var leftOut: [SourceKey] {
    let keys = sinks.compactMap(\.place.except) + observers.compactMap(\.except)
    var seen: Set<SourceKey> = []
    return keys.filter { seen.insert($0).inserted }
  }

  private var sources: [SourceLife] { (local.map { [$0] } ?? []) + incoming }

  private func sink(_ place: SinkPlace) -> SinkLife? { sinks.first { $0.place == place } }

  // MARK: Formats

  /// Whether the streams of this line exist as a sum or a part of one.
  private func isMade(_ line: RoutingRow) -> Bool {
    switch line.origin {
    case .localSource, .incomingSources: false
    case .sum: session.end.isOpen || !line.sources(local: local, incoming: incoming).isEmpty
    case .sumOnDemand:
      session.end.isOpen || line.sinks.contains { sink($0) != nil }
        || observers.contains { $0.needsSum(at: line.position) }
        || line.position == .mixed && !leftOut.isEmpty
    case .sharedPart:
      session.end.isOpen
        || !incoming.isEmpty && observers.contains { $0.observes(line.position, of: nil) }
    }
  }

  /// The default format of a sum without inputs.
  private static let emptySampleRate = 48_000
  private static let emptyChannelCount = 2

  /// Returns the format of Σ: as set, else as negotiated by a live playback sink, else the sources' largest. All
  /// sources count, so observing `mixed` does not change `playback`.
  ///
  /// - Parameter ownChannels: the channels that sources have for themselves.
  private func sumFormat(_ ownChannels: Int) throws(AudioError) -> StreamFormat {
    let formats = sources.map { $0.description.format }
    let channelCount = session.mixChannelCount ?? formats.map { $0.channelCount }.max()
    let proposal = try StreamFormat(
      sampleRate: session.mixSampleRate ?? formats.map { $0.sampleRate }.max()
        ?? Self.emptySampleRate,
      channelCount: session.mixChannelCount == nil && ownChannels > 0
        ? ownChannels : channelCount ?? Self.emptyChannelCount)
    if ownChannels > proposal.channelCount {
      throw AudioError(
        .invalidParameter, cannot: "mix to", "\(proposal.channelCount) channels",
        because: "the sources have \(ownChannels) of their own")
    }
    guard let sink = sink(.playback), sink.sink.pace.isLive else { return proposal }
    try sink.reach(with: proposal, wakeup: session.control.wakeup)
    return try StreamFormat(
      sampleRate: session.mixSampleRate ?? sink.format?.sampleRate ?? proposal.sampleRate,
      channelCount: session.mixChannelCount ?? sink.format?.channelCount ?? proposal.channelCount)
  }

  /// Returns the number of channels that each incoming source has for itself in the sum; 0 for one that is mixed.
  private func ownChannelCounts() throws(AudioError) -> [Int] {
    try incoming.map { (source) throws(AudioError) in
      guard source.entry.mixing.hasOwnChannels else { return 0 }
      return try ObservationPlan(
        .beforeMixing, of: source.entry.key, native: source.description.format,
        observers: observers, session: session.parameters[.beforeMixing]
      ).outputFormat.channelCount
    }
  }

  /// Returns the streams that begin at a line, and their formats.
  private func origins(
    of line: RoutingRow, sumFormat: StreamFormat?
  ) -> [(SessionPlan.Origin, StreamFormat)] {
    switch line.origin {
    case .localSource, .incomingSources:
      return line.sources(local: local, incoming: incoming).map {
        (.source($0), $0.description.format)
      }
    case .sum, .sumOnDemand, .sharedPart:
      guard let sumFormat, isMade(line) else { return [] }
      return [(.sum(line.position), sumFormat)]
    }
  }

  private func feeding(_ line: RoutingRow, _ origin: SessionPlan.Origin) -> [SourceLife] {
    origin.source.map { [$0] } ?? line.sources(local: local, incoming: incoming)
  }

  // MARK: Takers

  /// Returns the session's length in samples per channel at `rate`; nil if it has none.
  private func length(at rate: Int, _ sumFormat: StreamFormat?) throws(AudioError) -> Int64? {
    guard let duration = session.duration else { return nil }
    guard case .samples = duration, let sumFormat else {
      return try duration.length(at: rate, as: "duration")
    }
    let length = try duration.length(at: sumFormat.sampleRate, as: "duration")
    return AudioTime.rescaled(length, from: sumFormat.sampleRate, to: rate)
  }

  private func connect(
    _ route: inout SessionPlan.Route, _ sumFormat: StreamFormat?,
    _ sums: [SessionPlan.Sum], _ ownChannels: [Int]
  ) throws(AudioError) {
    let line = route.observation.position.line
    for sink in sinks(of: line, route.origin) {
      guard let format = sink.format else { continue }
      route.takers.append(SessionPlan.Taker(destination: .sink(sink), format: format))
    }
    if let format = sumFormat, let sum = sums.first(where: { $0.position == line.sum }) {
      var taker = SessionPlan.Taker(destination: .sum(sum.position), format: format)
      if line.origin == .incomingSources, let source = route.origin.source {
        try mix(source, into: &taker, &route, ownChannels)
      }
      route.takers.append(taker)
    }
    if line.origin == .localSource, let source = route.origin.source {
      let format = source.description.format
      route.gains = try source.entry.mixing.channelGains(format)
    }
    route.extent = try extent(of: route, sumFormat)
  }

  /// Returns the part of a source that a session of limited length needs; nil if it needs all.
  private func extent(
    of route: SessionPlan.Route, _ sumFormat: StreamFormat?
  ) throws(AudioError) -> SessionPlan.Extent? {
    guard let source = route.origin.source else { return nil }
    let rate = source.description.format.sampleRate
    let isLocal = source === local
    let (start, clock) = isLocal ? (0, rate) : route.start
    guard let length = try length(at: clock, sumFormat) else { return nil }
    let shown = ResamplingRatio(from: clock, to: rate).outputLength(of: max(0, length - start))
    // An editing observer must see every sample, since a sample that passes it would be heard unedited. All streams of
    // an open session end together.
    let isPassable =
      !route.observation.edits && !route.observation.isLed
      && !(session.end.isOpen && isLocal)
    let further = route.takers.map {
      furtherSamples(of: source.description, at: $0.format.sampleRate)
    }
    return SessionPlan.Extent(shown: shown, read: shown + (isPassable ? further.max() ?? 0 : 0))
  }

  /// Sets a source's entry into its sum.
  private func mix(
    _ source: SourceLife, into taker: inout SessionPlan.Taker, _ route: inout SessionPlan.Route,
    _ ownChannels: [Int]
  ) throws(AudioError) {
    let sum = taker.format
    let offset = try source.entry.mixing.offset.length(at: sum.sampleRate, as: "offset")
    route.blockSize = BlockSize.samples(inEachOf: incoming.count)
    route.start = (offset, sum.sampleRate)
    taker.offset = offset
    if source.entry.mixing.hasOwnChannels {
      let before = incoming.prefix { $0 !== source }.count
      taker.firstChannel = ownChannels.prefix(before).reduce(0, +)
      taker.format = try StreamFormat(
        sampleRate: sum.sampleRate, channelCount: route.observation.outputFormat.channelCount)
    }
    taker.gains = try source.entry.mixing.channelGains(taker.format)
  }

  /// Returns the samples per channel of a source that a rate conversion needs behind the end of a stream at `rate`. That
  /// does not wait for a live source's future samples.
  private func furtherSamples(of source: SourceDescription, at rate: Int) -> Int64 {
    if source.format.sampleRate == rate || source.isLive { return 0 }
    let ratio = ResamplingRatio(from: source.format.sampleRate, to: rate)
    return Int64(session.resamplerQuality.reach(for: ratio))
  }

  private func sinks(of line: RoutingRow, _ origin: SessionPlan.Origin) -> [SinkLife] {
    sinks.filter { sink in
      if let track = sink.place.track {
        return line.origin == .incomingSources && origin.source?.entry.key == track
      }
      guard line.sinks.contains(sink.place) else { return false }
      guard let source = origin.source else { return true }
      return RoutingRow.sources(feeding: sink.place, local: local, incoming: incoming)
        .contains { $0 === source }
    }
  }

  // MARK: Clocks

  /// Plans the clock following of a source whose stream meets another device's clock.
  private func follow(from index: Int, in plan: inout SessionPlan) {
    let route = plan.routes[index]
    guard let source = route.origin.source else { return }
    for (number, taker) in route.takers.enumerated() {
      guard let (sink, past) = plan.pacedSink(behind: taker) else { continue }
      plan.routes[index].takers[number].following = ClockFollowingPlan(
        from: source, to: sink, inputRate: route.observation.outputFormat.sampleRate,
        outputRate: taker.format.sampleRate, past: [route.observation] + past,
        quality: session.resamplerQuality)
    }
  }

  /// Returns the clocks of a sum: the devices that play sums, then the captured devices.
  private func clocks(
    of position: ObservationPosition, in plan: SessionPlan
  ) -> [SessionPlan.Clock] {
    let takesDevice = plan.routes.contains { route in
      route.origin.source?.description.pace.clock != nil
        && route.takers.contains { $0.destination.isSum(at: position) }
    }
    let players = plan.routes.filter { $0.origin.source == nil }.flatMap(\.takers)
    let played: [SessionPlan.Clock] = players.compactMap { taker in
      guard case .sink(let sink) = taker.destination, let clock = sink.sink.pace.clock
      else { return nil }
      let isBeside =
        takesDevice && clock.timing != nil && !plan.reaches(sink, from: position)
      return isBeside ? .beside(sink.place, clock) : .feeding(sink.place)
    }
    let captured: [SessionPlan.Clock] = plan.sources
      .filter { $0.description.pace.clock != nil }.map { .capturing($0.entry.key) }
    return played + captured
  }
}
