// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The use of a source or a sink by one stream, from before its `initialize` to the release of this object, which comes
/// after its `dispose`.
///
/// An object has one life cycle at a time. Two streams that read one source would get a part of its samples each, and
/// both would go on without an error.
package final class EndpointClaim {
  /// An object may be a source and a sink at once, as a loop is.
  private struct Use: Hashable {
    let object: ObjectIdentifier
    let isSink: Bool
  }

  private static let claimed = Mutex<Set<Use>>([])
  /// Kept, so that no other object gets their addresses.
  private let objects: [AnyObject]
  private let uses: [Use]

  /// Claims a source and those behind it.
  ///
  /// - Parameter name: the source's name in errors.
  /// - Throws: `lifeCycle` if one of them is claimed.
  package convenience init(_ source: any AudioSource, named name: String) throws(AudioError) {
    try self.init(Self.objects(of: source), areSinks: false, "source \(name)")
  }

  /// Claims a sink and those behind it.
  ///
  /// - Parameter name: the sink's name in errors.
  /// - Throws: `lifeCycle` if one of them is claimed.
  package convenience init(_ sink: any AudioSink, named name: String) throws(AudioError) {
    try self.init(Self.objects(of: sink), areSinks: true, "sink \(name)")
  }

  private init(
    _ objects: [AnyObject], areSinks: Bool, _ subject: String
  ) throws(AudioError) {
    let uses = objects.map { Use(object: ObjectIdentifier($0), isSink: areSinks) }
    let isFree = Self.claimed.withLock { claimed in
      guard Set(uses).count == uses.count, claimed.isDisjoint(with: uses) else { return false }
      claimed.formUnion(uses)
      return true
    }
    guard isFree else {
      throw AudioError(
        .lifeCycle, cannot: "initialize", subject,
        because: "another stream of this session, or of one that runs, has its object already",
        advice: "make one for each")
    }
    self.objects = objects
    self.uses = uses
  }

  deinit { Self.claimed.withLock { $0.subtract(uses) } }

  private static func objects(of source: any AudioSource) -> [AnyObject] {
    let behind =
      (source as? any WrappingSource).map { [$0.source] }
      ?? (source as? any ComposedSource)?.sources ?? []
    return [source] + behind.flatMap { objects(of: $0) }
  }

  private static func objects(of sink: any AudioSink) -> [AnyObject] {
    let behind = (sink as? any WrappingSink)?.sink ?? (sink as? any ComposedSink)?.behind
    return [sink] + (behind.map { objects(of: $0) } ?? [])
  }
}

/// A source that reads others, and does more than a ``WrappingSource`` does.
package protocol ComposedSource: AudioSource {
  var sources: [any AudioSource] { get }
}

/// A sink that writes to another one, and does more than a ``WrappingSink`` does.
package protocol ComposedSink: AudioSink {
  var behind: any AudioSink { get }
}
