// SPDX-License-Identifier: Apache-2.0
/// A sink that collects the samples in memory.
///
/// ```swift
/// let sink = ArraySink<Float>()
/// try session.setSink(sink, at: .publish)
/// _ = try session.run()
/// print(sink.samples.count, sink.format?.description ?? "")
/// ```
///
/// `Int16` is rounded to the nearest value, without dither, and saturated. Sessions may use the sink one after another;
/// each begins with an empty array. Session thread only.
public final class ArraySink<Sample: FrameSample>: AudioSink {
  private let wanted: StreamFormat?
  /// The samples so far, kept if the session fails: interleaved, nominal range ±1.0 (`Int16`: −32768…32767).
  public private(set) var samples: [Sample] = []
  /// The format of the samples; nil before the session has begun.
  public private(set) var format: StreamFormat?
  /// Samples that `Int16` cannot hold: beyond full scale, infinite or not a number. Always 0 for the other types.
  public private(set) var clippedSamples: Int64 = 0

  /// - Parameter format: the format to convert to; nil = the stream's format.
  public init(format: StreamFormat? = nil) { wanted = format }

  public var precision: SamplePrecision { Sample.encoding.precision }
  public var room: Int { .max }

  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) -> StreamFormat {
    let format = wanted ?? proposal
    self.format = format
    samples = []
    clippedSamples = 0
    return format
  }

  public func write<Written: AudioSample>(_ written: Span<Written>) -> SinkStatus {
    samples += [Sample](capacity: written.count) { Written.present(written, in: &$0) }
    if Sample.self == Int16.self { clippedSamples += Int64(Written.countOfClipped(in: written)) }
    return .accepted
  }

  public func stop(_ reason: StopReason) {}

  public func dispose() {}
}

extension AudioSample {
  /// How many samples 16 bits cannot hold.
  fileprivate static func countOfClipped(in samples: Span<Self>) -> Int {
    let piece = 256
    return unsafe withUnsafeTemporaryAllocation(
      byteCount: piece * MemoryLayout<Int16>.stride, alignment: MemoryLayout<Int16>.alignment
    ) { memory in
      var count = 0
      for start in stride(from: 0, to: samples.count, by: piece) {
        let part = samples.extracting(start..<min(start + piece, samples.count))
        let bytes = unsafe UnsafeMutableRawBufferPointer(
          rebasing: memory[..<(part.count * MemoryLayout<Int16>.stride)])
        var target = unsafe MutableRawSpan(_unsafeBytes: bytes)
        count += encode(part, as: SampleLayout(.s16), into: &target)
      }
      return count
    }
  }
}
