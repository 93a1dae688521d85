/// What a ``MeterObserver`` read.
public struct LevelReading: Sendable {
  /// Which part of the stream a reading covers.
  public enum Span: Sendable, Hashable {
    /// One of the meter's intervals; the stream's last may be shorter.
    case interval
    /// All of the stream; comes once, at its end.
    case overall
  }

  public var stream: ObservedStream
  public var span: Span
  /// Where it begins, in samples per channel at the rate of the observer's frames.
  public var samplePosition: Int64
  /// How long it is.
  public var samplesPerChannel: Int64
  /// One level for each channel.
  public var channels: [Level]
}
