// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Takes the events of a run, and may find others in them. Session thread only.
protocol RunReader {
  /// - Parameter log: where a reader tells the events that it finds.
  func take(_ event: RunEvent, in log: RunLog)
}

/// Hands the events of a run to its readers, one after another. Session thread only.
final class RunLog {
  private let inbox: RunInbox
  private let readers: [any RunReader]

  /// - Parameter readers: in the order in which they are given each event.
  init(_ inbox: RunInbox, _ readers: [any RunReader]) {
    self.inbox = inbox
    self.readers = readers
  }

  /// Tells an event, behind those that other threads have left.
  func tell(_ event: RunEvent) {
    deliver()
    hand(event)
  }

  /// Tells the events that other threads have left.
  func deliver() {
    for event in inbox.take() { hand(event) }
  }

  private func hand(_ event: RunEvent) {
    for reader in readers { reader.take(event, in: self) }
  }
}

/// Where other threads leave events for the session's thread.
final class RunInbox: Sendable {
  private let events = Mutex<[RunEvent]>([])
  private let early: (@Sendable (RunEvent) -> Void)?

  /// - Parameter early: is given each event at once, on the thread that leaves it.
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
