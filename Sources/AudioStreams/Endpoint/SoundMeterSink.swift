// SPDX-License-Identifier: Apache-2.0
/// Measures the samples with a ``SoundMeter`` and stores nothing.
///
/// ```swift
/// let sink = SoundMeterSink()
/// try session.setSink(sink, at: .publish)
/// _ = try session.run()
/// print(sink.measurement?.loudness ?? "no loudness")
/// ```
public final class SoundMeterSink: AudioSink {
  private let measures: SoundMeter.Measures
  private let sampleRate: Int?
  private let channelCount: Int?
  private let layout: () -> Metadata.ChannelLayout?
  private var meter: SoundMeter?
  /// The results; nil before the sink is stopped.
  public private(set) var measurement: SoundMeasurement?

  /// - Parameters:
  ///   - measures: the measures beside levels.
  ///   - sampleRate: the rate at which it measures, in hertz; nil = the stream's rate.
  ///   - channelCount: the channel count; nil = the stream's.
  ///   - layout: called once the sources are initialised; returns the loudspeakers of the channels; nil = WAV's usual
  ///     order.
  public init(
    measures: SoundMeter.Measures = .all, sampleRate: Int? = nil,
    channelCount: Int? = nil, layout: @escaping () -> Metadata.ChannelLayout? = { nil }
  ) {
    self.measures = measures
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.layout = layout
  }

  public var precision: SamplePrecision { .single }
  public var room: Int { .max }

  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: sampleRate, channelCount: channelCount)
    meter = SoundMeter(format, layout: layout(), measures: measures)
    return format
  }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    meter?.add(samples)
    return .accepted
  }

  public func stop(_ reason: StopReason) throws(AudioError) { measurement = meter?.finish() }

  public func dispose() { meter = nil }
}
