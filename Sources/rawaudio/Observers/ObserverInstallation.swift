// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Registers observers with a command's session: all that a kind may use to do so. Main thread only.
struct ObserverInstallation {
  private let session: Session
  let request: ObserverList
  /// Whether anything in the session moves at a device's pace, so that nothing may wait.
  let isLive: Bool
  /// Whether sources join while the session runs.
  let isOpen: Bool
  /// How long a mixed-in sweep takes.
  let duration: TimePosition?
  let meters: MeterDisplay
  /// The thread that writes taps and event logs; started where there is one of them.
  private var writer: BackgroundWriter?

  init(
    _ request: ObserverList, on session: Session, isLive: Bool, isOpen: Bool,
    duration: TimePosition?, meters: MeterDisplay
  ) {
    self.session = session
    self.request = request
    self.isLive = isLive
    self.isOpen = isOpen
    self.duration = duration
    self.meters = meters
  }

  /// Registers the observer that `make` makes of its positions and the shape of its frames.
  func register(
    _ observer: ObserverRequest,
    _ make: (ObserverFrames) -> any AudioObserver
  ) throws(AudioError) -> InstalledObserver {
    let made = make(
      ObserverFrames(positions: observer.positions, parameters: request.parameters(of: observer)))
    return InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source))
  }

  /// The thread that writes what observers tell.
  mutating func backgroundWriter() throws(AudioError) -> BackgroundWriter {
    if let writer { return writer }
    let started = try BackgroundWriter()
    writer = started
    return started
  }
}

/// Where an observer gets frames, and of which shape.
struct ObserverFrames {
  let positions: ObservationPositions
  let parameters: FrameParameters
}
