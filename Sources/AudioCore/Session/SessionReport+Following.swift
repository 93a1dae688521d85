extension SessionReport {
  /// How the stream of a source followed the clock of a sink.
  public struct Following: Sendable {
    public var source: SourceID
    public var place: SinkPlace
    /// Where the delay from capture to playback belongs, in seconds.
    public var latency: Double
    /// Where it was last, in seconds; nil where the devices never ran together.
    public private(set) var delay: Double?
    /// The shortest and the longest that it was, in seconds.
    public private(set) var delayRange: ClosedRange<Double>?
    /// By how much the ratio was off its nominal value at the end: 0.0001 is 100 parts per million more
    /// samples for the sink than the source gave.
    public private(set) var correction = 0.0
    /// How often the delay was set right at once, as after an underrun.
    public internal(set) var recentrings = 0
    /// The silence that this took, in samples per channel at the sink's end.
    public internal(set) var insertedSamples: Int64 = 0
    /// What this left out, in samples per channel at the source's end.
    public internal(set) var droppedSamples: Int64 = 0

    init(source: SourceID, place: SinkPlace, latency: Double) {
      self.source = source
      self.place = place
      self.latency = latency
    }

    mutating func observe(delay: Double, correction: Double) {
      self.delay = delay
      self.correction = correction
      let range = delayRange ?? delay...delay
      delayRange = min(range.lowerBound, delay)...max(range.upperBound, delay)
    }
  }
}
