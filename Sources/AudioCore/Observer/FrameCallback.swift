// SPDX-License-Identifier: Apache-2.0
/// The choice of an observer's callback for a stream.
///
/// The callback of the position precedes one for any position, and the one with a group precedes the plain one.
enum FrameCallback {
  /// Makes the stage that calls `observer` with the frames of one stream; nil if the observer has no callback for it.
  /// The stage does not hold the observer, but gets it with every call.
  static func stage<Sample: AudioSample>(
    of observer: any AudioObserver, _ setting: StageSetting<Sample>
  ) throws(AudioError) -> (any ObservingStage<Sample>)? {
    let (position, source, group) = (
      setting.identity.position, setting.identity.source, setting.identity.group
    )
    typealias Stage = any ObservingStage<Sample>

    func playback<Observer: PlaybackObserver>(_: Observer) throws(AudioError) -> Stage {
      try FrameStage<Observer.Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.playback(&frame)
      }
    }
    func record<Observer: RecordObserver>(_: Observer) throws(AudioError) -> Stage {
      try FrameStage<Observer.Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.record(&frame)
      }
    }
    func mixed<Observer: MixedObserver>(_: Observer) throws(AudioError) -> Stage {
      try FrameStage<Observer.Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.mixed(&frame)
      }
    }
    func beforeMixing<Observer: BeforeMixingObserver>(_: Observer, from source: SourceID)
      throws(AudioError) -> Stage
    {
      try FrameStage<Observer.Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.beforeMixing(&frame, from: source)
      }
    }
    func inGroup<Observer: BeforeMixingGroupObserver>(_: Observer, from source: SourceID)
      throws(AudioError) -> Stage
    {
      try FrameStage<Observer.Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.beforeMixing(&frame, from: source, in: group)
      }
    }
    func shared<Observer: SharedObserver>(_: Observer) throws(AudioError) -> Stage {
      try FrameStage<Observer.Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.shared(&frame)
        return true
      }
    }
    func uniform<Observer: UniformObserver>(_: Observer) throws(AudioError) -> Stage {
      try FrameStage<Observer.Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.observe(&frame, at: position)
      }
    }
    func generic<Observer: GenericObserver>(_: Observer) throws(AudioError) -> Stage {
      try FrameStage<Sample, Sample>(setting) { (observer: Observer, frame) in
        observer.observe(&frame, at: position)
      }
    }

    switch position {
    case .playback:
      if let observer = observer as? any PlaybackObserver { return try playback(observer) }
    case .record:
      if let observer = observer as? any RecordObserver { return try record(observer) }
    case .mixed:
      if let observer = observer as? any MixedObserver { return try mixed(observer) }
    case .beforeMixing:
      if let source, let observer = observer as? any BeforeMixingGroupObserver {
        return try inGroup(observer, from: source)
      }
      if let source, let observer = observer as? any BeforeMixingObserver {
        return try beforeMixing(observer, from: source)
      }
    case .shared:
      if let observer = observer as? any SharedObserver { return try shared(observer) }
    }
    if let observer = observer as? any UniformObserver { return try uniform(observer) }
    if let observer = observer as? any GenericObserver { return try generic(observer) }
    return nil
  }

  /// Whether `observer` has a callback for frames at `position`.
  static func exists(in observer: any AudioObserver, at position: ObservationPosition) -> Bool {
    observer is any UniformObserver || observer is any GenericObserver
      || isOnly(for: position, in: observer)
  }

  /// Whether `observer` has a callback for this position alone.
  static func isOnly(for position: ObservationPosition, in observer: any AudioObserver) -> Bool {
    switch position {
    case .playback: observer is any PlaybackObserver
    case .record: observer is any RecordObserver
    case .mixed: observer is any MixedObserver
    case .beforeMixing:
      observer is any BeforeMixingObserver || observer is any BeforeMixingGroupObserver
    case .shared: observer is any SharedObserver
    }
  }

  /// Returns the error for an observer that names a position without having a callback for it.
  static func missing(
    in observer: any AudioObserver, at position: ObservationPosition
  ) -> AudioError {
    let name =
      switch position {
      case .playback: "PlaybackObserver"
      case .record: "RecordObserver"
      case .mixed: "MixedObserver"
      case .beforeMixing: "BeforeMixingObserver"
      case .shared: "SharedObserver"
      }
    return AudioError(
      .invalidParameter, cannot: "observe", position.rawValue,
      because: "\(type(of: observer)) has no callback for it",
      advice: "conform to \(name) or to UniformObserver")
  }
}
