// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Takes the events of a run, and may derive further events. Session thread only.
protocol RunReader {
  func take(_ event: RunEvent, in log: RunLog)
}

/// Passes the events of a run to its readers, one after another. Session thread only.
final class RunLog {
  private let inbox: CrossThreadEvents
  private let readers: [any RunReader]

  /// - Parameter readers: receive each event in this order.
  init(_ inbox: CrossThreadEvents, _ readers: [any RunReader]) {
    self.inbox = inbox
    self.readers = readers
  }

  /// Passes on an event, after the events from other threads.
  func tell(_ event: RunEvent) {
    deliver()
    hand(event)
  }

  /// Passes on the events from other threads.
  func deliver() {
    for event in inbox.take() { hand(event) }
  }

  private func hand(_ event: RunEvent) {
    for reader in readers { reader.take(event, in: self) }
  }
}

/// An inbox for events from other threads.
final class CrossThreadEvents: Sendable {
  private let events = Mutex<[RunEvent]>([])
  private let early: (@Sendable (RunEvent) -> Void)?

  /// - Parameter early: called with each event at once, on the thread that puts it.
  init(early: (@Sendable (RunEvent) -> Void)? = nil) { self.early = early }

  /// Any thread.
  func put(_ event: RunEvent) {
    events.withLock { $0.append(event) }
    early?(event)
  }

  /// The events since the last call, in order.
  fileprivate func take() -> [RunEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
