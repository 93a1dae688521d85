/// A time for which a capture's device stood still because the program was stopped.
public struct DevicePause: Sendable, Hashable, BitwiseCopyable {
  /// Where the stream leaves the time out, in samples per channel of the stream.
  public var position: Int64
  /// How much of the device's time is left out, in seconds: what its buffer held when it was stopped is
  /// a part of it.
  public var seconds: Double

  @_noAllocation @_noLocks
  public init(position: Int64, seconds: Double) {
    self.position = position
    self.seconds = seconds
  }
}
