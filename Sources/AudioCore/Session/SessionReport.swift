// SPDX-License-Identifier: Apache-2.0
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
    public var key: SourceKey
    public var format: StreamFormat
    public var samplesPerChannel: Int64
    /// For how long a live source had nothing while the session's clock went on: that much silence stood
    /// in for it, in samples per channel at its rate.
    public var missingSamplesPerChannel: Int64

    public var id: SourceID { key.id }
    public var group: SourceID? { key.group }
  }

  /// What one sink took.
  public struct Sink: Sendable {
    public var place: SinkPlace
    public var format: StreamFormat
    public var samplesPerChannel: Int64
  }

  public var outcome: Outcome
  /// Those that were there from the beginning, the local one first, then those that joined. One that came again has
  /// its sum here, with another format an entry of its own.
  public var sources: [Source]
  public var sinks: [Sink]
  /// How the pairs of devices with two clocks got on.
  public var followings: [Following] = []
  /// Likely mistakes in the observers that were registered to the end, for who writes them.
  public var notices: [SessionNotice] = []
}

extension SessionReport {
  /// How a stream kept to the clock of the device that plays it, by drift correction.
  public struct Following: Sendable {
    public var source: SourceKey
    public var place: SinkPlace
    /// What the delay from capture to playback is to be.
    public var latency: Duration
    /// What it was last; nil where the devices never ran together.
    public private(set) var delay: Duration?
    /// The shortest and the longest that it was.
    public private(set) var delayRange: ClosedRange<Duration>?
    /// By how much the ratio was off its nominal value at the end: 0.0001 is 100 parts per million more
    /// samples for the sink than the source gave.
    public private(set) var correction = 0.0
    /// How often the stream was resynchronised: brought to its latency at once, as after an underrun.
    public internal(set) var resynchronisations = 0
    /// The silence that was put in for that, in samples per channel at the sink's end.
    public internal(set) var insertedSamples: Int64 = 0
    /// What was left out for that, in samples per channel at the source's end.
    public internal(set) var droppedSamples: Int64 = 0

    init(source: SourceKey, place: SinkPlace, latency: Duration) {
      self.source = source
      self.place = place
      self.latency = latency
    }

    mutating func observe(delay: Duration, correction: Double) {
      self.delay = delay
      self.correction = correction
      let range = delayRange ?? delay...delay
      delayRange = min(range.lowerBound, delay)...max(range.upperBound, delay)
    }
  }
}

/// How far a session has come, told now and then while it runs.
public struct SessionProgress: Sendable {
  /// The furthest source's samples per channel so far, and its rate.
  public var samplesPerChannel: Int64
  public var sampleRate: Int
  /// The length of the longest source, in samples per channel at `sampleRate`; nil where unknown.
  public var expectedSamplesPerChannel: Int64?
}
