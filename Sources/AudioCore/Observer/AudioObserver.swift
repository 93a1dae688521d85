// SPDX-License-Identifier: Apache-2.0
/// A class that can be registered with a session. It names its positions and the shape of its frames, and is told when
/// each of its streams begins and ends.
///
/// Conform to the protocols of the callbacks that you want, and register with
/// ``Session/register(_:from:)``:
///
/// | protocol | is called |
/// |---|---|
/// | ``RecordObserver``, ``PlaybackObserver``, ``MixedObserver``, ``BeforeMixingObserver``, ``SharedObserver`` | at that position; an observer may conform to several |
/// | ``UniformObserver`` | at any position, in one function |
/// | ``GenericObserver`` | at any position, with the sample type in which the session computes |
///
/// Every callback returns whether to send the frame back: `true` sends its content, `false` lets the frame go on as it
/// was handed over. The session thread makes all callbacks, one at a time.
public protocol AudioObserver: AnyObject {
  /// The positions to observe at. The default is the positions whose protocols the observer conforms to, plus playback
  /// and record if it conforms to ``UniformObserver`` or ``GenericObserver``.
  ///
  /// The session reads this and ``parameters(at:)`` when the observer is registered, when the session starts, when a
  /// source joins, and after ``ObserverRegistration/refresh()``. It does not notice changes in between.
  var positions: ObservationPositions { get }

  /// The shape of the frames at `position`. Each parameter that is set on the session replaces the one returned here.
  /// The default is the native format, read-only.
  func parameters(at position: ObservationPosition) -> FrameParameters

  /// The delay of the observer's output behind its input in samples per channel, such as a look-ahead. The default is
  /// 0, the maximum is one minute.
  ///
  /// The session compensates for it, so no sample moves in time: it drops that many samples in front of the stream's
  /// first one, and hands over that many samples of silence behind the last one. A live stream waits that much longer.
  /// A frame answered with `false` is delayed as long: its unchanged samples go on. Mode read-only ignores the latency.
  /// The session reads it whenever it reads ``parameters(at:)``.
  ///
  /// - Parameters:
  ///   - position: one of the observer's positions.
  ///   - format: the format of the observer's frames there.
  func latency(at position: ObservationPosition, in format: StreamFormat) -> Int

  /// The least precision that the session computes in. Return `double` if the observer writes samples with more
  /// significant bits than it got and they should be rounded only once. The default is `single`.
  var neededPrecision: SamplePrecision { get }

  /// Another source whose frames before mixing the observer sees first: a frame of `source` comes after all frames of
  /// the returned source that begin before the end of that frame. The session compares both as time since its start. It
  /// does not wait if the other source is absent or the observer is not registered for it. The default is nil.
  ///
  /// An observer registered for both sources can see one and change the other, exactly aligned.
  func leader(of source: SourceKey) -> SourceKey?

  /// Announces `stream`. Called once for each stream before its first frame; before mixing, each source is a stream.
  /// Not called after the observer is unregistered.
  ///
  /// - Throws: an error that ends the session; `end` is not called for this stream then.
  func begin(_ stream: ObservedStream) throws(AudioError)

  /// Ends `stream`. Called once for each stream whose `begin` returned, right after its last frame; other streams may
  /// go on. If the session fails or is abandoned earlier, the call comes at the session's end, with `abandoned`. Not
  /// called after the observer is unregistered.
  ///
  /// - Throws: an error since `begin`; the session ends with it when all streams have ended.
  func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError)
}

extension AudioObserver {
  public var positions: ObservationPositions {
    var positions: ObservationPositions = []
    if self is any UniformObserver || self is any GenericObserver {
      positions = [.playback, .record]
    }
    for position in ObservationPosition.allCases
    where position.callback.exists(in: self) {
      positions.insert(.init(position))
    }
    // Without any callback, the run names the protocol to conform to.
    return positions.isEmpty ? [.playback, .record] : positions
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { FrameParameters() }
  public func latency(at position: ObservationPosition, in format: StreamFormat) -> Int { 0 }
  public var neededPrecision: SamplePrecision { .single }
  public func leader(of source: SourceKey) -> SourceKey? { nil }
  public func begin(_ stream: ObservedStream) throws(AudioError) {}
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {}
}

// The callback's signature sets the sample type of the frames: `Float` by default, `Double` or `Int16`. No callback has
// a default implementation, so a misspelt one does not compile.

/// Receives the sum of the remote and shared sources.
public protocol PlaybackObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// Receives a frame of the sum.
  ///
  /// - Returns: whether to send the frame back.
  func playback(_ frame: inout AudioFrame<Sample>) -> Bool
}

/// Receives the local source.
public protocol RecordObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// Receives a frame of the local source.
  ///
  /// - Returns: whether to send the frame back.
  func record(_ frame: inout AudioFrame<Sample>) -> Bool
}

/// Receives record and playback together.
public protocol MixedObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// Receives a frame of record and playback together.
  ///
  /// - Returns: whether to send the frame back.
  func mixed(_ frame: inout AudioFrame<Sample>) -> Bool
}

/// Receives the sum of the shared sources.
public protocol SharedObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// Receives a frame of the sum, which goes nowhere else.
  func shared(_ frame: inout AudioFrame<Sample>)
}

/// Receives every remote and shared source by itself.
public protocol BeforeMixingObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// Receives a frame of `source`, which is an id and its group.
  ///
  /// - Returns: whether to send the frame back.
  func beforeMixing(_ frame: inout AudioFrame<Sample>, from source: SourceKey) -> Bool
}

/// Receives the frames of all positions in one function. Each frame names its source and group.
public protocol UniformObserver: AudioObserver {
  associatedtype Sample: FrameSample = Float

  /// Receives a frame of `position`.
  ///
  /// - Returns: whether to send the frame back.
  func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool
}

/// Receives the frames of all positions in the sample type in which the session computes, so no sample is converted or
/// rounded.
public protocol GenericObserver: AudioObserver {
  /// Receives a frame of `position`.
  ///
  /// - Returns: whether to send the frame back.
  func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool
}
