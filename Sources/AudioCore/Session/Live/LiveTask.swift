// SPDX-License-Identifier: Apache-2.0
/// A request to a running session.
enum LiveTask {
  case join(SourceEntry)
  case remove(SourceKey, draining: Bool)
  case setGain(Double, SourceKey)
  case setMuted(Mute, SourceKey)
  case register(RegisteredObserver)
  case refresh(RegisteredObserver)
}

/// Tasks on their way to the session thread: the requesting thread has handed over their content.
struct LiveTasks: @unchecked Sendable {
  let tasks: [LiveTask]
}
