/// Which of the streams that an observer sees: source ids are unique in a session.
struct StreamIdentity: Hashable {
  var position: ObservationPosition
  /// Before mixing and at record.
  var source: SourceID?
  var group: SourceID?
}

extension StreamIdentity {
  /// The stream that `frame` is a part of.
  init<Sample>(of frame: borrowing AudioFrame<Sample>, at position: ObservationPosition) {
    self.init(position: position, source: frame.source, group: frame.group)
  }
}

extension ObservedStream {
  /// What tells the streams of one observer apart; its frames carry it too.
  var identity: StreamIdentity {
    StreamIdentity(position: position, source: source, group: group)
  }
}

extension AudioFrameObserver {
  /// Calls the one callback that belongs to the stream.
  func receive(_ frame: inout AudioFrame<Sample>, of stream: StreamIdentity) -> Bool {
    switch (stream.position, stream.source) {
    case (.record, _): record(&frame)
    case (.playback, _): playback(&frame)
    case (.mixed, _): mixed(&frame)
    case (.beforeMixing, let source?):
      wantsGroups
        ? beforeMixing(&frame, from: source, in: stream.group) : beforeMixing(&frame, from: source)
    case (.beforeMixing, nil): true
    }
  }
}
