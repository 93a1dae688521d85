// SPDX-License-Identifier: Apache-2.0
/// A listener's view of its session, on the listener's thread. Nothing here waits for the session.
protocol JoiningHost: Sendable {
  /// Adds a source.
  ///
  /// - Throws: an error if the id is taken or the session is over.
  func add(_ source: sending JoinedSource, _ request: JoinRequest) throws(AudioError)

  /// Ends a source.
  func remove(_ id: SourceKey) throws(AudioError)

  /// - Parameter gain: a factor.
  func setGain(_ gain: Double, of id: SourceKey) throws(AudioError)

  func setMuted(_ isMuted: Bool, of id: SourceKey) throws(AudioError)

  /// - Throws: an error if no stream passes `position`, now or later.
  func requireStreams(at position: ObservationPosition) throws(AudioError)

  /// The format of the streams at `position`; nil if there are none.
  func format(at position: ObservationPosition, of source: SourceKey?) -> StreamFormat?

  func register(
    _ observer: sending any AudioObserver, from source: SourceKey?
  ) throws(AudioError) -> ObserverRegistration

  /// The sources of the session, as members of a line.
  func status() -> [(name: String, value: JSONValue)]

  /// The ids of the present sources that pass `position`.
  func sources(at position: ObservationPosition) -> [SourceKey]

  /// Ends the present part of a recording and begins the next.
  ///
  /// - Throws: an error if no recording is split.
  func split() throws(AudioError)

  /// Ends the session as a signal would.
  func stop()
}
