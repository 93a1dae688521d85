// SPDX-License-Identifier: Apache-2.0
/// The callback for frames of one position alone.
struct PositionCallback {
  /// The protocol that has it.
  let name: String
  private let conforms: (any AudioObserver) -> Bool

  fileprivate init(_ name: String, _ conforms: @escaping (any AudioObserver) -> Bool) {
    self.name = name
    self.conforms = conforms
  }

  /// Whether `observer` conforms to the protocol.
  func exists(in observer: any AudioObserver) -> Bool { conforms(observer) }
}

extension ObservationPosition {
  /// The callback for this position alone.
  var callback: PositionCallback {
    switch self {
    case .playback: PositionCallback("PlaybackObserver") { $0 is any PlaybackObserver }
    case .record:
      PositionCallback("RecordObserver") {
        $0 is any RecordObserver || $0 is any ReferencedObserver
      }
    case .mixed: PositionCallback("MixedObserver") { $0 is any MixedObserver }
    case .beforeMixing: PositionCallback("BeforeMixingObserver") { $0 is any BeforeMixingObserver }
    case .shared: PositionCallback("SharedObserver") { $0 is any SharedObserver }
    }
  }

  /// Makes the stage that calls `observer` with the frames of one stream; nil if the observer has no callback for this
  /// position. The callback of the position precedes one for any position. The stage does not hold the observer, but
  /// gets it with every call.
  func stage<Sample: AudioSample>(
    of observer: any AudioObserver, _ setting: StageSetting<Sample>
  ) throws(AudioError) -> (any ObservingStage<Sample>)? {
    let own: (any ObservingStage<Sample>)? =
      switch self {
      case .playback: try (observer as? any PlaybackObserver)?.playbackStage(setting)
      case .record: try (observer as? any RecordObserver)?.recordStage(setting)
      case .mixed: try (observer as? any MixedObserver)?.mixedStage(setting)
      case .beforeMixing: try (observer as? any BeforeMixingObserver)?.beforeMixingStage(setting)
      case .shared: try (observer as? any SharedObserver)?.sharedStage(setting)
      }
    if let own { return own }
    if self == .record, let observer = observer as? any ReferencedObserver {
      return try observer.referencedStage(setting)
    }
    if let observer = observer as? any UniformObserver {
      return try observer.uniformStage(setting, at: self)
    }
    return try (observer as? any GenericObserver)?.genericStage(setting, at: self)
  }

  /// Whether `observer` has a callback for frames of this position.
  func hasCallback(in observer: any AudioObserver) -> Bool {
    observer is any UniformObserver || observer is any GenericObserver
      || callback.exists(in: observer)
  }

  /// Returns the error for an observer that names this position without having a callback for it.
  func missingCallback(in observer: any AudioObserver) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "observe", rawValue,
      because: "\(type(of: observer)) has no callback for it",
      advice: "conform to \(callback.name) or to UniformObserver")
  }
}

extension PlaybackObserver {
  fileprivate func playbackStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>
  ) throws(AudioError) -> any ObservingStage<Stream> {
    try FrameStage<Sample, Stream>(setting) { (observer: Self, frame) in
      observer.playback(&frame)
    }
  }
}

extension RecordObserver {
  fileprivate func recordStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>
  ) throws(AudioError) -> any ObservingStage<Stream> {
    try FrameStage<Sample, Stream>(setting) { (observer: Self, frame) in observer.record(&frame) }
  }
}

extension MixedObserver {
  fileprivate func mixedStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>
  ) throws(AudioError) -> any ObservingStage<Stream> {
    try FrameStage<Sample, Stream>(setting) { (observer: Self, frame) in observer.mixed(&frame) }
  }
}

extension BeforeMixingObserver {
  fileprivate func beforeMixingStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>
  ) throws(AudioError) -> any ObservingStage<Stream> {
    try FrameStage<Sample, Stream>(setting) { (observer: Self, frame) in
      guard let source = frame.key else { return false }
      return observer.beforeMixing(&frame, from: source)
    }
  }
}

extension SharedObserver {
  fileprivate func sharedStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>
  ) throws(AudioError) -> any ObservingStage<Stream> {
    try FrameStage<Sample, Stream>(setting) { (observer: Self, frame) in
      observer.shared(&frame)
      return true
    }
  }
}

extension UniformObserver {
  fileprivate func uniformStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>, at position: ObservationPosition
  ) throws(AudioError) -> any ObservingStage<Stream> {
    try FrameStage<Sample, Stream>(setting) { (observer: Self, frame) in
      observer.observe(&frame, at: position)
    }
  }
}

extension GenericObserver {
  fileprivate func genericStage<Stream: AudioSample>(
    _ setting: StageSetting<Stream>, at position: ObservationPosition
  ) throws(AudioError) -> any ObservingStage<Stream> {
    try FrameStage<Stream, Stream>(setting) { (observer: Self, frame) in
      observer.observe(&frame, at: position)
    }
  }
}
