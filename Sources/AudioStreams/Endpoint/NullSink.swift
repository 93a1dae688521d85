// SPDX-License-Identifier: Apache-2.0
/// A sink that discards all samples.
public final class NullSink: AudioSink {
  public init() {}

  public var precision: SamplePrecision { .single }
  public var room: Int { Int.max }

  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat { proposal }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus { .accepted }

  public func stop(_ reason: StopReason) throws(AudioError) {}

  public func dispose() {}
}
