// SPDX-License-Identifier: Apache-2.0
/// A source of samples that a program has in memory.
///
/// ```swift
/// let session = Session()
/// try session.setLocal(ArraySource(samples, format: format))
/// let sink = ArraySink<Float>(format: try StreamFormat(sampleRate: 16_000, channelCount: 1))
/// try session.setSink(sink, at: .publish)
/// _ = try session.run()
/// ```
///
/// Its length is known, and it is not live. Sessions may use it one after another; each reads it from the beginning.
/// Its encoding is f32, f64 or s16, after the type of its samples, so a session loses no precision.
public final class ArraySource<Sample: FrameSample>: AudioSource {
  public let format: StreamFormat
  /// Interleaved, nominal range ±1.0 (`Int16`: −32768…32767).
  public let samples: [Sample]
  /// The index of the first unread sample.
  private var next = 0

  /// - Parameters:
  ///   - samples: interleaved whole sample frames, nominal range ±1.0 (`Int16`: −32768…32767).
  ///   - format: their rate and channel count.
  /// - Throws: `invalidParameter` if the samples end within a sample frame.
  public init(_ samples: [Sample], format: StreamFormat) throws(AudioError) {
    try format.checkSampleFrames(samples.count)
    self.samples = samples
    self.format = format
  }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) -> SourceDescription {
    next = 0
    return SourceDescription(
      format: format, encoding: Sample.encoding,
      samplesPerChannel: Int64(samples.count / format.channelCount))
  }

  public func skip(samplesPerChannel count: Int64) -> Bool {
    let left = (samples.count - next) / format.channelCount
    next += Int(min(count, Int64(left))) * format.channelCount
    return true
  }

  public func read<Target: AudioSample>(into output: inout OutputSpan<Target>) -> SourceStatus {
    let count = min(output.freeCapacity, samples.count - next)
    if count == 0 { return .ended }
    let samples = samples
    Target.accept(samples.span.extracting(next..<next + count), into: &output)
    next += count
    return .ready
  }

  public func stop() {}

  public func dispose() {}
}
