/// A session's plan, built in one precision: chains between sources, observers, sums and sinks.
struct SessionGraph<Sample: AudioSample> {
  /// In the order of flow, as everything here.
  private(set) var intakes: [Intake<Sample>] = []
  private(set) var sums: [SumPace<Sample>] = []
  private(set) var outlets: [Outlet<Sample>] = []
  /// The stages that observers stand in.
  private(set) var observing: [any ObservingStage<Sample>] = []
  /// The streams that follow a device's clock.
  private(set) var followings: [FollowedStream] = []

  private let filters: ResamplerFilters<Sample>
  private let isLive: Bool
  private let control: SessionControl
  private let followedClocks: [(sink: SinkLife, clock: any PacingClock)]
  private var mixers: [ObservationPosition: Mixer<Sample>] = [:]
  private let waits: [ObservationPosition: Duration]

  init(
    _ plan: SessionPlan, quality: ResamplerQuality, control: SessionControl
  ) throws(AudioError) {
    isLive = plan.isLive
    // Live, a block has to come out when it has gone in.
    filters = ResamplerFilters(quality: quality, pool: plan.isLive ? nil : WorkerPool())
    self.control = control
    waits = plan.sums.reduce(into: [:]) { $0[$1.position] = $1.wait }
    followedClocks = plan.followings.map { ($0.sink, $0.sinkClock) }
    if let format = plan.sumFormat {
      for sum in plan.sums {
        mixers[sum.position] = Mixer<Sample>(format: format, length: sum.length)
      }
    }
    for route in plan.routes { try add(route) }
    for sum in plan.sums {
      guard let mixer = mixers[sum.position] else { continue }
      sums.append(
        SumPace(
          mixer, sum.clocks.compactMap { running($0, of: sum.position, in: plan) }, wait: sum.wait))
    }
  }

  private mutating func add(_ route: SessionPlan.Route) throws(AudioError) {
    var chain: Chain<Sample>
    switch route.origin {
    case .source(let source):
      chain = Chain(format: source.description.format, blockSize: route.blockSize)
    case .sum(let position):
      guard let mixer = mixers[position] else { return }
      chain = mixer.output
    }
    if let gains = route.gains {
      chain.append(ChannelGain<Sample>(gains, format: chain.format))
    }
    try observe(chain, route)
    var intake: Intake<Sample>?
    if let source = route.origin.source {
      // How far a source is read ahead does not show at its observers.
      if let extent = route.extent, extent.shown < extent.read, !route.observation.observers.isEmpty
      {
        let observed = chain
        chain = Chain(format: observed.format, blockSize: route.blockSize)
        chain.append(BoundedStage(observed, atMost: extent.shown))
      }
      let made = Intake(source, into: chain, atMost: route.extent?.read)
      intakes.append(made)
      intake = made
    }
    for (taker, part) in zip(route.takers, chain.split(route.takers.count)) {
      try lead(part, to: taker, intake)
    }
  }

  /// Puts the observers of a route at the end of its chain.
  private mutating func observe(
    _ chain: Chain<Sample>, _ route: SessionPlan.Route
  ) throws(AudioError) {
    let source = route.origin.source?.entry
    let identity = StreamIdentity(
      position: route.observation.position, source: source?.id, group: source?.group)
    for planned in route.observation.observers {
      let stage = try planned.observer.stage(
        StageSetting<Sample>(
          observer: planned.observer, identity: identity, mode: planned.mode,
          shape: planned.shape, inputFormat: chain.format, start: route.start,
          encoding: route.encoding, filters: filters, isLive: isLive, control: control))
      chain.append(stage)
      observing.append(stage)
    }
  }

  /// Leads the end of a chain to one taker.
  ///
  /// - Parameter intake: of the source whose stream it is; nil for a sum.
  private mutating func lead(
    _ chain: Chain<Sample>, to taker: SessionPlan.Taker, _ intake: Intake<Sample>?
  ) throws(AudioError) {
    let before = SampleCount(taker.offset)
    var followed: FollowedStream?
    if let following = taker.following, let intake {
      let stream = try chain.convert(
        to: taker.format, following, quality: filters.quality, read: intake.read, before: before)
      followings.append(stream)
      followed = stream
    } else {
      try chain.convert(to: taker.format, with: filters)
    }
    if let gains = taker.gains {
      chain.append(ChannelGain<Sample>(gains, format: taker.format))
    }
    if let followed {
      // The delay that is kept: the playing device starts with a full buffer.
      chain.output.appendSilence(followed.begin() * chain.format.channelCount)
    }
    switch taker.destination {
    case .sink(let sink):
      outlets.append(
        Outlet(sink, from: chain, clock: followedClocks.first { $0.sink === sink }?.clock))
    case .sum(let position):
      let live = intake.flatMap { intake in
        intake.isLive
          ? MixerInput.Live(
            intake: intake, heldBack: taker.heldBack.samples(at: chain.format.sampleRate),
            isFollowing: taker.following != nil)
          : nil
      }
      let ahead = max(.zero, (waits[position] ?? .zero) - taker.heldBack)
      chain.slack = Int(ahead.samples(at: chain.format.sampleRate)) * chain.format.channelCount
      mixers[position]?.add(
        MixerInput(chain, offset: taker.offset, live: live, before: before))
    }
  }

  private func running(
    _ clock: SessionPlan.Clock, of position: ObservationPosition, in plan: SessionPlan
  ) -> SumClock<Sample>? {
    switch clock {
    case .feeding(let place):
      let heldBack = plan.delay(from: position, to: place, filters.quality) ?? .zero
      return outlets.first { $0.place == place }.map { outlet in
        .feeding(
          outlet, heldBack.samples(at: plan.sumFormat?.sampleRate ?? outlet.format.sampleRate))
      }
    case .beside(let place, let clock):
      clock.watch()
      return outlets.first { $0.place == place }.map { .beside($0, clock) }
    case .capturing(let id):
      return intakes.first { $0.id == id }.map { .capturing($0) }
    }
  }
}

/// Samples per channel that one part of the session counts and another looks at. Session thread only.
final class SampleCount {
  var samplesPerChannel: Int64

  init(_ samplesPerChannel: Int64 = 0) { self.samplesPerChannel = samplesPerChannel }
}
