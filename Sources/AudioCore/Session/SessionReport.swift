// SPDX-License-Identifier: Apache-2.0
/// The result of a session.
public struct SessionReport: Sendable {
  @nonexhaustive
  public enum Outcome: Sendable {
    /// Every source ended.
    case finished
    /// The session was asked to finish early, and all samples taken so far were delivered.
    case stopped
    /// The session was asked to abandon its work.
    case abandoned
    /// The reader of a pipe went away.
    case readerGone
    /// The run threw an error: only in ``Session/report``.
    case failed
  }

  /// The samples of one source.
  public struct Source: Sendable {
    public var key: SourceKey
    public var format: StreamFormat
    public var samplesPerChannel: Int64
    /// The silence that stood in for a live source without samples while the session's clock went on, in samples per
    /// channel at its rate.
    public var missingSamplesPerChannel: Int64

    public var id: SourceID { key.id }
    public var group: SourceID? { key.group }

    public init(
      key: SourceKey, format: StreamFormat, samplesPerChannel: Int64,
      missingSamplesPerChannel: Int64 = 0
    ) {
      self.key = key
      self.format = format
      self.samplesPerChannel = samplesPerChannel
      self.missingSamplesPerChannel = missingSamplesPerChannel
    }
  }

  /// The samples of one sink.
  public struct Sink: Sendable {
    public var place: SinkPlace
    public var format: StreamFormat
    public var samplesPerChannel: Int64

    public init(place: SinkPlace, format: StreamFormat, samplesPerChannel: Int64) {
      self.place = place
      self.format = format
      self.samplesPerChannel = samplesPerChannel
    }
  }

  public var outcome: Outcome
  /// The sources present from the beginning, the local one first, then those that joined. A source that joined again
  /// has the sum of its stays, but an entry for each format.
  public var sources: [Source]
  public var sinks: [Sink]
  /// The drift corrections between devices with two clocks.
  public var followings: [Following] = []
  /// Likely mistakes in the observers registered to the end, for their authors.
  public var notices: [SessionNotice] = []

  public init(
    outcome: Outcome, sources: [Source] = [], sinks: [Sink] = [], followings: [Following] = [],
    notices: [SessionNotice] = []
  ) {
    self.outcome = outcome
    self.sources = sources
    self.sinks = sinks
    self.followings = followings
    self.notices = notices
  }
}

extension SessionReport {
  /// The drift correction of a stream that follows the clock of the device that plays it.
  public struct Following: Sendable {
    public var source: SourceKey
    public var place: SinkPlace
    /// The intended delay from capture to playback.
    public var latency: Duration
    /// The last delay; nil if the devices never ran together.
    public private(set) var delay: Duration?
    /// The shortest and the longest delay.
    public private(set) var delayRange: ClosedRange<Duration>?
    /// The deviation of the ratio from its nominal value at the end: 0.0001 is 100 parts per million more samples for
    /// the sink than the source gave.
    public private(set) var correction = 0.0
    /// The number of resynchronisations: jumps to the intended latency, as after an underrun.
    public internal(set) var resynchronisations = 0
    /// The silence inserted by resynchronisations, in samples per channel at the sink's end.
    public internal(set) var insertedSamplesPerChannel: Int64 = 0
    /// The samples per channel dropped by resynchronisations, at the source's end.
    public internal(set) var droppedSamplesPerChannel: Int64 = 0

    mutating func observe(delay: Duration, correction: Double) {
      self.delay = delay
      self.correction = correction
      let range = delayRange ?? delay...delay
      delayRange = min(range.lowerBound, delay)...max(range.upperBound, delay)
    }
  }
}

/// The progress of a running session, reported after every step that moved samples.
public struct SessionProgress: Sendable {
  /// The samples per channel of the furthest source so far, and its rate.
  public var samplesPerChannel: Int64
  public var sampleRate: Int
  /// The length of the longest source, in samples per channel at `sampleRate`; nil if unknown.
  public var expectedSamplesPerChannel: Int64?
  /// The place of a live session that is now, in samples per channel since its start, and their rate; nil if nothing paces it.
  package var present: (position: Int64, sampleRate: Int)?
}

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
