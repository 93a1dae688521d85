/// Receives raw audio, frame by frame, at the positions and in the shape that it asks for.
///
/// Conform, implement the callbacks of the positions you want, and register with
/// ``Session/register(_:from:)-(AudioFrameObserver,_)``. The sample type of the frames is the one that the callbacks are written
/// with: `Float` where nothing is said, or `Double`, or `Int16`.
///
/// Every callback returns whether the frame is to be sent back: `true` sends what is in it, `false`
/// lets the frame go on as it was handed over. All callbacks come on the session thread, one at a time.
public protocol AudioFrameObserver: AnyObject {
  associatedtype Sample: FrameSample = Float

  /// The positions to be called at.
  var positions: ObservationPositions { get }

  /// The shape of the frames at `position`. Parameters that are set on the session win over these.
  func parameters(at position: ObservationPosition) -> FrameParameters

  /// Whether before-mixing frames are wanted in the form with a group instead of the plain one.
  var wantsGroups: Bool { get }

  /// Frames of `stream` will follow. Called once for each place of the observer, before mixing once for
  /// each source, before the first frame of that place.
  ///
  /// - Throws: ends the session with this error; `end` is not called for this place then.
  func begin(_ stream: ObservedStream) throws(AudioError)

  /// No frame of `stream` follows. Called once for each place whose `begin` returned, also after a
  /// failure, then with `abandoned`.
  ///
  /// - Throws: what went wrong since `begin`; it ends the session with this error.
  func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError)

  /// A frame of the local source.
  func record(_ frame: inout AudioFrame<Sample>) -> Bool

  /// A frame of the sum of the remote and shared sources.
  func playback(_ frame: inout AudioFrame<Sample>) -> Bool

  /// A frame of record and playback together.
  func mixed(_ frame: inout AudioFrame<Sample>) -> Bool

  /// A frame of one remote or shared source.
  func beforeMixing(_ frame: inout AudioFrame<Sample>, from source: SourceID) -> Bool

  /// A frame of one remote or shared source of a group; instead of the plain form where
  /// ``wantsGroups`` is true.
  func beforeMixing(
    _ frame: inout AudioFrame<Sample>, from source: SourceID, in group: SourceID?
  ) -> Bool
}

extension AudioFrameObserver {
  public var positions: ObservationPositions { [.playback, .record] }
  public func parameters(at position: ObservationPosition) -> FrameParameters { FrameParameters() }
  public var wantsGroups: Bool { false }
  public func begin(_ stream: ObservedStream) throws(AudioError) {}
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {}
  public func record(_ frame: inout AudioFrame<Sample>) -> Bool { true }
  public func playback(_ frame: inout AudioFrame<Sample>) -> Bool { true }
  public func mixed(_ frame: inout AudioFrame<Sample>) -> Bool { true }

  public func beforeMixing(_ frame: inout AudioFrame<Sample>, from source: SourceID) -> Bool {
    true
  }

  public func beforeMixing(
    _ frame: inout AudioFrame<Sample>, from source: SourceID, in group: SourceID?
  ) -> Bool { true }
}
