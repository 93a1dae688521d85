/// How much faster than its nominal rate a device runs by the system's monotonic clock, which follows the
/// time of day but for its leaps.
public struct ClockDrift: Sendable, Hashable {
  /// Above 0 where the device is fast.
  public var partsPerMillion: Double
  /// By how much that may be wrong either way: two standard deviations.
  public var uncertainty: Double
  /// Over how many seconds it was measured.
  public var span: Double

  @_noAllocation @_noLocks
  init(partsPerMillion: Double, uncertainty: Double, span: Double) {
    self.partsPerMillion = partsPerMillion
    self.uncertainty = uncertainty
    self.span = span
  }
}
