internal import AudioCore

extension SessionCommand {
  /// Holds what was named against each other.
  func check(_ endpoints: [SourceEndpoint]) throws(UsageError) {
    if endpoints.isEmpty {
      throw UsageError(
        "A session needs a source: \(Self.labels([Self.local], [Self.remote, Self.shared]))")
    }
    try SourceEndpoint.requireSingleStandardInput(endpoints)
    try SourceEndpoint.requireDuration(duration, for: endpoints)
    var taken: Set<SourceID> = [.local]
    for source in incoming where !taken.insert(source.id).inserted {
      throw UsageError("Two sources have the id '\(source.id)'; name each with ID=SOURCE")
    }
    if outputs[.publish] != nil, local == nil {
      throw UsageError(
        "'\(Self.publish.declaration.label)' needs \(Self.labels([Self.local], []))")
    }
    if outputs[.playback] != nil, incoming.isEmpty {
      throw UsageError(
        "'\(Self.playback.declaration.label)' needs \(Self.labels([], [Self.remote, Self.shared]))")
    }
  }

  /// A session whose audio nobody gets is a mistake.
  func checkThatSomethingComesOut() throws(UsageError) {
    guard outputs.isEmpty, !observation.observers.contains(where: \.tells) else { return }
    let sinks = Self.sinks.map { "'\($0.1.declaration.label)'" }.joinedAsAlternatives
    throw UsageError(
      "A session needs a sink, \(sinks), or an observer that tells something, such as"
        + " '--observe mixed:meter'")
  }

  private static func labels(
    _ local: [Option<SourceEndpoint>], _ others: [Option<NamedSource>]
  ) -> String {
    (local.map(\.declaration) + others.map(\.declaration)).map { "'\($0.label)'" }
      .joinedAsAlternatives
  }
}
