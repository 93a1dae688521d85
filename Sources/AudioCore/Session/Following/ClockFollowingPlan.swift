// SPDX-License-Identifier: Apache-2.0
/// That a sink's clock is followed from a source, and at what delay.
struct ClockFollowingPlan {
  let source: SourceLife
  let sink: SinkLife
  let sourceClock: any PacingClock
  let sinkClock: any PacingClock
  let sourceTiming: ClockTiming
  let sinkTiming: ClockTiming
  let latency: FollowingLatency

  /// Nil where source and sink have not two clocks: one of them is paced by no device, or both by the
  /// same one. Samples pass such a pair as they are.
  ///
  /// - Parameters:
  ///   - inputRate: of the stream, in hertz, where it is brought to the sink's clock.
  ///   - outputRate: what it then has.
  ///   - positions: the observers that it passes on its whole way.
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

  func ends(read: SampleCount, before: SampleCount) -> FollowedEnds {
    FollowedEnds(
      from: sourceClock, sourceTiming, to: sinkClock, sinkTiming, read: read, before: before)
  }
}

/// The time from a source's device to a sink's that a session keeps to while it follows the sink's clock,
/// and what it is made of.
///
/// The playing device's buffer stays full and the ring before it never quite empty, so that the device
/// thread is woken by the device and by nothing else: only then does it read the device's clock without
/// an error of up to a period.
public struct FollowingLatency: Sendable, Hashable {
  /// What the capturing device holds back until a period is full.
  public var capturePeriod: Duration
  /// What observers that may edit hold back until their frames are full.
  public var observers: Duration
  /// What the resampler waits for beyond its own place: half its filter.
  public var resampler: Duration
  /// What waits in the ring, for the session thread may be late: twice the longer period, at least 20 ms.
  public var reserve: Duration
  /// The playing device's own buffer.
  public var playbackBuffer: Duration

  /// From capture to playback.
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

  /// By how much the delay may be off before it is set right at once: more than the reserve would leave
  /// the ring empty.
  var tolerance: Duration { reserve }
}
