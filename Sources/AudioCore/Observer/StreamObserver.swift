/// What is registered with a session: at every place that it observes it becomes a stage of the stream.
///
/// All that the engine knows of observers. One that takes frames is wrapped in ``FrameStreamObserver``.
protocol StreamObserver {
  var positions: ObservationPositions { get }

  func parameters(at position: ObservationPosition) -> FrameParameters

  /// How long a stream that the observer may edit waits in it, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample>
}

extension StreamObserver {
  /// Until a frame is full.
  func holdBack(_ shape: FrameShape) -> Int { shape.samplesPerCall / shape.format.channelCount }
}

/// The stage of a stream that an observer stands in.
protocol ObservingStage<Sample>: StreamStage {
  /// Called once, before anything of the session moves.
  func begin() throws(AudioError)

  /// Called once, last of all, where `begin` returned; also after a failure.
  func end(_ reason: StopReason) throws(AudioError)
}

/// Where and in which shape an observer stands in a stream.
struct StageSetting<Sample: AudioSample> {
  let registration: ObserverRegistration
  let identity: StreamIdentity
  let mode: ObserverMode
  let shape: FrameShape
  /// The format of the stream in front of the observer.
  let inputFormat: StreamFormat
  /// When the stream begins, counted from the start of the session, in samples per channel of `clock`.
  let start: (samples: Int64, clock: Int)
  /// The widest encoding of the sources that feed the stream.
  let encoding: SampleEncoding
  let filters: ResamplerFilters<Sample>
  let isLive: Bool
  let wakeup: Wakeup

  /// The format of the stream behind the observer.
  var outputFormat: StreamFormat { mode == .readOnly ? inputFormat : shape.format }

  /// The position of the first frame, in the observer's own rate, to the nearest sample.
  var firstPosition: Int64 {
    AudioTime.nearest(start.samples, from: start.clock, to: shape.format.sampleRate)
  }

  /// What the observer is told of its stream.
  var stream: ObservedStream {
    ObservedStream(
      position: identity.position, source: identity.source, group: identity.group,
      format: shape.format,
      samplesPerCall: shape.samplesPerCall, encoding: encoding, isLive: isLive)
  }
}

/// An observer of frames, as the engine sees it.
struct FrameStreamObserver<Observer: AudioFrameObserver>: StreamObserver {
  let observer: Observer

  var positions: ObservationPositions { observer.positions }

  func parameters(at position: ObservationPosition) -> FrameParameters {
    observer.parameters(at: position)
  }

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    try FrameStage<Observer, Sample>(observer, setting)
  }
}
