// SPDX-License-Identifier: Apache-2.0
/// An observer as it was registered with a session: all that the engine knows of one.
///
/// One that is unregistered answers as if it had never been.
package struct RegisteredObserver: Sendable {
  /// The only source to observe where streams have one.
  var source: SourceKey?
  let registration: ObserverRegistration
  package let hold: ObserverHold
  /// Whether it stands behind all others in a stream, whenever they were registered.
  let standsLast: Bool
  /// Whether a session may have no stream for it.
  private let isPatient: Bool

  /// - Parameter live: the session that it is asked again for.
  init(_ observer: any AudioObserver, source: SourceKey?, in live: any ObserverAsking) {
    hold = ObserverHold(observer)
    registration = ObserverRegistration(hold, live)
    standsLast = observer is any HearingObserver
    isPatient = observer is any StandbyObserver
    self.source = source
  }

  /// The precision that the observer needs.
  var neededPrecision: SamplePrecision { hold.call { $0.neededPrecision } ?? .single }

  /// The source whose frames come before those of `source`.
  func leader(of source: SourceKey) -> SourceKey? { hold.call { $0.leader(of: source) } ?? nil }

  /// Whether both are registrations of one observer, and it is still registered.
  func isSame(as other: RegisteredObserver) -> Bool { hold.isSame(as: other.hold) }

  /// Whether `other` is a registration of the same observer that would call it for the same streams.
  func isReplaced(by other: RegisteredObserver) -> Bool {
    isSame(as: other) && (source == nil || other.source == nil || source == other.source)
  }

  /// Whether the observer stands in the stream of `source`, or in a sum where that is nil.
  func observes(_ position: ObservationPosition, of source: SourceKey?) -> Bool {
    guard self.source == nil || source == nil || self.source == source else { return false }
    return hold.call { $0.positions.contains(.init(position)) } ?? false
  }

  /// How it observes a stream of format `native`.
  ///
  /// - Parameter parameters: what is set on the session; what they leave unset is the observer's own.
  /// - Throws: `invalidParameter` where what is asked for is illegal there; the registration keeps it.
  func settle(
    at position: ObservationPosition, native: StreamFormat, session parameters: FrameParameters?
  ) throws(AudioError) -> Settlement {
    let own = hold.call { $0.parameters(at: position) } ?? FrameParameters()
    let hasOwnShape = hold.call { $0 is any OwnShapeObserver } ?? false
    var set = hasOwnShape ? FrameParameters() : parameters ?? FrameParameters()
    if onlyLooks { set.mode = nil }
    let asked = set.completed(by: own)
    do throws(AudioError) {
      let mode = asked.mode ?? .readOnly
      if position == .shared, mode != .readOnly {
        throw AudioError(
          .invalidParameter, cannot: "edit", position.rawValue,
          because: "that stream goes nowhere else",
          advice: "edit the shared sources before mixing, or ask for the mode read-only")
      }
      let shape = try asked.resolved(native: native)
      registration.settle(
        .init(
          parameters: asked, origin: set == FrameParameters() ? .observer : .session,
          setOnSession: set), at: position)
      let latency = mode == .readOnly ? 0 : try latency(at: position, in: shape.format)
      return Settlement(mode: mode, shape: shape, latency: latency)
    } catch {
      registration.reject(error)
      throw error
    }
  }

  private func latency(
    at position: ObservationPosition, in format: StreamFormat
  ) throws(AudioError) -> Int {
    let latency = hold.call { $0.latency(at: position, in: format) } ?? 0
    if (0...60 * format.sampleRate).contains(latency) { return latency }
    throw AudioError(
      .invalidParameter, cannot: "use latency", "\(latency)",
      because: "it must be 0 to \(60 * format.sampleRate) samples per channel, which last a minute")
  }

  /// Holds its positions against the streams that a session has.
  ///
  /// - Parameters:
  ///   - sums: the positions of sums that the session makes.
  ///   - sources: the local source and the others.
  ///   - mayJoin: whether others may come.
  /// - Throws: `invalidParameter` if there is no stream for it, and none may come.
  func requireStreams(
    sums: Set<ObservationPosition>, sources: Set<SourceKey>, mayJoin: Bool
  ) throws(AudioError) {
    let wanted = hold.call { observer in
      ObservationPosition.allCases.filter { observer.positions.contains(.init($0)) }
    }
    guard let wanted, !wanted.isEmpty, !isPatient else { return }
    let isAbsent = source.map { !sources.contains($0) && !(mayJoin && $0 != .local) } ?? false
    guard !isAbsent || wanted.allSatisfy(\.isSum) else {
      throw AudioError(
        .invalidParameter, cannot: "observe source", source?.description ?? "",
        because: "there is no such source",
        advice: "add it first, or let the session be open")
    }
    let isObserved = wanted.contains { position in
      switch position {
      case .record: sources.contains(.local) && (source == nil || source == .local)
      case .beforeMixing: source != .local && (mayJoin || sources.contains { $0 != .local })
      case .playback, .mixed, .shared: sums.contains(position)
      }
    }
    if isObserved { return }
    throw AudioError(
      .invalidParameter, cannot: "observe", wanted.map(\.rawValue).joined(separator: " or "),
      because: "the session has no such stream",
      advice: "add the source first, or observe elsewhere")
  }

  /// Whether the mode that is asked for in the observers' stead is none of its business.
  private var onlyLooks: Bool { hold.call { $0 is any LookingObserver } ?? false }

  /// Whether it may change what passes it.
  func mayEdit(session parameters: [ObservationPosition: FrameParameters]) -> Bool {
    hold.call { observer in
      ObservationPosition.allCases.contains { position in
        guard observer.positions.contains(.init(position)) else { return false }
        let own = observer.parameters(at: position)
        let set = observer is any LookingObserver ? nil : parameters[position]?.mode
        return (set ?? own.mode ?? .readOnly) != .readOnly
      }
    } ?? false
  }

  /// Whether the observer takes the channels of the stream as they are, whatever its frames have.
  var mapsChannels: Bool {
    hold.call { ($0 as? any StageObserver)?.mapsChannels ?? false } ?? false
  }

  /// What `metadata` says of what the observer makes of the sound.
  func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata {
    let adapted = hold.call { ($0 as? any StageObserver)?.adapt(metadata, at: sampleRate) } ?? nil
    return adapted ?? metadata
  }

  /// How long a stream that the observer may edit waits in it, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int {
    // Frames: until one is full.
    let own = hold.call { ($0 as? any StageObserver)?.holdBack(shape) } ?? nil
    return own ?? shape.samplesPerCall / shape.format.channelCount
  }

  /// The stage that the observer becomes in one stream.
  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    let made = try hold.call { (observer) throws(AudioError) -> any ObservingStage<Sample> in
      if let observer = observer as? any StageObserver { return try observer.stage(setting) }
      guard let stage = try FrameCallback.stage(of: observer, setting) else {
        throw FrameCallback.missing(in: observer, at: setting.identity.position)
      }
      return stage
    }
    if let made { return made }
    // Unregistered since the formats were settled: the stream keeps the format, and nobody is called.
    return try FrameStage<Sample, Sample>(setting) { (_: any AudioObserver, _) in false }
  }

  /// Holds the positions that the observer names against the callbacks that it has.
  ///
  /// - Throws: `invalidParameter`, naming the protocol to conform to.
  func requireCallbacks() throws(AudioError) {
    try hold.call { (observer) throws(AudioError) in
      for position in ObservationPosition.allCases
      where observer.positions.contains(.init(position)) {
        guard observer is any StageObserver || FrameCallback.exists(in: observer, at: position)
        else { throw FrameCallback.missing(in: observer, at: position) }
      }
    }
  }
}

