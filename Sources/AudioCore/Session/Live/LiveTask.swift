// SPDX-License-Identifier: Apache-2.0
/// A request to a running session.
enum LiveTask {
  case join(SourceEntry)
  case remove(SourceKey, draining: Bool)
  case setGain(Double, SourceKey)
  case setMuted(Mute, SourceKey)
  case register(RegisteredObserver)
  case refresh(RegisteredObserver)

  /// The source that is changed or removed. Nil if none is.
  var key: SourceKey? {
    switch self {
    case .remove(let key, _), .setGain(_, let key), .setMuted(_, let key): key
    case .join, .register, .refresh: nil
    }
  }
}

/// Tasks on their way to the session thread: the requesting thread has handed over their content.
struct LiveTasks: @unchecked Sendable {
  let tasks: [LiveTask]
}
