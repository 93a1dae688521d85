// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What ``Session/register(_:from:)`` gives: ends an observer's calls, and tells what they came to. After its run
/// a session holds no observer any more.
///
/// All members may be used on any thread.
public final class ObserverRegistration: Sendable {
  /// Not held: an observer may keep its registration.
  private weak let hold: ObserverHold?
  private weak let live: (any ObserverAsking)?
  private let record = Mutex([ObservationPosition: ObserverStatistics]())
  private let settled = Mutex([ObservationPosition: SettledParameters]())
  private let refusal = Mutex<AudioError?>(nil)

  /// Whose parameters an observer got at a position.
  public enum ParameterOrigin: Sendable {
    /// Set on the session, one of them at least; ``SettledParameters/setOnSession`` tells which.
    case session
    /// Returned by the observer, all of them.
    case observer
  }

  /// The parameters in force at a position and who gave them.
  public struct SettledParameters: Sendable {
    /// Those set on the session, and for the rest the observer's own. What both left unset is nil.
    public var parameters: FrameParameters
    public var origin: ParameterOrigin
    /// Those of ``parameters`` that were set on the session; the others are nil.
    public var setOnSession: FrameParameters
  }

  init(_ hold: ObserverHold, _ live: any ObserverAsking) {
    self.hold = hold
    self.live = live
  }

  /// Ends the observer's calls, ``AudioObserver/begin(_:)`` and ``AudioObserver/end(_:_:)`` included, and
  /// lets go of the observer. Waits for a call in progress; after it returns no call comes, and the session
  /// holds the observer no longer. From inside a callback it takes effect when the callback returns.
  /// Calling it again does nothing.
  public func unregister() { hold?.letGo() }

  /// Asks the observer for its positions and parameters again, which are otherwise read when it is registered, when the
  /// session starts and when a source joins.
  ///
  /// The session does so soon, on its thread and between two frames: a stream that is observed otherwise from then on
  /// ends for the observer, with a last frame that may be short, and begins again with the next sample. A stream whose
  /// answers are as before goes on. Does nothing before the session runs and behind its end.
  ///
  /// Where the new answers are illegal everything stays as it was, and ``rejection`` tells why.
  public func refresh() {
    if let hold { live?.refresh(hold) }
  }

  /// Whether the session still has the observer.
  var isActive: Bool { hold?.isActive ?? false }

  /// The counts of all calls so far, by position.
  public var statistics: [ObservationPosition: ObserverStatistics] { record.withLock { $0 } }

  /// The parameters in force, by position.
  public var parameters: [ObservationPosition: SettledParameters] { settled.withLock { $0 } }

  /// Why the observer's parameters are illegal in the stream that it was to observe, where they are. At its
  /// registration this error ended the session; after ``refresh()`` the session goes on as before.
  public var rejection: AudioError? { refusal.withLock { $0 } }

  func settle(_ parameters: SettledParameters, at position: ObservationPosition) {
    settled.withLock { $0[position] = parameters }
  }

  func reject(_ error: AudioError) { refusal.withLock { $0 = error } }

  /// Ends the session with an error, unless the observer is unregistered. Any thread.
  func fail(_ error: AudioError) {
    if isActive { live?.fail(error) }
  }

  func add(_ count: (inout ObserverStatistics) -> Void, at position: ObservationPosition) {
    record.withLock { count(&$0[position, default: ObserverStatistics()]) }
  }
}

/// The session that an observer is registered with.
protocol ObserverAsking: AnyObject, Sendable {
  /// Asks the observer that is held for its positions and parameters again. Any thread.
  func refresh(_ hold: ObserverHold)

  /// Ends the session with an error, unless it has ended. Any thread.
  func fail(_ error: AudioError)
}

/// What one observer's calls at one position came to.
public struct ObserverStatistics: Sendable, Hashable {
  public var calls = 0
  /// Samples per channel, in the observer's own rate.
  public var samplesPerChannel: Int64 = 0
  /// Time spent inside the observer, over all calls.
  public var totalTime: Duration = .zero
  public var longestTime: Duration = .zero
  /// Calls that took longer than the audio they were handed lasts; counted in live sessions only.
  public var lateCalls = 0
  /// Frames that went on without a call at the end of a live session: the observer takes longer for the rest of
  /// the stream than that lasts.
  public var missedCalls = 0
  /// Frames whose edit did not reach the stream: the observer answered `false`, or changed a frame in
  /// read-only mode.
  public var discardedEdits = 0

  /// The mean time of a call.
  public var meanTime: Duration { calls == 0 ? .zero : totalTime / calls }
}
