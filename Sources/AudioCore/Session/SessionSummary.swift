/// What a session settled on before the first sample moved.
public struct SessionSummary: Sendable {
  /// A source and the stream it gives.
  public struct Source: Sendable {
    public var id: SourceID
    public var description: SourceDescription
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
    public var source: SourceID
    public var place: SinkPlace
    /// From capture to playback, kept for as long as the session runs.
    public var latency: FollowingLatency
  }
}

/// The three places where a session hands its audio out.
public enum SinkPlace: String, Sendable, Hashable, CaseIterable {
  /// The local source, after record.
  case publish
  /// The sum of the remote and shared sources.
  case playback
  /// Record and playback together.
  case mixed
}

/// How far a session has come, told now and then while it runs.
public struct SessionProgress: Sendable {
  /// The furthest source's samples per channel so far, and its rate.
  public var samplesPerChannel: Int64
  public var sampleRate: Int
  /// The length of the longest source, in samples per channel at `sampleRate`; nil where unknown.
  public var expectedSamplesPerChannel: Int64?
}

/// How a session ended.
public struct SessionReport: Sendable {
  public enum Outcome: Sendable {
    /// Every source came to its end.
    case finished
    /// It was asked to finish early, and everything taken so far was delivered.
    case stopped
    /// It was asked to abandon its work.
    case abandoned
    /// The reader of a pipe went away.
    case readerGone
  }

  /// What one source gave.
  public struct Source: Sendable {
    public var id: SourceID
    public var format: StreamFormat
    public var samplesPerChannel: Int64
    /// For how long a live source had nothing while the session's clock went on: that much silence stood
    /// in for it in the sums, in samples per channel at their rate.
    public var missingSamplesPerChannel: Int64
  }

  /// What one sink took.
  public struct Sink: Sendable {
    public var place: SinkPlace
    public var format: StreamFormat
    public var samplesPerChannel: Int64
  }

  public var outcome: Outcome
  public var sources: [Source]
  public var sinks: [Sink]
  /// How the pairs of devices with two clocks got on.
  public var followings: [Following] = []
}
