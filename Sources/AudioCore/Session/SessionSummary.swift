// SPDX-License-Identifier: Apache-2.0
/// What a session settled on before the first sample moved.
public struct SessionSummary: Sendable {
  /// A source and the stream it gives.
  public struct Source: Sendable {
    public var key: SourceKey
    /// Whether everybody in the session shares it.
    public var isShared: Bool
    public var description: SourceDescription

    public var id: SourceID { key.id }
    public var group: SourceID? { key.group }
  }

  /// A sink and what it takes.
  public struct Sink: Sendable {
    public var place: SinkPlace
    /// The format of the stream that reaches the sink.
    public var streamFormat: StreamFormat
    /// The format that the sink takes; where it differs, the session converts.
    public var format: StreamFormat
  }

  public var sources: [Source]
  public var sinks: [Sink]
  /// The format of the sum; nil in a session that sums nothing.
  public var mixFormat: StreamFormat?
  public var precision: SamplePrecision
  /// The pairs of devices between which a clock is followed.
  public var followings: [Following] = []

  /// A source whose device's clock is not that of the sink's device: its stream follows the latter.
  public struct Following: Sendable {
    public var source: SourceKey
    public var place: SinkPlace
    /// From capture to playback, kept for as long as the session runs.
    public var latency: FollowingLatency
  }
}
