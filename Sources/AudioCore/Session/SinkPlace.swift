// SPDX-License-Identifier: Apache-2.0
/// The three places where a session hands its audio out.
public enum SinkPlace: String, Sendable, Hashable, CaseIterable {
  /// The local source, after record.
  case publish
  /// The sum of the remote and shared sources.
  case playback
  /// Record and playback together.
  case mixed
}

/// What a session tells whoever makes one of its sinks.
public struct SinkRequest: Sendable {
  /// The encodings of all sources that feed the sink, in the order of adding, local first.
  public var encodings: [SampleEncoding]
  /// Whether one of those sources is live.
  public var isLive: Bool
  /// What the only source carries beside its samples, as far as it is still true; nil where several feed the sink, or
  /// nothing is said.
  public var metadata: Metadata?
}

/// Makes a sink once the session knows its sources. What it throws ends the session: an ``AudioError`` as it is, any
/// other error as the ``AudioError/underlying`` of one.
public typealias SinkMaker = (SinkRequest) throws -> any AudioSink
