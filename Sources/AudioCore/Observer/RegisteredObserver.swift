// SPDX-License-Identifier: Apache-2.0
/// An observer as registered with a session: the engine's only view of one. An unregistered observer answers with
/// defaults.
package struct RegisteredObserver: Sendable {
  /// The only source to observe if the stream comes from one source; nil for all.
  var source: SourceKey?
  /// The source without which it observes mixed, and nothing else; nil if it observes whole sums.
  var except: SourceKey?
  let registration: ObserverRegistration
  package let hold: ObserverHold
  /// Whether the observer stands behind all others in a stream, in any order of registration.
  let standsLast: Bool
  /// Whether a session accepts the observer without a stream for it.
  private let isPatient: Bool

  /// - Parameter live: the session that serves the registration's requests.
  init(
    _ observer: any AudioObserver, source: SourceKey? = nil, mixedExcept except: SourceKey? = nil,
    in live: any ObserverAsking
  ) {
    self.except = except
    hold = ObserverHold(observer)
    registration = ObserverRegistration(hold, live)
    standsLast = observer is any HearingObserver
    isPatient = observer is any StandbyObserver
    self.source = source
  }

  var neededPrecision: SamplePrecision { hold.call { $0.neededPrecision } ?? .single }

  /// Returns the source whose frames come before those of `source`.
  func leader(of source: SourceKey) -> SourceKey? { hold.call { $0.leader(of: source) } ?? nil }

  /// Whether both register one observer, which is still registered.
  func isSame(as other: RegisteredObserver) -> Bool { hold.isSame(as: other.hold) }

  /// Whether `other` registers this observer for the streams that it already observes, or for mixed without a source.
  func isReplaced(by other: RegisteredObserver) -> Bool {
    isSame(as: other)
      && (except != other.except || source == nil || other.source == nil || source == other.source)
  }

  /// Whether the observer stands in the stream of `source`, or in a sum if `source` is nil.
  ///
  /// - Parameter except: the source that the sum leaves out; nil if it leaves out none.
  func observes(
    _ position: ObservationPosition, of source: SourceKey?, except: SourceKey? = nil
  ) -> Bool {
    guard self.except == except else { return false }
    guard self.source == nil || source == nil || self.source == source else { return false }
    return hold.call { $0.positions.contains(.init(position)) } ?? false
  }

  /// Whether the observer needs the sum at `position`, whole or in part.
  func needsSum(at position: ObservationPosition) -> Bool {
    observes(position, of: nil, except: except) && (except == nil || position == .mixed)
  }

  /// Settles the mode, shape and latency for a stream of format `native`.
  ///
  /// - Parameter parameters: the session's parameters; the observer's own complete them.
  /// - Throws: `invalidParameter` if the parameters are illegal there; the registration keeps the error.
  func settle(
    at position: ObservationPosition, native: StreamFormat, session parameters: FrameParameters?
  ) throws(AudioError) -> Settlement {
    let own = hold.call { $0.parameters(at: position) } ?? FrameParameters()
    let hasOwnShape = hold.call { $0 is any OwnShapeObserver } ?? false
    var set = hasOwnShape ? FrameParameters() : parameters ?? FrameParameters()
    if hold.call({ $0 is any LookingObserver }) ?? false { set.mode = nil }
    let asked = set.completed(by: own)
    do throws(AudioError) {
      let mode = asked.mode ?? .readOnly
      if position == .shared || except != nil, mode != .readOnly {
        throw AudioError(
          .invalidParameter, cannot: "edit",
          except.map { "\(position.rawValue) except \($0)" } ?? position.rawValue,
          because: "that stream goes nowhere else",
          advice:
            "edit \(except == nil ? "the shared" : "its") sources before mixing, or ask for the mode"
            + " read-only")
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
    try AudioError.require(
      (0...60 * format.sampleRate).contains(latency), "latency", "\(latency)",
      because: "it must be 0 to \(60 * format.sampleRate) samples per channel, which last a minute")
    return latency
  }

  /// Checks that the session has a stream for the observer.
  ///
  /// - Parameters:
  ///   - sums: the positions of the session's sums.
  ///   - sources: the local source and the others.
  ///   - mayJoin: whether other sources may join.
  /// - Throws: `invalidParameter` if the session has no stream for it and none may join.
  func requireStreams(
    sums: Set<ObservationPosition>, sources: Set<SourceKey>, mayJoin: Bool
  ) throws(AudioError) {
    var wanted =
      hold.call { observer in
        ObservationPosition.allCases.filter { observer.positions.contains(.init($0)) }
      } ?? []
    if let except {
      wanted.removeAll { $0 != .mixed }
      guard !wanted.isEmpty else {
        throw AudioError(
          .invalidParameter, cannot: "observe", "mixed except \(except)",
          because: "the observer does not observe mixed")
      }
    }
    guard !wanted.isEmpty, !isPatient else { return }
    if let except, !mayJoin, !sources.contains(except) { throw Self.absent(except) }
    let isAbsent = source.map { !sources.contains($0) && !(mayJoin && $0 != .local) } ?? false
    guard !isAbsent || wanted.allSatisfy(\.isSum) else {
      throw Self.absent(source)
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

  private static func absent(_ source: SourceKey?) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "observe source", source?.description ?? "",
      because: "there is no such source", advice: "add it first, or let the session be open")
  }

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

  /// Whether the observer takes the stream's channels unconverted, for any channel count of its frames.
  var mapsChannels: Bool {
    hold.call { ($0 as? any StageObserver)?.mapsChannels ?? false } ?? false
  }

  func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata {
    let adapted = hold.call { ($0 as? any StageObserver)?.adapt(metadata, at: sampleRate) } ?? nil
    return adapted ?? metadata
  }

  /// The delay of a stream that the observer may edit, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int {
    // Frames wait until one is full.
    let own = hold.call { ($0 as? any StageObserver)?.holdBack(shape) } ?? nil
    return own ?? shape.samplesPerCall / shape.format.channelCount
  }

  /// Makes the observer's stage in one stream.
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
    // The observer was unregistered after the formats were settled: keep the stream's format and call no observer.
    return try FrameStage<Sample, Sample>(setting) { (_: any AudioObserver, _) in false }
  }

  /// Checks that the observer has a callback for each of its positions.
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

/// The mode, shape and latency of an observer in a stream.
struct Settlement: Hashable {
  var mode: ObserverMode
  var shape: FrameShape
  /// The delay of the observer's output behind its input, in samples per channel.
  var latency = 0
}

/// An observer that hears the final stream: it stands behind all editing observers.
protocol HearingObserver: AudioObserver {}

/// An observer that may be registered without any stream to observe.
package protocol StandbyObserver: AudioObserver {}

/// An observer with a promised shape of its frames, which ignores the session's parameters.
package protocol OwnShapeObserver: AudioObserver {}

/// A read-only observer: the session's parameters set the shape of its frames, but not the mode.
package protocol LookingObserver: AudioObserver {}

/// An observer that makes its own stages instead of taking frames.
package protocol StageObserver: AudioObserver {
  /// The delay of a stream that the observer may edit, in samples per channel of `shape`.
  func holdBack(_ shape: FrameShape) -> Int

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample>

  /// Returns `metadata`, of a source of `sampleRate` hertz, adapted to the observer's output; unchanged by default.
  func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata

  /// Whether the observer takes the stream's channels unconverted and maps them to its own shape; false by default.
  var mapsChannels: Bool { get }
}

extension StageObserver {
  package var mapsChannels: Bool { false }

  package func adapt(_ metadata: Metadata, at sampleRate: Int) -> Metadata { metadata }
}

/// The stage of one observer in one stream.
package protocol ObservingStage<Sample>: StreamStage {
  /// Called once, before the first sample of the stream passes.
  func begin() throws(AudioError)

  /// Whether the observer is still registered. If not, the session removes the stage from a running stream.
  var isActive: Bool { get }

  /// The position of the observer's next sample, in samples per channel since the start of the session at its frames'
  /// rate.
  var nextPosition: Int64 { get }

  /// The position of the stage's next output in that unit: ``nextPosition``, unless the stage has a latency.
  var outputPosition: Int64 { get }

  /// Begins the end without waiting. The session calls this for all ending stages before it waits for the first.
  func beginEnd(_ reason: StopReason)

  /// Continues the end without waiting.
  ///
  /// - Returns: whether ``end(_:)`` returns without waiting.
  func advanceEnd() -> Bool

  /// Called once and last, also after a failure, if `begin` returned.
  ///
  /// Before that, a stage of frames has told its observer the end in `finish`, if the stream came to its end. Only this
  /// call ends a joined program, which may take long.
  func end(_ reason: StopReason) throws(AudioError)
}

extension ObservingStage {
  package var outputPosition: Int64 { nextPosition }
  package func beginEnd(_ reason: StopReason) {}
  package func advanceEnd() -> Bool { true }
}

/// The position and shape of an observer in a stream.
package struct StageSetting<Sample: AudioSample> {
  package let observer: RegisteredObserver
  package let identity: StreamIdentity
  /// Whether the stream comes from a shared source or is the sum of the shared sources.
  let isShared: Bool
  package let mode: ObserverMode
  package let shape: FrameShape
  /// The delay of the observer's output behind its input, in samples per channel.
  let latency: Int
  /// The layout of the channels that the observer gets; nil if unknown.
  let channelLayout: Metadata.ChannelLayout?
  /// The format of the stream in front of the observer.
  package let inputFormat: StreamFormat
  /// The layout of the channels in front of the observer; nil = the usual one.
  package let inputLayout: Metadata.ChannelLayout?
  /// The start of the stream since the start of the session, in samples per channel of `clock`.
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

  package var stream: ObservedStream {
    ObservedStream(
      position: identity.position, source: identity.source, group: identity.group,
      except: observer.except,
      isShared: isShared, format: shape.format, samplesPerCall: shape.samplesPerCall,
      channelLayout: channelLayout, encoding: encoding,
      isLive: isLive, isRepeatable: isRepeatable, resamplerQuality: filters.quality,
      control: control,
      registration: observer.registration)
  }
}
