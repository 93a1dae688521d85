/// A place where a stream and its device's clock parted.
public struct DeviceGap: Sendable, Hashable, BitwiseCopyable {
  /// Why they parted.
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

  /// What happened, or what happened first where several things followed on each other.
  public var cause: Cause
  /// Where the gap begins, in samples per channel of the stream. A capture's stream has silence in place
  /// of what was lost before, so that this is a time on the device's clock.
  public var position: Int64
  /// How many samples per channel the device's clock went on by without giving them; nil where nobody
  /// knows. An underrun loses none.
  public var lostSamples: Int64?
  /// By how much ``lostSamples`` may be wrong either way, in samples per channel: 0 where they were
  /// counted, above where they were estimated.
  public var uncertainty: Int64
  /// How often something failed before a sample came through again.
  public var occurrences: Int

  /// Whether ``lostSamples`` comes from the time that passed rather than from a count.
  public var isEstimated: Bool { uncertainty > 0 }

  /// - Parameters:
  ///   - cause: what happened first.
  ///   - position: where the gap begins, in samples per channel of the stream.
  ///   - lostSamples: per channel; nil where nobody knows.
  ///   - uncertainty: of `lostSamples`, either way; 0 where they were counted.
  ///   - occurrences: how often something failed.
  @_noAllocation @_noLocks
  public init(
    cause: Cause, position: Int64, lostSamples: Int64?, uncertainty: Int64 = 0,
    occurrences: Int = 1
  ) {
    self.cause = cause
    self.position = position
    self.lostSamples = lostSamples
    self.uncertainty = uncertainty
    self.occurrences = occurrences
  }
}
