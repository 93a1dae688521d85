/// The observers at one position, in order, with the shapes they get there.
struct PositionPlan {
  struct Place {
    let observer: any StreamObserver
    let registration: ObserverRegistration
    let mode: ObserverMode
    let shape: FrameShape
  }

  let position: ObservationPosition
  private(set) var places: [Place] = []
  /// The format of the stream after the last observer.
  private(set) var outputFormat: StreamFormat

  /// - Parameters:
  ///   - source: whose stream it is; nil for a sum.
  ///   - parameters: what the session asks for in the observers' stead.
  /// - Throws: `invalidParameter` where an observer's parameters are illegal at this position.
  init(
    _ position: ObservationPosition, of source: SourceID?, native: StreamFormat,
    observers: [SessionObserver], session parameters: FrameParameters?
  ) throws(AudioError) {
    self.position = position
    outputFormat = native
    for entry in observers where entry.observes(position, of: source) {
      let asked = parameters ?? entry.observer.parameters(at: position)
      let shape = try asked.resolved(native: outputFormat)
      entry.registration.settle(
        .init(parameters: asked, origin: parameters == nil ? .observer : .session), at: position)
      places.append(
        Place(
          observer: entry.observer, registration: entry.registration, mode: asked.mode,
          shape: shape))
      if asked.mode != .readOnly { outputFormat = shape.format }
    }
  }
}

/// An observer in the precision of the running session.
struct SessionObserver {
  let observer: any StreamObserver
  let registration: ObserverRegistration
  /// The only source to observe, where there is one.
  let source: SourceID?

  func observes(_ position: ObservationPosition, of source: SourceID?) -> Bool {
    observer.positions.contains(.init(position)) && (self.source == nil || self.source == source)
  }
}
