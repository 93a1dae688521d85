import Synchronization

/// Ends a running session from outside: from another thread or from a signal handler.
public final class SessionControl: Sendable {
  /// How a session is asked to end.
  public enum Request: UInt8, Sendable {
    /// It is not: go on.
    case none
    /// Take no more input, deliver what was taken and complete every file.
    case finish
    /// Drop everything and remove what is incomplete.
    case abandon
  }

  private let stored = Atomic(Request.none.rawValue)
  let wakeup = Wakeup()

  public init() {}

  /// What was asked for so far.
  public var request: Request { Request(rawValue: stored.load(ordering: .acquiring)) ?? .none }

  /// Asks the session to end. Any thread; also async-signal-safe.
  public func requestStop(_ request: Request) {
    stored.store(request.rawValue, ordering: .releasing)
    wakeup.signal()
  }
}
