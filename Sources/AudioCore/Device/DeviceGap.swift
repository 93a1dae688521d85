/// A place where a stream and its device's clock parted.
public struct DeviceGap: Sendable, Hashable, BitwiseCopyable {
  public enum Cause: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// The device's buffer ran over or empty.
    case xrun
    /// The system slept.
    case suspend
    /// The session thread left the ring full.
    case ringOverflow
    /// The device failed with an input/output error and was started again.
    case fault
  }

  public var cause: Cause
  /// How many samples per channel went through the device's handle before the gap.
  public var position: Int64
  /// How many samples per channel were lost; nil where nobody counted them. An underrun loses none.
  public var lostSamples: Int64?

  @_noAllocation @_noLocks
  public init(cause: Cause, position: Int64, lostSamples: Int64?) {
    self.cause = cause
    self.position = position
    self.lostSamples = lostSamples
  }
}
