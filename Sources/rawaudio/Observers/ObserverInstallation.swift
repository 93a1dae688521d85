// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Registers observers with a command's session, and holds the means to do so. Main thread only.
struct ObserverInstallation {
  private let session: Session
  let request: ObserverList
  /// Whether any part of the session runs at a device's pace, so that no call may wait.
  let isLive: Bool
  /// Whether sources join while the session runs.
  let isOpen: Bool
  /// The duration of a mixed-in sweep.
  let duration: TimePosition?
  let meters: MeterDisplay
  /// The thread that writes taps and event logs. Started at their first use.
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

  /// Registers the observer made by `make`.
  func register(
    _ observer: ObserverRequest,
    _ make: (ObserverFrames) -> any AudioObserver
  ) throws(AudioError) -> InstalledObserver {
    let made = make(
      ObserverFrames(positions: observer.positions, parameters: request.parameters(of: observer)))
    return InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source))
  }

  /// The thread that writes the observers' outputs, started if needed.
  mutating func backgroundWriter() throws(AudioError) -> BackgroundWriter {
    if let writer { return writer }
    let started = try BackgroundWriter()
    writer = started
    return started
  }
}

/// The positions and the shape of an observer's frames.
struct ObserverFrames {
  let positions: ObservationPositions
  let parameters: FrameParameters
}
