// SPDX-License-Identifier: Apache-2.0
/// The plan to follow a sink's clock from a source, at a delay.
struct ClockFollowingPlan {
  let source: SourceLife
  let sink: SinkLife
  let sourceClock: any PacingClock
  let sinkClock: any PacingClock
  let sourceTiming: ClockTiming
  let sinkTiming: ClockTiming
  let latency: FollowingLatency

  /// Returns nil if source and sink share one clock, or if no device paces one of them. Samples pass such a pair
  /// unchanged.
  ///
  /// - Parameters:
  ///   - inputRate: the rate of the stream in hertz before it meets the sink's clock.
  ///   - outputRate: the rate of the stream behind that.
  ///   - positions: the observers on its whole way.
  init?(
    from source: SourceLife, to sink: SinkLife, inputRate: Int, outputRate: Int,
    past positions: [ObservationPlan], quality: ResamplerQuality
  ) {
    guard let sinkClock = sink.sink.pace.clock,
      let sourceClock = source.description.pace.clock, sourceClock.name != sinkClock.name,
      let sourceTiming = sourceClock.timing, let sinkTiming = sinkClock.timing
    else { return nil }
    self.source = source
    self.sink = sink
    self.sourceClock = sourceClock
    self.sinkClock = sinkClock
    self.sourceTiming = sourceTiming
    self.sinkTiming = sinkTiming
    let ratio = ResamplingRatio(from: inputRate, to: outputRate)
    latency = FollowingLatency(
      from: sourceTiming, to: sinkTiming,
      resampler: .seconds(Double(quality.tapCount(for: ratio) / 2) / Double(inputRate)),
      observers: positions.reduce(.zero) { $0 + $1.heldBackByObservers })
  }
}

/// The delay from a source's device to a sink's, which a session keeps while it follows the sink's clock, and its
/// parts.
///
/// The playing device's buffer stays full and the ring in front of it never quite empties. So only the device wakes the
/// device thread, which then reads the device's clock without an error of up to a period.
public struct FollowingLatency: Sendable, Hashable {
  /// The capturing device's delay until a period is full.
  public var capturePeriod: Duration
  /// The delay of editing observers until their frames are full.
  public var observers: Duration
  /// The resampler's look-ahead: half its filter.
  public var resampler: Duration
  /// The samples in the ring, since the session thread may be late: twice the longer period, at least 20 ms.
  public var reserve: Duration
  /// The playing device's own buffer.
  public var playbackBuffer: Duration

  /// The sum of the parts, from capture to playback.
  public var total: Duration {
    capturePeriod + observers + resampler + reserve + playbackBuffer
  }

  init(
    from source: ClockTiming, to sink: ClockTiming, resampler: Duration, observers: Duration
  ) {
    func duration(_ sampleCount: Int, _ timing: ClockTiming) -> Duration {
      .seconds(Double(sampleCount) / Double(timing.sampleRate))
    }
    capturePeriod = duration(source.periodSize, source)
    self.observers = observers
    self.resampler = resampler
    reserve = max(max(capturePeriod, duration(sink.periodSize, sink)) * 2, .milliseconds(20))
    playbackBuffer = duration(sink.bufferSize, sink)
  }

  /// The largest deviation of the delay before a resynchronisation: a larger one than the reserve would empty the ring.
  var tolerance: Duration { reserve }
}
