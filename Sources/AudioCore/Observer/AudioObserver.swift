// SPDX-License-Identifier: Apache-2.0
/// What can be registered with a session: it says where it wants to observe and in which shape, and is
/// told when each of its streams begins and ends.
///
/// Conform to the protocols of the callbacks that you want, and register with
/// ``Session/register(_:from:)``:
///
/// | protocol | is called |
/// |---|---|
/// | ``RecordObserver``, ``PlaybackObserver``, ``MixedObserver``, ``BeforeMixingObserver``, ``SharedObserver`` | at that position; an observer may conform to several |
/// | ``BeforeMixingGroupObserver`` | before mixing, with the source's group |
/// | ``UniformObserver`` | at any position, in one function |
/// | ``GenericObserver`` | the same, with the sample type in which the session computes |
///
/// Every callback returns whether the frame is to be sent back: `true` sends what is in it, `false`
/// lets the frame go on as it was handed over. All callbacks come on the session thread, one at a time.
public protocol AudioObserver: AnyObject {
  /// The positions to observe at. An observer that does not say gets those whose protocols it conforms
  /// to, and playback and record where it takes frames of any position.
  ///
  /// Asked, as ``parameters(at:)`` is, when the observer is registered, when the session starts, when a source joins, and
  /// after ``ObserverRegistration/refresh()``. In between a session does not see that an answer has changed.
  var positions: ObservationPositions { get }

  /// The shape of the frames at `position`. Parameters that are set on the session win over these, one by
  /// one; those that are not set there are these.
  /// Everything native, read-only, where an observer does not say.
  func parameters(at position: ObservationPosition) -> FrameParameters

  /// By how many samples per channel the observer gives back later than it gets, as one that looks ahead does; 0 if an
  /// observer does not say. At most a minute.
  ///
  /// The session makes up for it, so nothing moves in time: it drops as many samples in front of the first that belongs
  /// to the stream, and behind the end it hands over as many samples of silence, whose frames stand behind the stream's
  /// last sample. A live stream waits that much longer. A frame that is answered with `false` is as late: the samples that
  /// take its place go on as they were. Without effect in mode read-only. Asked as ``parameters(at:)`` is.
  ///
  /// - Parameters:
  ///   - position: one of the observer's.
  ///   - format: of its frames there.
  func latency(at position: ObservationPosition, in format: StreamFormat) -> Int

  /// The precision that the session has to compute in, or a wider one: `double` where the observer leaves
  /// samples that have more significant bits than those it got, and these are to be rounded only once.
  /// `single` where an observer does not say.
  var neededPrecision: SamplePrecision { get }

  /// Another source whose frames before mixing the observer is to be shown first: no frame of `source` comes before
  /// those of the answer that begin before its end. Both are compared as time since the start of the session; where
  /// the other source is not there, or not registered for, nothing is waited for. nil where an observer does not say.
  ///
  /// So an observer can see one source and change another, exactly aligned: register it for both.
  func leader(of source: SourceKey) -> SourceKey?

  /// Frames of `stream` will follow. Called once for each stream, before mixing once for each source,
  /// before its first frame. Not called once the observer is unregistered.
  ///
  /// - Throws: ends the session with this error; `end` is not called for this stream then.
  func begin(_ stream: ObservedStream) throws(AudioError)

  /// No frame of `stream` follows. Called once for each stream whose `begin` returned: right after its last
  /// frame, while other streams may go on; where the session fails or is abandoned before, at its end, then
  /// with `abandoned`. Not called once the observer is unregistered.
  ///
  /// - Throws: what went wrong since `begin`; the session ends with this error when all streams have ended.
  func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError)
}

extension AudioObserver {
  public var positions: ObservationPositions {
    var positions: ObservationPositions = []
    if self is any UniformObserver || self is any GenericObserver {
      positions = [.playback, .record]
    }
    if self is any PlaybackObserver { positions.insert(.playback) }
    if self is any RecordObserver { positions.insert(.record) }
    if self is any MixedObserver { positions.insert(.mixed) }
    if self is any SharedObserver { positions.insert(.shared) }
    if self is any BeforeMixingObserver || self is any BeforeMixingGroupObserver {
      positions.insert(.beforeMixing)
    }
    // Without any callback the run says what to conform to.
    return positions.isEmpty ? [.playback, .record] : positions
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { FrameParameters() }
  public func latency(at position: ObservationPosition, in format: StreamFormat) -> Int { 0 }
  public var neededPrecision: SamplePrecision { .single }
  public func leader(of source: SourceKey) -> SourceKey? { nil }
  public func begin(_ stream: ObservedStream) throws(AudioError) {}
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {}
}

// The sample type of the frames is the one that a callback is written with: `Float` where nothing is
// said, or `Double`, or `Int16`. No callback has a default: one that is misspelt does not compile.

/// Is called with the sum of the remote and shared sources.
public protocol PlaybackObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// A frame of that sum.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func playback(_ frame: inout AudioFrame<Sample>) -> Bool
}

/// Is called with the local source.
public protocol RecordObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// A frame of that source.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func record(_ frame: inout AudioFrame<Sample>) -> Bool
}

/// Is called with record and playback together.
public protocol MixedObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// A frame of both.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func mixed(_ frame: inout AudioFrame<Sample>) -> Bool
}

/// Is called with the sum of the shared sources.
public protocol SharedObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// A frame of that sum, which goes nowhere else.
  func shared(_ frame: inout AudioFrame<Sample>)
}

/// Is called with every remote and shared source by itself.
public protocol BeforeMixingObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// A frame of one of them.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func beforeMixing(_ frame: inout AudioFrame<Sample>, from source: SourceID) -> Bool
}

/// Is called with every remote and shared source by itself and told its group, instead of the plain form.
public protocol BeforeMixingGroupObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// A frame of one of them; `group` is nil where the source has none.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func beforeMixing(
    _ frame: inout AudioFrame<Sample>, from source: SourceID, in group: SourceID?
  ) -> Bool
}

/// Does the same at every position. The frame itself says which source and group it comes from.
public protocol UniformObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// A frame at any of the observer's positions.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool
}

/// Does the same at every position, on frames of the sample type in which the session computes: nothing
/// is converted, and what goes on is exact.
public protocol GenericObserver: AudioObserver {
  /// A frame at any of the observer's positions.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool
}
