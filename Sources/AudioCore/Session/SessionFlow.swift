// SPDX-License-Identifier: Apache-2.0
/// The audio flow of every session: the picture in ``Session`` as a table.
///
/// A line is an observation position, with the origin and the destinations of its streams. A new position or sink place
/// is a line, or a word in one.
struct FlowLine {
  enum Origin {
    case localSource
    /// One stream for each remote or shared source.
    case incomingSources
    /// The sum of all streams that lead to this position.
    case sum
    /// Such a sum, made only if a sink or an observer needs it.
    case sumOnDemand
    /// The shared sources' part of playback's sum, made only if an observer needs it.
    case sharedPart
  }

  let position: ObservationPosition
  let origin: Origin
  /// The places of the sinks that take these streams.
  var sinks: [SinkPlace] = []
  /// The position whose sum takes these streams.
  var sum: ObservationPosition?

  /// Every position, each after those that lead to it.
  static let all = [
    FlowLine(position: .record, origin: .localSource, sinks: [.publish], sum: .mixed),
    FlowLine(position: .beforeMixing, origin: .incomingSources, sum: .playback),
    FlowLine(position: .shared, origin: .sharedPart),
    FlowLine(position: .playback, origin: .sum, sinks: [.playback], sum: .mixed),
    FlowLine(position: .mixed, origin: .sumOnDemand, sinks: [.mixed]),
  ]
}

extension FlowLine {
  var isSum: Bool { origin == .sum || origin == .sumOnDemand }

  /// Returns the sources whose audio reaches the sink of `place`, in the order of flow.
  static func sources(
    feeding place: SinkPlace, local: SourceLife?, incoming: [SourceLife]
  ) -> [SourceLife] {
    if let except = place.except {
      return sources(feeding: .mixed, local: local, incoming: incoming)
        .filter { $0.entry.key != except }
    }
    return all.filter { $0.sinks.contains(place) }
      .flatMap { $0.sources(local: local, incoming: incoming) }
  }

  /// Returns the sources whose audio reaches this line, in the order of flow.
  func sources(local: SourceLife?, incoming: [SourceLife]) -> [SourceLife] {
    switch origin {
    case .localSource: local.map { [$0] } ?? []
    case .incomingSources: incoming
    case .sharedPart: incoming.filter(\.entry.isShared)
    case .sum, .sumOnDemand:
      Self.all.filter { $0.sum == position }
        .flatMap { $0.sources(local: local, incoming: incoming) }
    }
  }
}

/// The outputs of a session.
public enum SinkPlace: Sendable, Hashable {
  /// The local source, after record.
  case publish
  /// The sum of the remote and shared sources.
  case playback
  /// Record and playback together.
  case mixed
  /// The sum that this source hears: all sources without itself, as they enter ``playback`` and ``mixed``, so in front
  /// of the observers of those sums. The source may join and leave; while it is absent, nothing is left out. The sink
  /// must not be a device.
  case playbackOf(SourceKey)
}

extension SinkPlace: CustomStringConvertible, Comparable {
  /// The place in words, such as `playback of anna`.
  public var description: String {
    switch self {
    case .publish: "publish"
    case .playback: "playback"
    case .mixed: "mixed"
    case .playbackOf(let key): "playback of \(key)"
    }
  }

  /// The source that the sum leaves out; nil if it leaves out none.
  var except: SourceKey? {
    if case .playbackOf(let key) = self { key } else { nil }
  }

  /// The order of flow; places of sources are in the order of their names.
  public static func < (left: Self, right: Self) -> Bool {
    (left.order, left.description) < (right.order, right.description)
  }

  private var order: Int {
    switch self {
    case .publish: 0
    case .playback: 1
    case .mixed: 2
    case .playbackOf: 3
    }
  }
}

/// The facts that a session gives to the maker of one of its sinks.
public struct SinkRequest: Sendable {
  /// The encodings of all sources that feed the sink, in the order of adding, local first.
  public var encodings: [SampleEncoding]
  /// Whether one of those sources is live.
  public var isLive: Bool
  /// The metadata of the only source, without the parts that are no longer true; of several sources the texts and
  /// pictures that all share, and the title of the first one. Nil if there is none.
  public var metadata: Metadata?
  /// The length of the longest source in seconds; nil if one is not known beforehand.
  public var duration: Double?
}

/// Makes a sink once the session knows its sources. An error ends the session: an ``AudioError`` unchanged, any other
/// error as the ``AudioError/underlying`` of one.
public typealias SinkMaker = (SinkRequest) throws -> any AudioSink
