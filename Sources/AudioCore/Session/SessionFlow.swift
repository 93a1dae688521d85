// SPDX-License-Identifier: Apache-2.0
/// How audio flows through every session: the picture in ``Session`` as a table.
///
/// A line is an observation position: where its streams begin, who takes them behind its observers. A new
/// position or sink place is a line, or a word in one.
struct FlowLine {
  enum Origin {
    case localSource
    /// One stream for each remote or shared source.
    case incomingSources
    /// The sum of all streams that lead here.
    case sum
    /// The same, made only where a sink takes it or an observer wants it.
    case sumOnDemand
    /// The part of playback's sum that comes from shared sources, made only where an observer wants it.
    case sharedPart
  }

  let position: ObservationPosition
  let origin: Origin
  /// Where the session hands these streams out.
  var sinks: [SinkPlace] = []
  /// The position whose sum these streams enter.
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
  /// Whether streams are added here.
  var isSum: Bool { origin == .sum || origin == .sumOnDemand }

  /// The sources whose audio reaches the sink of `place`, in the order of flow.
  static func sources(
    feeding place: SinkPlace, local: SourceLife?, incoming: [SourceLife]
  ) -> [SourceLife] {
    all.filter { $0.sinks.contains(place) }.flatMap { $0.sources(local: local, incoming: incoming) }
  }

  /// Every source whose audio reaches this line, in the order of flow.
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
