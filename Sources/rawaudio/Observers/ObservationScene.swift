// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The streams of a command's session that can be observed.
struct ObservationScene: Sendable {
  /// The name of the session in errors: "mix".
  var name: String
  /// The position for `--samples-per-call`.
  var main: ObservationPosition
  /// The positions in the order of the signal flow.
  var positions: [ObservationPosition]
  /// The sources of `record`, whose stream is separate.
  var local: [SourceKey] = []
  /// The sources of `before-mixing`, in the order of the session.
  var incoming: [SourceKey] = []
  /// Whether there is a sink after `playback`.
  var hasPlaybackSink = false
  /// Whether there is a sink after `mixed`.
  var hasMixedSink = false
  /// Whether further sources join while the session runs.
  var isOpen = false
}

extension ObservationScene {
  /// A session with one source, which is recorded.
  static func recording(_ name: String) -> ObservationScene {
    ObservationScene(name: name, main: .record, positions: [.record], local: [.local])
  }

  /// A session that sums remote sources.
  static func summing(_ sourceCount: Int, _ name: String) -> ObservationScene {
    ObservationScene(
      name: name, main: .playback, positions: [.beforeMixing, .playback, .mixed],
      incoming: (0..<sourceCount).map { SourceKey(ordinal: $0 + 1) })
  }

  private func sources(at position: ObservationPosition) -> [SourceKey] {
    switch position.line.origin {
    case .localSource: local
    case .incomingSources: incoming
    case .sum, .sumOnDemand, .sharedPart: []
    }
  }

  /// Checks that the session has the position and the source of an observer.
  func check(_ request: ObserverRequest) throws(InvalidValue) {
    let position = request.position.rawValue
    guard positions.contains(request.position) else {
      throw InvalidValue(
        "\(name) has no position \(position); it has \(Self.list(positions.map(\.rawValue)))")
    }
    let leadsNowhere = request.position.line.leadsNowhere
    let isUntaken = leadsNowhere || request.position == .mixed && !hasMixedSink
    if request.edits, isUntaken {
      let others = positions.filter { $0 != .mixed && !$0.line.leadsNowhere }
      let places = leadsNowhere ? [.beforeMixing] : others
      throw InvalidValue(
        "nothing takes the \(position) stream of \(name), so an observer cannot edit it; edit at"
          + " \(places.map(\.rawValue).joinedAsAlternatives), or say mode=read-only")
    }
    guard let source = request.source else { return }
    if isOpen, request.position == .beforeMixing { return }
    let sources = sources(at: request.position)
    if sources.isEmpty {
      let others = positions.filter { !self.sources(at: $0).isEmpty }.map(\.rawValue)
      throw InvalidValue(
        "\(position) is a sum of sources; @SOURCE goes with \(others.joinedAsAlternatives)")
    }
    guard sources.contains(source) else {
      throw InvalidValue(
        "\(position) has no source \(source); it has \(Self.list(sources.map(\.description)))")
    }
  }

  /// The names of the streams seen by an observer.
  func streamNames(of request: ObserverRequest) -> [String] {
    let sources = sources(at: request.position)
    if sources.isEmpty { return [request.position.rawValue] }
    return sources.filter { request.source == nil || $0 == request.source }.map(\.fileName)
  }

  /// A list that is readable even for hundreds of sources.
  private static func list(_ names: [String]) -> String {
    let most = 10
    if names.count <= most + 1 { return names.joinedAsList }
    return names.prefix(most).joined(separator: ", ") + " and \(names.count - most) more"
  }
}
