// SPDX-License-Identifier: Apache-2.0
/// Settles how a session's sources, observers and sinks are joined: walks ``FlowLine/all`` and makes the plan.
struct SessionPlanner {
  let session: Session
  let local: SourceLife?
  let incoming: [SourceLife]
  let sinks: [SinkLife]
  let observers: [RegisteredObserver]

  /// Makes the plan; initialises every sink with the format that reaches it.
  ///
  /// - Throws: what an observer's parameters, a sink or a source's mixing is refused for.
  func plan() throws(AudioError) -> SessionPlan {
    let sums = FlowLine.all.filter { $0.isSum && isMade($0) }
    let format = try sums.isEmpty ? nil : sumFormat()
    var plan = SessionPlan(
      routes: [], sums: [], sumFormat: format, sources: sources, sinks: sinks,
      isOpen: session.end.isOpen)
    for line in FlowLine.all {
      for (origin, native) in origins(of: line, sumFormat: format) {
        let observation = try ObservationPlan(
          line.position, of: origin.source?.entry.key, native: native, observers: observers,
          session: session.parameters[line.position],
          carried: { try? origin.source?.metadata() })
        for sink in sinks(of: line, origin) {
          try sink.reach(with: observation.outputFormat, wakeup: session.control.wakeup)
        }
        plan.routes.append(
          SessionPlan.Route(
            origin: origin, observation: observation,
            encoding: .widest(feeding(line, origin).map { $0.description.encoding }), takers: []))
      }
    }
    for line in sums {
      plan.sums.append(
        SessionPlan.Sum(position: line.position, length: try length(of: line, format)))
    }
    for index in plan.routes.indices { try connect(&plan.routes[index], format, plan.sums) }
    for index in plan.routes.indices { follow(from: index, in: &plan) }
    for index in plan.sums.indices {
      plan.sums[index].clocks = clocks(of: plan.sums[index].position, in: plan)
    }
    return plan
  }

  /// The route of a remote or shared source that joins a running session; it begins at the sum's beginning, and
  /// an offset of its own is in the offset of its taker, the only one.
  ///
  /// - Throws: as ``plan()`` for this source.
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

  private var sources: [SourceLife] { (local.map { [$0] } ?? []) + incoming }

  private func sink(_ place: SinkPlace) -> SinkLife? { sinks.first { $0.place == place } }

  // MARK: Formats

  /// Whether there is a stream of a sum, or a part of one.
  private func isMade(_ line: FlowLine) -> Bool {
    switch line.origin {
    case .localSource, .incomingSources: false
    case .sum: session.end.isOpen || !line.sources(local: local, incoming: incoming).isEmpty
    case .sumOnDemand:
      session.end.isOpen || line.sinks.contains { sink($0) != nil }
        || observers.contains { $0.observes(line.position, of: nil) }
    case .sharedPart:
      session.end.isOpen
        || !incoming.isEmpty && observers.contains { $0.observes(line.position, of: nil) }
    }
  }

  /// The format of a sum that nobody is in yet.
  private static let emptySampleRate = 48_000
  private static let emptyChannelCount = 2

  /// The format of Σ: as set, else as a live playback sink negotiates, else the sources' largest. All
  /// sources count, so that watching `mixed` does not change what `playback` is.
  private func sumFormat() throws(AudioError) -> StreamFormat {
    let formats = sources.map { $0.description.format }
    let proposal = try StreamFormat(
      sampleRate: session.mixSampleRate ?? formats.map { $0.sampleRate }.max()
        ?? Self.emptySampleRate,
      channelCount: session.mixChannelCount ?? formats.map { $0.channelCount }.max()
        ?? Self.emptyChannelCount)
    guard let sink = sink(.playback), sink.sink.pace.isLive else { return proposal }
    try sink.reach(with: proposal, wakeup: session.control.wakeup)
    return try StreamFormat(
      sampleRate: session.mixSampleRate ?? sink.format?.sampleRate ?? proposal.sampleRate,
      channelCount: session.mixChannelCount ?? sink.format?.channelCount ?? proposal.channelCount)
  }

