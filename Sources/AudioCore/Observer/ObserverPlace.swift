/// Where in a session an observer is called: the position, and before mixing also the source.
struct ObserverPlace {
  var position: ObservationPosition
  var source: SourceID?
  var group: SourceID?
}

extension AudioFrameObserver {
  /// Calls the one callback that belongs to `place`.
  func receive(_ frame: inout AudioFrame<Sample>, at place: ObserverPlace) -> Bool {
    switch (place.position, place.source) {
    case (.record, _): record(&frame)
    case (.playback, _): playback(&frame)
    case (.mixed, _): mixed(&frame)
    case (.beforeMixing, let source?):
      wantsGroups
        ? beforeMixing(&frame, from: source, in: place.group) : beforeMixing(&frame, from: source)
    case (.beforeMixing, nil): true
    }
  }
}
