/// An observer that does the same at every position.
///
/// Implement ``observe(_:at:)``; the frame itself says which source and group it comes from.
public protocol UniformObserver: AudioFrameObserver {
  /// A frame at any of the observer's positions. Session thread.
  ///
  /// - Returns: whether what is left in the frame is to be sent back.
  func observe(_ frame: inout AudioFrame<Sample>, at position: ObservationPosition) -> Bool
}

extension UniformObserver {
  public func record(_ frame: inout AudioFrame<Sample>) -> Bool { observe(&frame, at: .record) }
  public func playback(_ frame: inout AudioFrame<Sample>) -> Bool { observe(&frame, at: .playback) }
  public func mixed(_ frame: inout AudioFrame<Sample>) -> Bool { observe(&frame, at: .mixed) }

  public func beforeMixing(_ frame: inout AudioFrame<Sample>, from source: SourceID) -> Bool {
    observe(&frame, at: .beforeMixing)
  }

  public func beforeMixing(
    _ frame: inout AudioFrame<Sample>, from source: SourceID, in group: SourceID?
  ) -> Bool {
    observe(&frame, at: .beforeMixing)
  }
}
