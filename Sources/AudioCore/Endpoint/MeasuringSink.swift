// SPDX-License-Identifier: Apache-2.0
/// Measures what it gets and stores nothing: the first of two passes, where an edit needs to know the whole.
///
/// ```swift
/// let sink = MeasuringSink()
/// try session.setSink(.publish, sink)
/// _ = try session.run()
/// let factor = Decibels.factor(-1) / sink.peak
/// ```
///
/// Its results are those of the samples in double precision, as if there were no output to round to.
public final class MeasuringSink: AudioSink {
  private let threshold: Double?
  private let sampleRate: Int?
  private let channelCount: Int?
  private var width = 1
  /// Samples per channel that came.
  public private(set) var samplesPerChannel: Int64 = 0
  /// The largest finite magnitude of a sample; 0 = silence.
  public private(set) var peak = 0.0
  /// From the first sample that reaches the threshold to behind the last one, in samples per channel; nil where
  /// none does.
  public private(set) var sound: Range<Int64>?

  /// - Parameters:
  ///   - threshold: a magnitude above 0, for ``sound``; nil = it is not looked for.
  ///   - sampleRate: at which it measures, in hertz; nil = that of the stream.
  ///   - channelCount: likewise.
  public init(threshold: Double? = nil, sampleRate: Int? = nil, channelCount: Int? = nil) {
    self.threshold = threshold
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  public var precision: SamplePrecision { .double }
  public var room: Int { .max }

  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: sampleRate, channelCount: channelCount)
    width = format.channelCount
    return format
  }

  public func start() throws(AudioError) {}

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    peak = max(peak, largestMagnitude(samples))
    if let threshold { find(samples, reaching: Sample(threshold)) }
    samplesPerChannel += Int64(samples.count / width)
    return .accepted
  }

  private func find<Sample: AudioSample>(_ samples: Span<Sample>, reaching threshold: Sample) {
    guard let last = Sample.lastIndex(in: samples, reaching: threshold) else { return }
    let end = samplesPerChannel + Int64(last / width) + 1
    if let sound {
      self.sound = sound.lowerBound..<end
    } else if let first = Sample.firstIndex(in: samples, reaching: threshold) {
      sound = samplesPerChannel + Int64(first / width)..<end
    }
  }

  public func stop(_ reason: StopReason) throws(AudioError) {}

  public func dispose() {}
}

/// One call for each block, so that the loop inside is the specialised one.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func largestMagnitude<Sample: AudioSample>(_ samples: Span<Sample>) -> Double {
  var largest: Sample = 0
  for index in 0..<samples.count {
    let magnitude = abs(samples[index])
    // Neither NaN nor an infinity is larger.
    if magnitude > largest, magnitude <= .greatestFiniteMagnitude { largest = magnitude }
  }
  return Double(largest)
}
