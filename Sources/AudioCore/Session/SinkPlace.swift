// SPDX-License-Identifier: Apache-2.0
/// The three outputs of a session.
public enum SinkPlace: String, Sendable, Hashable, CaseIterable {
  /// The local source, after record.
  case publish
  /// The sum of the remote and shared sources.
  case playback
  /// Record and playback together.
  case mixed
}

/// The facts that a session gives to the maker of one of its sinks.
public struct SinkRequest: Sendable {
  /// The encodings of all sources that feed the sink, in the order of adding, local first.
  public var encodings: [SampleEncoding]
  /// Whether one of those sources is live.
  public var isLive: Bool
  /// The metadata of the only source, without the parts that are no longer true; nil if several sources feed the sink
  /// or the source has none.
  public var metadata: Metadata?
}

/// Makes a sink once the session knows its sources. An error ends the session: an ``AudioError`` unchanged, any other
/// error as the ``AudioError/underlying`` of one.
public typealias SinkMaker = (SinkRequest) throws -> any AudioSink
