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
  let traits: ObserverTraits

  /// - Parameter live: the session that serves the registration's requests.
  init(
    _ observer: any AudioObserver, source: SourceKey? = nil, mixedExcept except: SourceKey? = nil,
    in live: any ObserverAsking
  ) {
    self.except = except
    hold = ObserverHold(observer)
    registration = ObserverRegistration(hold, live)
    traits = (observer as? any TraitedObserver)?.traits ?? []
    self.source = source
  }

  var neededPrecision: SamplePrecision { hold.call { $0.neededPrecision } ?? .single }

  /// The name of the observer's type, in errors.
  var typeName: String { hold.call { "\(type(of: $0))" } ?? "" }

  /// Whether the observer stands behind all others in a stream, in any order of registration.
  var standsLast: Bool { traits.contains(.standsLast) }

  /// Whether the observer needs the samples of the loudspeaker.
  var needsReference: Bool { hold.call { $0 is any ReferencedObserver } ?? false }

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

  /// Plans the observer in a stream of format `native`.
  ///
  /// - Parameter parameters: the session's parameters; the observer's own complete them.
  /// - Throws: `invalidParameter` if the parameters are illegal there; the registration keeps the error.
  func planned(
    at position: ObservationPosition, native: StreamFormat, session parameters: FrameParameters?
  ) throws(AudioError) -> PlannedObserver {
    let own = hold.call { $0.parameters(at: position) } ?? FrameParameters()
    var set = traits.contains(.hasOwnShape) ? FrameParameters() : parameters ?? FrameParameters()
    if traits.contains(.hasOwnMode) { set.mode = nil }
    let asked = set.completed(by: own)
    do throws(AudioError) {
      let mode = asked.mode ?? .readOnly
      if position.line.leadsNowhere || except != nil, mode != .readOnly {
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
      return PlannedObserver(observer: self, mode: mode, shape: shape, latency: latency)
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
    guard !wanted.isEmpty, !traits.contains(.needsNoStream) else { return }
    if let except, !mayJoin, !sources.contains(except) { throw Self.absent(except) }
    let isAbsent = source.map { !sources.contains($0) && !(mayJoin && $0 != .local) } ?? false
    guard !isAbsent || wanted.allSatisfy(\.isSum) else {
      throw Self.absent(source)
    }
    let isObserved = wanted.contains { position in
      switch position.line.origin {
      case .localSource: sources.contains(.local) && (source == nil || source == .local)
      case .incomingSources: source != .local && (mayJoin || sources.contains { $0 != .local })
      case .sum, .sumOnDemand, .sharedPart: sums.contains(position)
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
        let set = traits.contains(.hasOwnMode) ? nil : parameters[position]?.mode
        return (set ?? own.mode ?? .readOnly) != .readOnly
      }
    } ?? false
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
      let position = setting.stream.position
      guard let stage = try position.stage(of: observer, setting) else {
        throw position.missingCallback(in: observer)
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
        guard observer is any StageObserver || position.hasCallback(in: observer)
        else { throw position.missingCallback(in: observer) }
      }
    }
  }
}
