/// A ring of samples in one of the two precisions: the way between a session and a program's thread.
///
/// One thread writes, one reads; neither waits for the other.
struct SampleChannel: ~Copyable, Sendable {
  let format: StreamFormat
  let precision: SamplePrecision
  let ring: SampleRing

  /// - Parameter capacity: in samples per channel, at least 1.
  init(format: StreamFormat, precision: SamplePrecision, capacity: Int) {
    self.format = format
    self.precision = precision
    ring = SampleRing(
      capacity: capacity, sampleFrameSize: precision.bytesPerSample * format.channelCount)
  }

  /// Writes what fits. Writing thread only.
  ///
  /// - Returns: how many samples, across all channels, were taken.
  func write<Sample: FrameSample>(_ samples: Span<Sample>) -> Int {
    switch precision {
    case .single: ring.write(samples, storedAs: Float.self)
    case .double: ring.write(samples, storedAs: Double.self)
    }
  }

  /// Appends at most `limit` samples per channel to `output`. Reading thread only.
  ///
  /// - Returns: how many samples per channel were appended.
  func read<Sample: FrameSample>(atMost limit: Int, into output: inout OutputSpan<Sample>) -> Int {
    switch precision {
    case .single: ring.read(atMost: limit, storedAs: Float.self, into: &output)
    case .double: ring.read(atMost: limit, storedAs: Double.self, into: &output)
    }
  }
}
