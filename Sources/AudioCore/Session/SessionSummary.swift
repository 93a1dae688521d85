// SPDX-License-Identifier: Apache-2.0
/// The configuration that a session settled before the first sample moved.
public struct SessionSummary: Sendable {
  /// A source and the stream it gives.
  public struct Source: Sendable {
    public var key: SourceKey
    /// Whether all participants share the source.
    public var isShared: Bool
    public var description: SourceDescription

    public var id: SourceID { key.id }
    public var group: SourceID? { key.group }
  }

  /// A sink and its formats.
  public struct Sink: Sendable {
    public var place: SinkPlace
    /// The format of the stream that reaches the sink.
    public var streamFormat: StreamFormat
    /// The format of the sink; the session converts if it differs from ``streamFormat``.
    public var format: StreamFormat
  }

  public var sources: [Source]
  public var sinks: [Sink]
  /// The format of the sum; nil in a session without a sum.
  public var mixFormat: StreamFormat?
  public var precision: SamplePrecision
  /// The pairs of devices whose clocks differ.
  public var followings: [Following] = []

  /// A source whose device has another clock than the sink's device: its stream follows the sink's clock.
  public struct Following: Sendable {
    public var source: SourceKey
    public var place: SinkPlace
    /// From capture to playback, kept for as long as the session runs.
    public var latency: FollowingLatency
  }
}
