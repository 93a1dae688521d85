// SPDX-License-Identifier: Apache-2.0
extension RoutingRow {
  /// Returns the sources whose audio reaches the sink of `place`, in the order of flow.
  static func sources(
    feeding place: SinkPlace, local: SourceLife?, incoming: [SourceLife]
  ) -> [SourceLife] {
    if let track = place.track { return incoming.filter { $0.entry.key == track } }
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
