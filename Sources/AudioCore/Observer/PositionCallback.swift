// SPDX-License-Identifier: Apache-2.0
/// The callback for frames of one position alone: the name of its protocol, and its use.
struct PositionCallback {
  /// The protocol that has it.
  let name: String
  private let find: (any AudioObserver) -> (any FrameReceiving)?

  private init(_ name: String, _ find: @escaping (any AudioObserver) -> (any FrameReceiving)?) {
    self.name = name
    self.find = find
  }

  /// Returns the way to call `observer` with frames; nil if it does not conform to the protocol.
  func receiver(of observer: any AudioObserver) -> (any FrameReceiving)? { find(observer) }
}

extension PositionCallback {
  /// Returns the callback for `position`.
  static func of(_ position: ObservationPosition) -> PositionCallback {
    switch position {
    case .playback:
      PositionCallback("PlaybackObserver") { ($0 as? any PlaybackObserver)?.playbackReceiver }
    case .record:
      PositionCallback("RecordObserver") { ($0 as? any RecordObserver)?.recordReceiver }
    case .mixed:
      PositionCallback("MixedObserver") { ($0 as? any MixedObserver)?.mixedReceiver }
    case .beforeMixing:
      PositionCallback("BeforeMixingObserver") {
        ($0 as? any BeforeMixingObserver)?.beforeMixingReceiver
      }
    case .shared:
      PositionCallback("SharedObserver") { ($0 as? any SharedObserver)?.sharedReceiver }
    }
  }
}

extension ObservationPosition {
  /// The callback for this position alone.
  var callback: PositionCallback { .of(self) }

  /// Returns the way to call `observer` with frames of this position; nil if it has no callback for them. The callback
  /// of the position precedes one for any position.
  func receiver(of observer: any AudioObserver) -> (any FrameReceiving)? {
    callback.receiver(of: observer)
      ?? (observer as? any UniformObserver)?.receiver(at: self)
      ?? (observer as? any GenericObserver)?.receiver(at: self)
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
  fileprivate var playbackReceiver: any FrameReceiving {
    FrameReceiver { (observer: Self, frame: inout AudioFrame<Sample>) in
      observer.playback(&frame)
    }
  }
}

extension RecordObserver {
  fileprivate var recordReceiver: any FrameReceiving {
    FrameReceiver { (observer: Self, frame: inout AudioFrame<Sample>) in observer.record(&frame) }
  }
}

extension MixedObserver {
  fileprivate var mixedReceiver: any FrameReceiving {
    FrameReceiver { (observer: Self, frame: inout AudioFrame<Sample>) in observer.mixed(&frame) }
  }
}

extension BeforeMixingObserver {
  fileprivate var beforeMixingReceiver: any FrameReceiving {
    FrameReceiver { (observer: Self, frame: inout AudioFrame<Sample>) in
      guard let source = frame.source else { return false }
      return observer.beforeMixing(&frame, from: source)
    }
  }
}

extension SharedObserver {
  fileprivate var sharedReceiver: any FrameReceiving {
    FrameReceiver { (observer: Self, frame: inout AudioFrame<Sample>) in
      observer.shared(&frame)
      return true
    }
  }
}