/// How an observer stands in a stream.
struct Settlement: Hashable {
  var mode: ObserverMode
  var shape: FrameShape
  /// By how many samples per channel it gives back later than it gets.
  var latency = 0
}

/// An observer that hears a stream as it goes on: it stands behind all that edit it.
protocol HearingObserver: AudioObserver {}

/// An observer that is registered for whatever a session has, if only for nothing.
package protocol StandbyObserver: AudioObserver {}

/// An observer that hands its frames on in a shape that it has promised: what is set on the session is not
/// for it.
package protocol OwnShapeObserver: AudioObserver {}

/// An observer that only looks: parameters that are set on the session choose the shape of its frames, not its mode.
package protocol LookingObserver: AudioObserver {}

/// An observer that makes its stages itself, instead of taking frames.
package protocol StageObserver: AudioObserver {
  /// How long a stream that the observer may edit waits in it, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample>

  /// What `metadata`, of a source of `sampleRate` hertz, says of what the observer makes of the sound; the same where
  /// nothing is said.
  func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata

  /// Whether it takes the channels of the stream as they are, and makes those of its own shape of them; false where
  /// nothing is said.
  var mapsChannels: Bool { get }
}

extension StageObserver {
  package var mapsChannels: Bool { false }

  package func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata { metadata }
}

