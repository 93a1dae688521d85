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
    from source: SourceLife, to sink: SinkLife?, inputRate: Int, outputRate: Int,
    past positions: [PositionPlan], quality: ResamplerQuality
  ) {
    guard let sink, let sinkClock = sink.sink.pace.clock,
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
      resampler: Double(quality.tapCount(for: ratio) / 2) / Double(inputRate),
      observers: positions.reduce(0) { $0 + $1.heldBack })
  }

  func ends(read: SampleCount, before: SampleCount) -> FollowedEnds {
    FollowedEnds(
      from: sourceClock, sourceTiming, to: sinkClock, sinkTiming, read: read, before: before)
  }
}

extension PositionPlan {
  /// Seconds that the stream waits in observers that may edit it.
  fileprivate var heldBack: Double {
    places.filter { $0.mode != .readOnly }.reduce(0) { total, place in
      let shape = place.shape
      return total + Double(place.observer.holdBack(shape)) / Double(shape.format.sampleRate)
    }
  }
}
