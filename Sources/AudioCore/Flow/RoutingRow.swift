// SPDX-License-Identifier: Apache-2.0
/// The audio flow of every session: the picture in ``Session`` as a table.
///
/// A line is an observation position, with the origin and the destinations of its streams. A new position or sink place
/// is a line, or a word in one.
package struct RoutingRow {
  package enum Origin {
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
  package let origin: Origin
  /// The places of the sinks that take these streams.
  var sinks: [SinkPlace] = []
  /// The position whose sum takes these streams.
  var sum: ObservationPosition?

  /// Every position, each after those that lead to it.
  static let all = [
    RoutingRow(position: .record, origin: .localSource, sinks: [.publish], sum: .mixed),
    RoutingRow(position: .beforeMixing, origin: .incomingSources, sum: .playback),
    RoutingRow(position: .shared, origin: .sharedPart),
    RoutingRow(position: .playback, origin: .sum, sinks: [.playback], sum: .mixed),
    RoutingRow(position: .mixed, origin: .sumOnDemand, sinks: [.mixed]),
  ]
}

extension RoutingRow {
  /// Whether a mixer of its own makes the stream.
  var hasMixer: Bool { origin == .sum || origin == .sumOnDemand }

  /// Whether the session makes the stream only for those that asked for it before the run.
  var isOnDemand: Bool { origin == .sumOnDemand || origin == .sharedPart }

  /// Whether the streams lead to no sink and to no sum, so an edit would be lost.
  package var leadsNowhere: Bool { sinks.isEmpty && sum == nil }
}

extension ObservationPosition {
  package var line: RoutingRow {
    guard let line = RoutingRow.all.first(where: { $0.position == self }) else {
      preconditionFailure("position \(rawValue) has no line in the flow")
    }
    return line
  }

  /// Whether a stream at this position is a sum of sources.
  package var isSum: Bool {
    let origin = line.origin
    return origin != .localSource && origin != .incomingSources
  }
}