/// The stage of a stream that an observer stands in.
package protocol ObservingStage<Sample>: StreamStage {
  /// Called once, before anything of the stream passes.
  func begin() throws(AudioError)

  /// Whether its observer is still registered; one that is not is taken out of a stream that goes on.
  var isActive: Bool { get }

  /// Where what its observer is shown next stands: samples per channel since the start of the session, at the rate of its
  /// frames.
  var nextPosition: Int64 { get }

  /// Where the stream goes on behind it, in the same unit: ``nextPosition`` unless the stage gives later than it gets.
  var outputPosition: Int64 { get }

  /// Begins the end without waiting for anything: every stage that ends is asked before the first is waited
  /// for.
  func beginEnd(_ reason: StopReason)

  /// Goes on with that, without waiting.
  ///
  /// - Returns: whether ``end(_:)`` waits for nothing any more.
  func advanceEnd() -> Bool

  /// Called once, last of all, where `begin` returned; also after a failure.
  ///
  /// By then a stage of frames has told its observer that the stream ended, in `finish`, unless the stream
  /// did not come to its end; a program may take long to end, and is ended only here.
  func end(_ reason: StopReason) throws(AudioError)
}

extension ObservingStage {
  package var outputPosition: Int64 { nextPosition }
  package func beginEnd(_ reason: StopReason) {}
  package func advanceEnd() -> Bool { true }
}

/// Where and in which shape an observer stands in a stream.
package struct StageSetting<Sample: AudioSample> {
  package let observer: RegisteredObserver
  package let identity: StreamIdentity
  /// Whether the stream comes from a shared source, or is the sum of them.
  let isShared: Bool
  package let mode: ObserverMode
  package let shape: FrameShape
  /// By how many samples per channel the observer gives back later than it gets.
  let latency: Int
  /// Which of the channels that the observer gets belongs where; nil where nobody says so.
  let channelLayout: Metadata.ChannelLayout?
  /// The format of the stream in front of the observer.
  package let inputFormat: StreamFormat
  /// Where the channels in front of the observer belong; nil = as usual.
  package let inputLayout: Metadata.ChannelLayout?
  /// When the stream begins, counted from the start of the session, in samples per channel of `clock`.
  let start: (samples: Int64, clock: Int)
  /// The widest encoding of the sources that feed the stream.
  let encoding: SampleEncoding
  package let filters: ResamplerFilters<Sample>
  package let isLive: Bool
  let isRepeatable: Bool
  package let control: SessionControl

  /// The format of the stream behind the observer.
  package var outputFormat: StreamFormat { mode == .readOnly ? inputFormat : shape.format }

  /// The position of the first frame, in the observer's own rate, to the nearest sample.
  package var firstPosition: Int64 {
    AudioTime.nearest(start.samples, from: start.clock, to: shape.format.sampleRate)
  }

  /// What the observer is told of its stream.
  package var stream: ObservedStream {
    ObservedStream(
      position: identity.position, source: identity.source, group: identity.group,
      isShared: isShared, format: shape.format, samplesPerCall: shape.samplesPerCall,
      channelLayout: channelLayout, encoding: encoding,
      isLive: isLive, isRepeatable: isRepeatable, resamplerQuality: filters.quality,
      control: control,
      registration: observer.registration)
  }
}
