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

  let wakeup = Wakeup()

  public init() {}

  /// What was asked for so far.
  public var request: Request { wakeup.request }

  /// Asks the session to end. Any thread; also async-signal-safe.
  public func requestStop(_ request: Request) {
    wakeup.request(request)
  }
}