  /// The streams that begin at a line, and their formats.
  private func origins(
    of line: FlowLine, sumFormat: StreamFormat?
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

  private func feeding(_ line: FlowLine, _ origin: SessionPlan.Origin) -> [SourceLife] {
    origin.source.map { [$0] } ?? line.sources(local: local, incoming: incoming)
  }

  // MARK: Takers

  /// Where the sum of a line ends: only the sum of the incoming sources has a length of its own.
  private func length(of line: FlowLine, _ format: StreamFormat?) throws(AudioError) -> Int64? {
    guard line.position == .playback, let format else { return nil }
    return try session.mixDuration?.length(at: format.sampleRate, as: "mix duration")
  }

  /// Leads a route to its sinks and into its sum.
  private func connect(
    _ route: inout SessionPlan.Route, _ sumFormat: StreamFormat?,
    _ sums: [SessionPlan.Sum]
  ) throws(AudioError) {
    guard let line = FlowLine.all.first(where: { $0.position == route.observation.position })
    else { return }
    for sink in sinks(of: line, route.origin) {
      guard let format = sink.format else { continue }
      route.takers.append(SessionPlan.Taker(destination: .sink(sink), format: format))
    }
    if let format = sumFormat, let sum = sums.first(where: { $0.position == line.sum }) {
      var taker = SessionPlan.Taker(destination: .sum(sum.position), format: format)
      if line.origin == .incomingSources, let source = route.origin.source {
        try mix(source, into: &taker, &route, length: sum.length)
      }
      route.takers.append(taker)
    }
    if line.origin == .localSource, let source = route.origin.source {
      let format = source.description.format
      route.gains = try source.entry.mixing.channelGains(format)
      // An open session ends as a whole.
      if session.end.isOpen, let duration = session.mixDuration {
        let length = try duration.length(at: format.sampleRate, as: "mix duration")
        route.extent = SessionPlan.Extent(shown: length, read: length)
      }
    }
  }

  /// How a source enters its sum, and how much of it the sum takes.
  private func mix(
    _ source: SourceLife, into taker: inout SessionPlan.Taker, _ route: inout SessionPlan.Route,
    length: Int64?
  ) throws(AudioError) {
    let sum = taker.format
    let offset = try source.entry.mixing.offset.length(at: sum.sampleRate, as: "offset")
    route.blockSize = BlockSize.samples(inEachOf: incoming.count)
    route.start = (offset, sum.sampleRate)
    taker.offset = offset
    taker.gains = try source.entry.mixing.channelGains(sum)
    guard let length else { return }
    let format = source.description.format
    let shown = ResamplingRatio(from: sum.sampleRate, to: format.sampleRate)
      .outputLength(of: max(0, length - offset))
    // Nothing can be passed by an observer that edits: it would be heard as it was.
    let isPassable = !route.observation.edits && !route.observation.isLed
    let further = isPassable ? furtherSamples(of: source.description, at: sum.sampleRate) : 0
    route.extent = SessionPlan.Extent(shown: shown, read: shown + further)
  }

  /// How much of a source, in samples per channel, a rate conversion needs to know behind the end of a sum
  /// at `rate`. What a live source has not given yet is not waited for.
  private func furtherSamples(of source: SourceDescription, at rate: Int) -> Int64 {
    if source.format.sampleRate == rate || source.isLive { return 0 }
    let ratio = ResamplingRatio(from: source.format.sampleRate, to: rate)
    return Int64(session.resamplerQuality.reach(for: ratio))
  }

  /// The sinks that take a stream of a line.
  private func sinks(of line: FlowLine, _ origin: SessionPlan.Origin) -> [SinkLife] {
    sinks.filter { sink in
      guard line.sinks.contains(sink.place) else { return false }
      guard let source = origin.source else { return true }
      return FlowLine.sources(feeding: sink.place, local: local, incoming: incoming)
        .contains { $0 === source }
    }
  }

  // MARK: Clocks

  /// Finds where a source's stream meets another device's clock.
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

  /// The clocks of a sum: the devices that play sums, then the devices that are captured from.
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
