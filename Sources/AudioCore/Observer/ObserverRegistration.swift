import Synchronization

/// An observer's place in a session: what ``Session/register(_:from:)-(AudioFrameObserver,_)`` gives.
///
/// All members may be used on any thread.
public final class ObserverRegistration: Sendable {
  private let active = Atomic(true)
  /// The thread inside the observer's callback; 0 while there is none.
  private let callingThread = Atomic<UInt>(0)
  private let call = Mutex(())
  private let record = Mutex([ObservationPosition: ObserverStatistics]())
  private let settled = Mutex([ObservationPosition: SettledParameters]())

  /// Whose parameters an observer got at a position.
  public enum ParameterOrigin: Sendable {
    /// Set on the session.
    case session
    /// Returned by the observer.
    case observer
  }

  /// The parameters in force at a position and who gave them.
  public struct SettledParameters: Sendable {
    public var parameters: FrameParameters
    public var origin: ParameterOrigin
  }

  init() {}

  /// Ends the observer's calls. Waits for a call in progress; after it returns no call comes. From
  /// inside a callback it takes effect when the callback returns. Calling it again does nothing.
  public func unregister() {
    active.store(false, ordering: .sequentiallyConsistent)
    if callingThread.load(ordering: .acquiring) == currentThread { return }
    call.withLock { _ in }
  }

  /// Whether ``unregister()`` has not been called.
  var isActive: Bool { active.load(ordering: .sequentiallyConsistent) }

  /// The counts of all calls so far, by position.
  public var statistics: [ObservationPosition: ObserverStatistics] { record.withLock { $0 } }

  /// The parameters in force since the session started, by position.
  public var parameters: [ObservationPosition: SettledParameters] { settled.withLock { $0 } }

  /// Runs `body` unless the observer is unregistered; nil then.
  func whileRegistered<Result>(_ body: () -> Result) -> Result? {
    call.withLock { _ in
      guard isActive else { return nil }
      callingThread.store(currentThread, ordering: .releasing)
      defer { callingThread.store(0, ordering: .releasing) }
      return body()
    }
  }

  func settle(_ parameters: SettledParameters, at position: ObservationPosition) {
    settled.withLock { $0[position] = parameters }
  }

  func add(_ count: (inout ObserverStatistics) -> Void, at position: ObservationPosition) {
    record.withLock { count(&$0[position, default: ObserverStatistics()]) }
  }
}
