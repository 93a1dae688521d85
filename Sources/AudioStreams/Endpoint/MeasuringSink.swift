// SPDX-License-Identifier: Apache-2.0
/// Measures the samples and stores nothing: the first of two passes, if an edit depends on the whole stream.
///
/// ```swift
/// let sink = MeasuringSink()
/// try session.setSink(sink, at: .publish)
/// _ = try session.run()
/// let factor = Decibels.factor(-1) / sink.peak
/// ```
///
/// It measures the samples in double precision, before any output rounds them.
package final class MeasuringSink: AudioSink {
  private let threshold: Double?
  private let sampleRate: Int?
  private let channelCount: Int?
  private var width = 1
  /// Samples per channel so far.
  public private(set) var samplesPerChannel: Int64 = 0
  /// The largest finite magnitude of a sample; 0 = silence.
  public private(set) var peak = 0.0
  /// How many samples are NaN or infinite.
  public private(set) var notFiniteSamples = 0
  /// From the first sample that reaches the threshold, or is not finite, to behind the last one, in samples per
  /// channel; nil if no sample does.
  public private(set) var sound: Range<Int64>?

  /// - Parameters:
  ///   - threshold: a magnitude above 0, for ``sound``; nil = ``sound`` stays nil.
  ///   - sampleRate: the rate at which it measures, in hertz; nil = the stream's rate.
  ///   - channelCount: the channel count; nil = the stream's.
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

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    let found = Sample.magnitudes(of: samples)
    peak = max(peak, found.largest)
    notFiniteSamples += found.notFinite
    if let threshold {
      find(samples, reaching: threshold)
      if found.notFinite > 0 {
        switch samples.known {
        case .single(let samples): findNotFinite(samples)
        case .double(let samples): findNotFinite(samples)
        }
      }
    }
    samplesPerChannel += Int64(samples.count / width)
    return .accepted
  }

  private func find<Sample: AudioSample>(_ samples: Span<Sample>, reaching threshold: Double) {
    guard let last = Sample.lastIndex(in: samples, atLeast: threshold),
      let first = sound == nil ? Sample.firstIndex(in: samples, atLeast: threshold) : last
    else { return }
    addSound(from: first, to: last)
  }

  private func findNotFinite<Sample: AudioSample>(_ samples: Span<Sample>) {
    for index in 0..<samples.count where !samples[index].isFinite {
      addSound(from: index, to: index)
    }
  }

  /// - Parameters:
  ///   - first: the index of the first sample of this block that is sound.
  ///   - last: the index of the last one.
  private func addSound(from first: Int, to last: Int) {
    let begin = samplesPerChannel + Int64(first / width)
    let end = samplesPerChannel + Int64(last / width) + 1
    sound = min(sound?.lowerBound ?? begin, begin)..<max(sound?.upperBound ?? end, end)
  }

  public func stop(_ reason: StopReason) throws(AudioError) {}

  public func dispose() {}
}
