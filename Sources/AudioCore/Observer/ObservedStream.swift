// SPDX-License-Identifier: Apache-2.0
/// A stream that an observer is called for. ``AudioObserver/begin(_:)`` gets it before the first frame, with facts
/// about the stream and its session.
public struct ObservedStream: TappedStream, Sendable {
  /// The position of the stream in the session.
  public let position: ObservationPosition
  /// The source of the stream; nil if it is a sum of sources.
  public let source: SourceID?
  /// The group of the source; nil if it has none.
  public let group: SourceID?
  /// The source that the sum leaves out; nil if it leaves out none.
  public internal(set) var except: SourceKey?
  /// Whether the stream comes from a shared source or is the sum of the shared sources.
  public let isShared: Bool
  /// The rate and the channel count of the observer's frames.
  public let format: StreamFormat
  /// Samples across all channels in one frame; the last frame may have fewer.
  public let samplesPerCall: Int
  /// The layout of the channels in the observer's frames. It is nil if the source gives none, if the stream is a sum,
  /// if the channels are not the source's own, or if the source or the observer joined a running session.
  public internal(set) var channelLayout: Metadata.ChannelLayout?
  /// The format of the loudspeaker's samples, for a ``ReferencedObserver``.
  package internal(set) var playedFormat: StreamFormat?
  /// The widest encoding among the sources that feed the stream.
  public let encoding: SampleEncoding
  /// Whether a device sets the session's pace, so no observer may stall it.
  public let isLive: Bool
  /// Whether a second run of the session would give equal samples: none of its sources is a device or a pipe.
  public let isRepeatable: Bool
  /// The quality of the session's rate conversions.
  public let resamplerQuality: ResamplerQuality
  /// The control of the session. With it an observer can ask the session to end, and a waiting observer can see such a
  /// request.
  public let control: SessionControl
  /// The observer's registration, with the statistics of its calls so far.
  public let registration: ObserverRegistration
}

extension ObservedStream {
  /// Ends the session with an error, like one that ``AudioObserver/begin(_:)`` throws: `run()` throws it, incomplete
  /// files are removed, and a recording keeps its samples so far.
  ///
  /// Call this if a frame's callback or a thread of the observer fails. The session ends after the current block; until
  /// then frames may still come. A session throws its first failure. Does nothing once the session has ended or the
  /// observer is unregistered. Any thread.
  ///
  /// - Parameter error: an ``AudioError`` is thrown unchanged, any other as the ``AudioError/underlying`` of one.
  public func fail(_ error: any Error) {
    registration.fail(AudioError(wrapping: error, cannot: "observe", name))
  }

  /// The source of the stream with its group; nil if it is a sum of sources.
  public var key: SourceKey? { source.map { SourceKey($0, in: group) } }

  /// The stream's part of a file name: the source's id, `GROUP-ID` if it has a group, or the position of a sum,
  /// `mixed-except-ID` if it leaves out a source.
  public var name: String {
    if let except { return "\(position.rawValue)-except-\(except.fileName)" }
    return identity.name
  }

  /// The key that tells the streams of one observer apart; its frames carry it too.
  package var identity: StreamIdentity { StreamIdentity(position: position, key: key) }
}

/// The position and the source that identify one of an observer's streams.
package struct StreamIdentity: Hashable {
  package let position: ObservationPosition
  /// The source, for a stream before mixing or at record; nil for a sum.
  package let key: SourceKey?

  /// The stream's part of a file name, if it leaves out no source.
  var name: String { key?.fileName ?? position.rawValue }
  package var source: SourceID? { key?.id }
  package var group: SourceID? { key?.group }
}

extension StreamIdentity {
  init(position: ObservationPosition, source: SourceID? = nil, group: SourceID? = nil) {
    self.init(position: position, key: source.map { SourceKey($0, in: group) })
  }

  /// The stream that `frame` is a part of.
  init<Sample>(of frame: borrowing AudioFrame<Sample>, at position: ObservationPosition) {
    self.init(position: position, key: frame.key)
  }
}
