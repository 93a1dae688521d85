// SPDX-License-Identifier: Apache-2.0
/// One stream that an observer is called for: what ``AudioObserver/begin(_:)`` is told before its first
/// frame, of the stream and of the session that it is in.
public struct ObservedStream: TappedStream, Sendable {
  /// Where in the session it is observed.
  public let position: ObservationPosition
  /// Who it comes from; nil where it is a sum of sources.
  public let source: SourceID?
  /// The group of that source, where it has one.
  public let group: SourceID?
  /// Whether it comes from a shared source, or is the sum of them.
  public let isShared: Bool
  /// The rate and the channel count of the observer's frames.
  public let format: StreamFormat
  /// Samples across all channels in one frame; the last frame may have fewer.
  public let samplesPerCall: Int
  /// Which channel of the observer's frames belongs where; nil where nobody says so: the source does not, it is a sum, the
  /// channels are others than the source's, or source or observer came while the session ran.
  public internal(set) var channelLayout: Metadata.ChannelLayout?
  /// The widest encoding among the sources that feed the stream.
  public let encoding: SampleEncoding
  /// Whether the session moves at a device's own pace, so that nothing may hold it up.
  public let isLive: Bool
  /// Whether the session could be run again and give the same: none of its sources is a device or a pipe.
  public let isRepeatable: Bool
  /// The quality of the session's rate conversions.
  public let resamplerQuality: ResamplerQuality
  /// The session's: an observer may ask it to end, and one that waits for something sees here that the
  /// session is asked to.
  public let control: SessionControl
  /// The observer's own, with what its calls came to so far.
  public let registration: ObserverRegistration
}

extension ObservedStream {
  /// Ends the session with an error, as one that ``AudioObserver/begin(_:)`` throws does: `run()` throws it, incomplete
  /// files are removed, and a recording keeps what it has.
  ///
  /// For an observer that fails in a frame's callback, or on a thread of its own. The session ends behind the block that
  /// it is at; until then frames may still come. The first failure of a session is the one that is thrown. Does nothing
  /// once the session has ended or the observer is unregistered. Any thread.
  ///
  /// - Parameter error: an ``AudioError`` is thrown as it is, any other as the ``AudioError/underlying`` of one.
  public func fail(_ error: any Error) {
    registration.fail(AudioError(wrapping: error, cannot: "observe", name))
  }

  /// Who it comes from, with the group; nil where it is a sum of sources.
  public var key: SourceKey? { source.map { SourceKey($0, in: group) } }

  /// The stream's part of a file name: the source's id, `GROUP-ID` if it has a group, or the position of a sum.
  public var name: String { key?.fileName ?? position.rawValue }

  /// What tells the streams of one observer apart; its frames carry it too.
  var identity: StreamIdentity { StreamIdentity(position: position, key: key) }
}

/// Which of the streams that an observer sees.
package struct StreamIdentity: Hashable {
  package var position: ObservationPosition
  /// Before mixing and at record.
  package var key: SourceKey?

  init(position: ObservationPosition, key: SourceKey?) {
    self.position = position
    self.key = key
  }

  init(position: ObservationPosition, source: SourceID? = nil, group: SourceID? = nil) {
    self.init(position: position, key: source.map { SourceKey($0, in: group) })
  }

  package var source: SourceID? { key?.id }
  package var group: SourceID? { key?.group }
}

extension StreamIdentity {
  /// The stream that `frame` is a part of.
  init<Sample>(of frame: borrowing AudioFrame<Sample>, at position: ObservationPosition) {
    self.init(position: position, key: frame.key)
  }
}
