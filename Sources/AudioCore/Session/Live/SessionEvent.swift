// SPDX-License-Identifier: Apache-2.0
/// An event of a running session; see ``Session/onEvent``. `AudioTasks` gives tasks a sequence of them.
@nonexhaustive
public enum SessionEvent: Sendable {
  /// A source that was added to the running session is heard from now on. Those that were added before the run are there
  /// from its beginning and have no such event: ``Session/onStart`` and ``LiveSession/sources`` tell them.
  case joined(Participant)
  /// A source has left that had joined, or in an open session (``Session/end``) any but the local one; `reason` is nil if it ended or was removed. Its id is free.
  case left(Participant, reason: AudioError?)
  /// A source is muted but stays: ``LiveSession/setMuted(_:everywhere:of:)``.
  case muted(Participant)
  /// A muted source is heard again.
  case unmuted(Participant)
  /// Silence stood in for a live source that had no samples. Reported when the source goes on or leaves.
  case gap(SourceKey, Gap)
  /// Speech began or ended in a stream, as a ``VoiceObserver`` heard that tells the session.
  case speech(SpeechChange)

  /// A part of a source that silence stood in for.
  public struct Gap: Sendable, Hashable {
    /// The beginning, in samples per channel since the start of the session, at the source's rate.
    public var position: Int64
    /// The length in samples per channel at the source's rate.
    public var samplesPerChannel: Int64
    /// The source's rate in hertz.
    public var sampleRate: Int
  }
}

/// A source of a running session.
public struct Participant: Sendable, Hashable {
  public var key: SourceKey
  /// Whether all participants share the source, such as music.
  public var isShared = false
  public var format: StreamFormat
  /// The position of the first sample in the session, in samples per channel at the sum's rate.
  public var start: Int64
  /// The samples per channel that the source gave.
  public var samplesPerChannel: Int64 = 0
  /// The samples per channel, at the source's rate, that silence stood in for.
  public var missingSamplesPerChannel: Int64 = 0
  /// The factor of the source while it is not muted.
  public var gain: Double = 1
  public var isMuted = false
  /// Whether silence stands in for the muted source in front of all observers, too.
  public var isMutedEverywhere = false

  public init(
    key: SourceKey, isShared: Bool = false, format: StreamFormat, start: Int64 = 0,
    gain: Double = 1
  ) {
    self.key = key
    self.isShared = isShared
    self.format = format
    self.start = start
    self.gain = gain
  }

  /// Both together.
  var mute: Mute {
    get { Mute(isMuted: isMuted, isEverywhere: isMutedEverywhere) }
    set { (isMuted, isMutedEverywhere) = (newValue.isMuted, newValue.isEverywhere) }
  }

  public var id: SourceID { key.id }
  public var group: SourceID? { key.group }
}

/// Whether a source is muted, and where.
struct Mute: Sendable, Hashable {
  var isMuted = false
  var isEverywhere = false
}

/// Takes the events of a session, on its thread.
package protocol SessionEventTaker: AnyObject, Sendable {
  func take(_ event: SessionEvent)

  /// Ends the events: the session has ended or will never run. Any thread.
  func endOfEvents()
}

/// The condition on which a session ends by itself.
@nonexhaustive
public enum SessionEnd: Sendable, Hashable {
  /// All of its sources have ended.
  case withSources
  /// All sources except the local one have left, after at least one was present. Such a session is open: it keeps a
  /// clock's pace, also without sources.
  case whenEmpty
  /// The session's ``Session/duration`` is over, or it is asked to end. Such a session is open, too.
  case onRequest

  var isOpen: Bool { self != .withSources }
}
