/// An audio frame that owns its samples: what ``AudioFrame/copy()`` gives.
public struct AudioFrameCopy<Sample: FrameSample>: Sendable {
  /// Interleaved samples.
  public let samples: [Sample]
  public let format: StreamFormat
  /// Where the first sample stands, in samples per channel from the start of the
  /// session.
  public let samplePosition: Int64
  /// Whether this is the stream's last frame and shorter than was asked for.
  public let isPartial: Bool
  public let source: SourceID?
  public let group: SourceID?

  /// The time of the first sample in milliseconds, rounded down.
  public var renderTime: Int64 {
    AudioTime.milliseconds(samplePosition, at: format.sampleRate)
  }
}
