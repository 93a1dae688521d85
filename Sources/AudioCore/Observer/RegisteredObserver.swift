/// An observer as it was registered with a session: all that the engine knows of one.
struct RegisteredObserver {
  let observer: any AudioObserver
  /// The only source to observe, where there is one.
  let source: SourceID?
  let registration = ObserverRegistration()

  /// Whether the observer stands in the stream of `source`, or in a sum where that is nil.
  func observes(_ position: ObservationPosition, of source: SourceID?) -> Bool {
    observer.positions.contains(.init(position)) && (self.source == nil || self.source == source)
  }

  /// The mode and the shape in which it observes a stream of format `native`.
  ///
  /// - Parameter parameters: what the session asks for in the observer's stead.
  /// - Throws: `invalidParameter` where what is asked for is illegal there; the registration keeps it.
  func settle(
    at position: ObservationPosition, native: StreamFormat, session parameters: FrameParameters?
  ) throws(AudioError) -> (mode: ObserverMode, shape: FrameShape) {
    let asked = parameters ?? observer.parameters(at: position)
    do {
      let shape = try asked.resolved(native: native)
      registration.settle(
        .init(parameters: asked, origin: parameters == nil ? .observer : .session), at: position)
      return (asked.mode, shape)
    } catch {
      registration.reject(error)
      throw error
    }
  }

  /// How long a stream that the observer may edit waits in it, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int {
    // Frames: until one is full.
    (observer as? any StageObserver)?.holdBack(shape)
      ?? shape.samplesPerCall / shape.format.channelCount
  }

  /// The stage that the observer becomes in one stream.
  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    if let observer = observer as? any StageObserver { return try observer.stage(setting) }
    guard let stage = try FrameCallback.stage(of: observer, setting) else {
      throw FrameCallback.missing(in: observer, at: setting.identity.position)
    }
    return stage
  }

  /// Holds the positions that the observer names against the callbacks that it has.
  ///
  /// - Throws: `invalidParameter`, naming the protocol to conform to.
  func requireCallbacks() throws(AudioError) {
    for position in ObservationPosition.allCases
    where observer.positions.contains(.init(position)) {
      guard observer is any StageObserver || FrameCallback.exists(in: observer, at: position) else {
        throw FrameCallback.missing(in: observer, at: position)
      }
    }
  }
}

/// An observer that makes its stages itself, instead of taking frames.
protocol StageObserver: AudioObserver {
  /// How long a stream that the observer may edit waits in it, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample>
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
  let control: SessionControl

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
      format: shape.format, samplesPerCall: shape.samplesPerCall, encoding: encoding,
      isLive: isLive, resamplerQuality: filters.quality, control: control,
      registration: registration)
  }
}
