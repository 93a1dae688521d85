// SPDX-License-Identifier: Apache-2.0
extension LiveSession {
  /// The events of the session from now on, as an asynchronous sequence: sources that join, leave or are muted, and
  /// gaps that silence fills.
  ///
  /// ```swift
  /// for await event in live.events {
  ///   if case .joined(let participant) = event { names.append(participant.id) }
  /// }
  /// ```
  ///
  /// Each use begins a new sequence, and each sequence gets every event, like ``Session/onEvent``. A sequence that
  /// begins before the run misses none; ``sources`` lists the present sources. It ends with the session, after the
  /// queued events, and at once if the session has ended. It also ends if the task is cancelled or the last copy of the
  /// sequence is released.
  ///
  /// The session never waits for a task. The buffer has no bound, because a list of participants would be wrong after a
  /// lost event. Iterate over the sequence, or release it. Any thread.
  public var events: EventSequence { EventSequence(of: self) }
}

/// The events of a session in the order they happen, for iteration in a task; see ``LiveSession/events``.
///
/// May be used on any thread. Each event goes to one iterator of the sequence; one is usual.
public struct EventSequence: AsyncSequence, Sendable {
  public typealias Element = SessionEvent
  public typealias Failure = Never

  private let subscription: Subscription<SessionEvent>

  fileprivate init(of live: LiveSession) {
    let queue = HandoverQueue<SessionEvent>(capacity: .max)
    live.add(queue)
    subscription = Subscription(queue) { [weak live] in live?.remove(queue) }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Takes the events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: Subscription<SessionEvent>

    /// Returns the next event; nil if the session has ended or the task is cancelled.
    public mutating func next() async -> SessionEvent? { await next(isolation: nil) }

    /// Returns the next event; nil if the session has ended or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> SessionEvent? {
      await subscription.next(isolation: actor)
    }
  }
}

extension HandoverQueue: SessionEventTaker where Element == SessionEvent {
  func take(_ event: SessionEvent) { append { _ in event } }

  func endOfEvents() { end() }
}
