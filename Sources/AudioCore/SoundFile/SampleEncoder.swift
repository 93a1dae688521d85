/// Quantises samples into a writer's layout and hands them on in large blocks.
///
/// Session thread only.
final class SampleEncoder {
  private let writer: any SampleWriter
  private let staged = ByteQueue(capacity: FileDescriptor.blockSize)
  private let bytesPerFrame: Int
  private let channelCount: Int
  private var quantiser: Quantiser
  private var scaled = SampleQueue<Double>()
  /// Samples per channel that the writer took.
  var samplesPerChannel: Int64 { writer.sampleFrames }
  private var isReaderGone = false

  init(_ writer: any SampleWriter, channelCount: Int, dither: Dither) {
    self.writer = writer
    self.channelCount = channelCount
    bytesPerFrame = writer.layout.bytesPerSample * channelCount
    quantiser = Quantiser(layout: writer.layout, dither: dither)
  }

  /// Samples so far that did not fit.
  var clippedSamples: Int { quantiser.clippedSamples + writer.clippedSamples }

  /// Takes interleaved whole sample frames; they may stay here until the next `flush`.
  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    var start = 0
    while start < samples.count, !isReaderGone {
      let room = staged.free / bytesPerFrame * channelCount
      guard room > 0 else {
        _ = try flush()
        continue
      }
      let end = min(samples.count, start + room)
      stage(samples.extracting(start..<end))
      start = end
    }
    return isReaderGone ? .readerGone : .accepted
  }

  /// Hands on everything held back.
  func flush() throws(AudioError) -> SinkStatus {
    let staged = staged
    guard !isReaderGone, staged.count > 0 else { return isReaderGone ? .readerGone : .accepted }
    // What a failed write did not take is lost; it must not be tried again.
    defer { staged.consume(staged.count) }
    isReaderGone = try unsafe writer.write(staged.bytes) == .readerGone
    return isReaderGone ? .readerGone : .accepted
  }

  private func stage<Sample: AudioSample>(_ samples: Span<Sample>) {
    let byteCount = samples.count * writer.layout.bytesPerSample
    guard let bits = writer.significantBits, let carrier = writer.layout.encoding.bytesPerSample,
      bits < carrier * 8
    else {
      staged.append(exactly: byteCount) { bytes in quantiser.encode(samples, into: &bytes) }
      return
    }
    let scaled = scaled
    scaled.removeAll()
    scaled.append(atMost: samples.count) { output in Sample.append(samples, to: &output) }
    var values = scaled.writable
    Double.scale(&values, by: 1 / Double(1 << (carrier * 8 - bits)))
    staged.append(exactly: byteCount) { bytes in quantiser.encode(scaled.readable, into: &bytes) }
  }
}
