// SPDX-License-Identifier: Apache-2.0
/// An event of a running session; see ``Session/onEvent``. `AudioTasks` gives tasks a sequence of them.
public enum SessionEvent: Sendable {
  /// A source is heard from now on.
  case joined(Participant)
  /// A source has left: `reason` is nil where it came to its end or was removed. Nothing of it comes any more;
  /// its id is free.
  case left(Participant, reason: AudioError?)
  /// A source is not heard any more, though it stays: ``LiveSession/setMuted(_:of:)``.
  case muted(Participant)
  /// It is heard again.
  case unmuted(Participant)
  /// A live source had nothing for a while, and silence stood in for it. Told when it goes on or leaves.
  case gap(SourceKey, Gap)

  /// Where silence stood in for a source.
  public struct Gap: Sendable, Hashable {
    /// Where it begins: samples per channel since the start of the session, at the source's rate.
    public var position: Int64
    /// How long it is, in samples per channel at the source's rate.
    public var samplesPerChannel: Int64
    /// In hertz.
    public var sampleRate: Int
  }
}

/// A source of a running session.
public struct Participant: Sendable, Hashable {
  public var key: SourceKey
  /// Whether everybody in the session shares it, such as music.
  public var isShared = false
  public var format: StreamFormat
  /// When its first sample is heard: samples per channel since the start of the session, at the sum's rate.
  public var start: Int64
  /// Samples per channel that it gave.
  public var samplesPerChannel: Int64 = 0
  /// Samples per channel at its rate for which silence stood in.
  public var missingSamplesPerChannel: Int64 = 0
  /// The factor with which it is heard where it is not muted.
  public var gain: Double = 1
  public var isMuted = false

  public var id: SourceID { key.id }
  public var group: SourceID? { key.group }
}

/// Takes what happens in a session, on its thread.
package protocol SessionEventTaker: AnyObject, Sendable {
  func take(_ event: SessionEvent)

  /// Nothing happens any more: the session has ended, or will never run. Any thread.
  func endOfEvents()
}

/// When a session ends by itself.
public enum SessionEnd: Sendable, Hashable {
  /// When all of its sources have ended.
  case withSources
  /// When the last of its sources but the local one has left, once there was one. Such a session is open: it
  /// goes by a clock, also with nobody in it.
  case whenEmpty
  /// With its ``Session/mixDuration``, or when it is asked to. Such a session is open, too.
  case onRequest

  var isOpen: Bool { self != .withSources }
}
