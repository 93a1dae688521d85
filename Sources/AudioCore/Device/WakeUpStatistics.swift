/// How late a device thread came for its device: how much longer than a period there had been something to
/// do when the thread asked what.
///
/// Measured by the device's own position whenever the thread had waited. The quantiles are exact to an
/// eighth.
public struct WakeUpStatistics: Sendable, Hashable {
  /// How often the thread woke.
  public var count = 0
  /// Half of the delays are no longer than this.
  public var median = Duration.zero
  /// 99 of 100 delays are no longer than this.
  public var percentile99 = Duration.zero
  public var longest = Duration.zero

  public init() {}

  init(count: Int, median: Duration, percentile99: Duration, longest: Duration) {
    self.count = count
    self.median = median
    self.percentile99 = percentile99
    self.longest = longest
  }
}
