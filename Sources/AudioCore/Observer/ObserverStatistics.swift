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
  /// Frames whose edit did not reach the stream: the observer answered `false`, or changed a frame in
  /// read-only mode.
  public var discardedEdits = 0

  /// The mean time of a call.
  public var meanTime: Duration { calls == 0 ? .zero : totalTime / calls }
}
