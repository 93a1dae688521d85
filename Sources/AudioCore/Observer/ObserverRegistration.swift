// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The result of ``Session/register(_:from:)``: ends an observer's calls and counts them. A session releases all
/// observers after its run.
///
/// All members may be used on any thread.
public final class ObserverRegistration: Sendable {
  /// Weak, because an observer may keep its registration.
  private weak let hold: ObserverHold?
  private weak let live: (any ObserverAsking)?
  private let record = Mutex([ObservationPosition: ObserverStatistics]())
  private let settled = Mutex([ObservationPosition: SettledParameters]())
  private let refusal = Mutex<AudioError?>(nil)

  /// The origin of the parameters that an observer got at a position.
  public enum ParameterOrigin: Sendable {
    /// At least one was set on the session; ``SettledParameters/setOnSession`` tells which.
    case session
    /// The observer returned all of them.
    case observer
  }

  /// The parameters in force at a position and their origin.
  public struct SettledParameters: Sendable {
    /// The parameters set on the session, completed by the observer's own. A parameter that both left unset is nil.
    public var parameters: FrameParameters
    public var origin: ParameterOrigin
    /// The subset of ``parameters`` that was set on the session; the others are nil.
    public var setOnSession: FrameParameters
  }

  init(_ hold: ObserverHold, _ live: any ObserverAsking) {
    self.hold = hold
    self.live = live
  }

  /// Ends the observer's calls, including ``AudioObserver/begin(_:)`` and ``AudioObserver/end(_:_:)``, and releases the
  /// observer. Waits for a call in progress; no call comes after it returns. From inside a callback it takes effect
  /// when the callback returns. A second call does nothing.
  public func unregister() { hold?.letGo() }

  /// Asks the observer again for its positions and parameters. The session otherwise reads them when the observer is
  /// registered, when the session starts and when a source joins.
  ///
  /// The session asks soon, on its thread and between two frames. A stream with new answers ends for the observer,
  /// perhaps with a short last frame, and begins again with the next sample. A stream with unchanged answers goes on.
  /// Does nothing before or after the session's run.
  ///
  /// If the new answers are illegal, the old ones stay in force and ``rejection`` holds the error.
  public func refresh() {
    if let hold { live?.refresh(hold) }
  }

  /// Whether the session still has the observer.
  var isActive: Bool { hold?.isActive ?? false }

  /// The counts of all calls so far, by position.
  public var statistics: [ObservationPosition: ObserverStatistics] { record.withLock { $0 } }

  /// The parameters in force, by position.
  public var parameters: [ObservationPosition: SettledParameters] { settled.withLock { $0 } }

  /// The error of the observer's parameters if they are illegal in its stream. An illegal answer at registration ended
  /// the session; after ``refresh()`` the session goes on as before.
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
  /// Asks the held observer again for its positions and parameters. Any thread.
  func refresh(_ hold: ObserverHold)

  /// Ends the session with an error, unless it has ended. Any thread.
  func fail(_ error: AudioError)
}

/// The statistics of one observer's calls at one position.
public struct ObserverStatistics: Sendable, Hashable {
  public var calls = 0
  /// Samples per channel, in the observer's own rate.
  public var samplesPerChannel: Int64 = 0
  /// Time spent inside the observer, over all calls.
  public var totalTime: Duration = .zero
  public var longestTime: Duration = .zero
  /// The calls that took longer than the audio of their frame; counted in live sessions only.
  public var lateCalls = 0
  /// The frames that went on without a call at the end of a live session, because the observer would take longer for
  /// the rest of the stream than the rest lasts.
  public var missedCalls = 0
  /// The frames whose edit did not reach the stream: the observer answered `false`, or changed a frame in read-only
  /// mode.
  public var discardedEdits = 0

  /// The mean time of a call.
  public var meanTime: Duration { calls == 0 ? .zero : totalTime / calls }

  mutating func addCall(_ samplesPerChannel: Int64, lasting time: Duration) {
    calls += 1
    self.samplesPerChannel += samplesPerChannel
    totalTime += time
    longestTime = max(longestTime, time)
  }
}
