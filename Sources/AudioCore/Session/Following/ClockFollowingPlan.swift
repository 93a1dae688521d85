/// That a sink's clock is followed from a source, and at what delay.
struct ClockFollowingPlan {
  let source: SourceLife
  let sink: SinkLife
  let sourceDevice: any ClockedDevice
  let sinkDevice: any ClockedDevice
  let sourceParameters: AlsaParameters
  let sinkParameters: AlsaParameters
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
    guard let sink, sink.sink.isClock, source.description.isClock,
      let sourceDevice = source.entry.source.clockedDevice,
      let sinkDevice = sink.sink as? any ClockedDevice,
      let sourceParameters = sourceDevice.parameters, let sinkParameters = sinkDevice.parameters,
      sourceDevice.device != sinkDevice.device
    else { return nil }
    self.source = source
    self.sink = sink
    self.sourceDevice = sourceDevice
    self.sinkDevice = sinkDevice
    self.sourceParameters = sourceParameters
    self.sinkParameters = sinkParameters
    let ratio = ResamplingRatio(from: inputRate, to: outputRate)
    latency = FollowingLatency(
      from: sourceParameters, to: sinkParameters,
      resampler: Double(quality.tapCount(for: ratio) / 2) / Double(inputRate),
      observers: positions.reduce(0) { $0 + $1.heldBack })
  }

  var sinkClock: SinkClock { SinkClock(device: sinkDevice, parameters: sinkParameters) }

  var ends: FollowedEnds {
    FollowedEnds(from: sourceDevice, sourceParameters, to: sinkDevice, sinkParameters)
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
