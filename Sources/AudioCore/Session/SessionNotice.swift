// SPDX-License-Identifier: Apache-2.0
/// A likely mistake in an observer's code, seen during a run without causing an error.
@nonexhaustive
public enum SessionNotice: Sendable, Hashable {
  /// An observer changed frames in mode read-only, which never reach the stream.
  ///
  /// - Parameters:
  ///   - observer: the name of its type.
  ///   - frames: the number of changed frames.
  case editsInReadOnly(observer: String, position: ObservationPosition, frames: Int)
  /// An observer has a callback for a position that is missing in its ``AudioObserver/positions``.
  case callbackWithoutPosition(observer: String, position: ObservationPosition)
}

extension SessionNotice: CustomStringConvertible {
  /// The notice in one line, with the advice.
  public var description: String {
    switch self {
    case .editsInReadOnly(let observer, let position, let frames):
      """
      \(observer) changed \(frames) \(frames == 1 ? "frame" : "frames") at \(position.rawValue) in mode read-only, \
      and the stream kept its own; ask for the mode read-write
      """
    case .callbackWithoutPosition(let observer, let position):
      """
      \(observer) has a callback for \(position.rawValue) that was never called; \
      if it is to be, add the position to its 'positions'
      """
    }
  }
}

extension RegisteredObserver {
  /// The likely mistakes of an observer that is still registered. Session thread, after the last call.
  func notices() -> [SessionNotice] {
    let found = hold.call { observer in
      let name = traits.contains(.isClosure) ? "a closure" : "\(type(of: observer))"
      let (statistics, settled) = (registration.statistics, registration.parameters)
      return ObservationPosition.allCases.compactMap { position -> SessionNotice? in
        let isAsked =
          statistics[position] != nil || observer.positions.contains(.init(position))
        if !isAsked, position.callback.exists(in: observer) {
          return .callbackWithoutPosition(observer: name, position: position)
        }
        let frames = statistics[position]?.discardedEdits ?? 0
        let mode = settled[position]?.parameters.mode ?? .readOnly
        guard frames > 0, mode == .readOnly else { return nil }
        return .editsInReadOnly(observer: name, position: position, frames: frames)
      }
    }
    return found ?? []
  }
}
