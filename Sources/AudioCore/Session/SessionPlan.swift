// SPDX-License-Identifier: Apache-2.0
/// The settled configuration of a session before its run: the format of every stream, and its route from its origin to
/// all its takers.
struct SessionPlan {
  /// The routes in the order of flow: the inputs of a sum come before the sum.
  var routes: [Route]
  var sums: [Sum]
  /// The format of every sum; nil without sums.
  let sumFormat: StreamFormat?
  let sources: [SourceLife]
  let sinks: [SinkLife]
  /// Whether sources may join and the session goes on without any.
  var isOpen = false

  /// One stream.
  struct Route {
    let origin: Origin
    /// The factor of each channel, applied in front of all observers; nil if all are 1.
    var gains: [Double]?
    /// The start of the stream since the start of the session, in samples per channel at `clock`.
    var start: (samples: Int64, clock: Int) = (0, 1)
    /// The needed part of the stream; nil = all.
    var extent: Extent?
    /// The approximate number of samples on the way, across all channels.
    var blockSize = BlockSize.samples
    /// The observers and the format behind them.
    let observation: ObservationPlan
    /// The widest encoding among the sources that feed it.
    let encoding: SampleEncoding
    /// The takers, sinks first.
    var takers: [Taker]
  }

  enum Origin {
    case source(SourceLife)
    /// The sum at this position.
    case sum(ObservationPosition)
    /// The sum at mixed without this source.
    case mixedExcept(SourceKey)
  }

  /// The part of a source that a session of limited length needs, in samples per channel.
  struct Extent {
    /// The part that observers and sinks get: it lies within the session.
    let shown: Int64
    /// The part to read: a rate conversion needs samples beyond the session's end.
    let read: Int64
  }

  /// A destination of a stream, with the conversion to it.
  struct Taker {
    let destination: Destination
    /// The format to which the stream is converted: the destination's, or fewer channels if it has channels of a sum for
    /// itself.
    var format: StreamFormat
    /// The first channel of the sum, from 0, that the stream has for itself; nil if it is added to all of them.
    var firstChannel: Int?
    /// The plan for following a device's clock, if the stream has to.
    var following: ClockFollowingPlan?
    /// The factor of each channel on entering a sum; nil if all are 1.
    var gains: [Double]?
    /// The start of the stream in the sum, in samples per channel of the sum.
    var offset: Int64 = 0
  }

  enum Destination {
    case sink(SinkLife)
    /// The sum at this position.
    case sum(ObservationPosition)
  }

  /// The sum of the streams at a position.
  struct Sum {
    let position: ObservationPosition
    /// The length in samples per channel, regardless of the inputs; nil = up to the end of the last input.
    let length: Int64?
    /// The clocks that set the sum's pace; the first running one counts.
    var clocks: [Clock] = []
  }

  /// A clock that sets a sum's pace, so a live source without samples never stalls the sum.
  enum Clock {
    /// A device plays the sum and must not underrun.
    case feeding(SinkPlace)
    /// A device plays another stream; the sum keeps its pace.
    case beside(SinkPlace, any PacingClock)
    /// A device captures the source.
    case capturing(SourceKey)
  }
}

extension SessionPlan {
  /// Whether the samples of a source are lost unless this run keeps them.
  var isRecording: Bool { isOpen || sources.contains { !$0.description.isRepeatable } }

  var isLive: Bool {
    isOpen || sources.contains { $0.description.isLive } || sinks.contains { $0.sink.pace.isLive }
  }

  /// The clock followings of all streams, in the order of flow.
  var followings: [ClockFollowingPlan] { routes.flatMap { $0.takers.compactMap(\.following) } }

  /// A way to a sink: the streams on it, each with the taker by which it goes on.
  typealias Way = (sink: SinkLife, streams: [(route: Route, taker: Taker)])

  /// Returns the ways from `taker` to sinks.
  private func ways(behind taker: Taker) -> [Way] {
    switch taker.destination {
    case .sink(let life): [(life, [])]
    case .sum(let position): ways(from: position)
    }
  }

  /// Returns the ways from the sum at `position` to sinks.
  private func ways(from position: ObservationPosition) -> [Way] {
    routes.filter { $0.origin.isSum(at: position) }.flatMap { route in
      route.takers.flatMap { taker in
        ways(behind: taker).map { ($0.sink, [(route, taker)] + $0.streams) }
      }
    }
  }

  /// Returns the first sink behind `taker` that a device paces, and the observers on the way.
  func pacedSink(behind taker: Taker) -> (sink: SinkLife, past: [ObservationPlan])? {
    ways(behind: taker).first { $0.sink.sink.pace.clock != nil }
      .map { ($0.sink, $0.streams.map(\.route.observation)) }
  }

  func reaches(_ sink: SinkLife, from position: ObservationPosition) -> Bool {
    ways(from: position).contains { $0.sink === sink }
  }

  /// Returns the longest delay from the sum at `position` to the sink of `place`; nil if the sum does not lead there.
  func delay(
    from position: ObservationPosition, to place: SinkPlace, _ quality: ResamplerQuality
  ) -> Duration? {
    ways(from: position).first { $0.sink.place == place }?.streams.reduce(.zero) { total, stream in
      total + delay(of: stream.route, to: stream.taker, quality)
    }
  }

  /// Returns the longest delay of a route's stages on the way to one of its takers.
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

  /// The source that the sum leaves out; nil if it leaves out none.
  var except: SourceKey? {
    if case .mixedExcept(let key) = self { key } else { nil }
  }
}

extension SessionPlan.Destination {
  func isSum(at position: ObservationPosition) -> Bool {
    if case .sum(position) = self { true } else { false }
  }
}
