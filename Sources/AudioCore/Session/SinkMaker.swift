// SPDX-License-Identifier: Apache-2.0
/// The facts that a session gives to the maker of one of its sinks.
public struct SinkRequest: Sendable {
  /// The encodings of all sources that feed the sink, in the order of adding, local first.
  public var encodings: [SampleEncoding]
  /// Whether one of those sources is live.
  public var isLive: Bool
  /// The metadata of the only source, without the parts that are no longer true; of several sources the texts and
  /// pictures that all share, and the title of the first one. Nil if there is none.
  public var metadata: Metadata?
  /// The length of the longest source, or the session's ``Session/duration`` if that is shorter. Nil if one of the sources
  /// does not know its length beforehand. A duration in samples shortens it only if there is no sum, whose rate is not
  /// settled yet.
  public var duration: Duration?

  /// Makes a request, for tests of a maker.
  public init(
    encodings: [SampleEncoding], isLive: Bool = false, metadata: Metadata? = nil,
    duration: Duration? = nil
  ) {
    self.encodings = encodings
    self.isLive = isLive
    self.metadata = metadata
    self.duration = duration
  }
}

/// Makes a sink once the session knows its sources. An error ends the session: an ``AudioError`` unchanged, any other
/// error as the ``AudioError/underlying`` of one.
public typealias SinkMaker = (SinkRequest) throws -> any AudioSink
