// SPDX-License-Identifier: Apache-2.0
/// Everything that is settled before a session runs: every stream's way from where it begins to all who take
/// it, and every format.
struct SessionPlan {
  /// In the order of flow: what leads into a sum comes before the sum.
  var routes: [Route]
  var sums: [Sum]
  /// The format of every sum; nil where nothing is summed.
  let sumFormat: StreamFormat?
  let sources: [SourceLife]
  let sinks: [SinkLife]
  /// Whether sources may join and the session goes on without any.
  var isOpen = false

  /// One stream.
  struct Route {
    let origin: Origin
    /// The factor of each channel, applied before anybody observes; nil where all are 1.
    var gains: [Double]?
    /// When the stream begins, counted from the start of the session, in samples per channel at `clock`.
    var start: (samples: Int64, clock: Int) = (0, 1)
    /// How much of it is wanted; nil = all.
    var extent: Extent?
    /// About how many samples, across all channels, are to be on the way.
    var blockSize = BlockSize.samples
    /// Who observes it, and the format behind them.
    let observation: ObservationPlan
    /// The widest encoding among the sources that feed it.
    let encoding: SampleEncoding
    /// Sinks first.
    var takers: [Taker]
  }

  enum Origin {
    case source(SourceLife)
    /// The sum at this position.
    case sum(ObservationPosition)
  }

  /// The part of a source that a sum with an end needs, in samples per channel.
  struct Extent {
    /// What observers are shown: it lies within the sum.
    let shown: Int64
    /// What is read: a rate conversion needs to know more than lies within the sum.
    let read: Int64
  }

  /// Who takes a stream, and how it is made to fit.
  struct Taker {
    let destination: Destination
    /// What the destination wants; the stream is converted to it.
    let format: StreamFormat
    /// Set where the stream has to follow the clock of a device on its way.
    var following: ClockFollowingPlan?
    /// The factor of each channel on entering a sum; nil where all are 1.
    var gains: [Double]?
    /// When the stream begins in a sum, in samples per channel of it.
    var offset: Int64 = 0
  }

  enum Destination {
    case sink(SinkLife)
    /// The sum at this position.
    case sum(ObservationPosition)
  }

  /// Where streams are added.
  struct Sum {
    let position: ObservationPosition
    /// Samples per channel after which it ends, whatever its inputs have; nil = with its last input.
    let length: Int64?
    /// The clocks that tell how far it has to be; the first that runs counts.
    var clocks: [Clock] = []
  }

  /// What tells a sum how far it has to be, so that a live source that has nothing holds up nobody.
  enum Clock {
    /// A device plays what the sum gives, and must not run dry.
    case feeding(SinkPlace)
    /// A device plays something else; the sum goes on as that device plays.
    case beside(SinkPlace, any PacingClock)
    /// A device is captured from.
    case capturing(SourceKey)
  }
}

extension SessionPlan {
  /// Whether a source gives samples that cannot be had again.
  var isRecording: Bool { isOpen || sources.contains { !$0.description.isRepeatable } }

  var isLive: Bool {
    isOpen || sources.contains { $0.description.isLive } || sinks.contains { $0.sink.pace.isLive }
  }

  /// Where streams follow the clock of a device, in the order of flow.
  var followings: [ClockFollowingPlan] { routes.flatMap { $0.takers.compactMap(\.following) } }

  /// The first sink behind `taker` that a device paces, and the observers on the way there.
  func pacedSink(behind taker: Taker) -> (sink: SinkLife, past: [ObservationPlan])? {
    switch taker.destination {
    case .sink(let life): return life.sink.pace.clock == nil ? nil : (life, [])
    case .sum(let position):
      for route in routes where route.origin.isSum(at: position) {
        for taker in route.takers {
          guard let found = pacedSink(behind: taker) else { continue }
          return (found.sink, [route.observation] + found.past)
        }
      }
      return nil
    }
  }

  /// Whether the sum at `position` reaches `sink`.
  func reaches(_ sink: SinkLife, from position: ObservationPosition) -> Bool {
    routes.filter { $0.origin.isSum(at: position) }.flatMap(\.takers).contains { taker in
      switch taker.destination {
      case .sink(let life): life === sink
      case .sum(let next): reaches(sink, from: next)
      }
    }
  }
}

extension SessionPlan {
  /// The longest time from the sum at `position` to the sink of `place`; nil where it does not lead there.
  func delay(
    from position: ObservationPosition, to place: SinkPlace, _ quality: ResamplerQuality
  ) -> Duration? {
    for route in routes where route.origin.isSum(at: position) {
      for taker in route.takers {
        let further: Duration? =
          switch taker.destination {
          case .sink(let life): life.place == place ? .zero : nil
          case .sum(let next): delay(from: next, to: place, quality)
          }
        if let further { return delay(of: route, to: taker, quality) + further }
      }
    }
    return nil
  }

  /// The longest time that the stages of a route hold it back on the way to one of its takers.
  func delay(of route: Route, to taker: Taker, _ quality: ResamplerQuality) -> Duration {
    let rate = route.observation.outputFormat.sampleRate
    return route.observation.heldBack(quality)
      + quality.delay(from: rate, to: taker.format.sampleRate)
  }
}

extension SessionPlan.Origin {
  func isSum(at position: ObservationPosition) -> Bool {
    if case .sum(position) = self { true } else { false }
  }

  var source: SourceLife? {
    if case .source(let life) = self { life } else { nil }
  }
}

extension SessionPlan.Destination {
  func isSum(at position: ObservationPosition) -> Bool {
    if case .sum(position) = self { true } else { false }
  }
}
