/// How late a device thread came for its device: how much longer than a period there had been something to
/// do when the thread asked what.
///
/// Measured by the device's own position whenever the thread had waited. Quantiles and histogram are exact
/// to an eighth.
public struct WakeUpStatistics: Sendable, Hashable {
  /// How often the thread woke.
  public var count = 0
  /// Half of the delays are no longer than this.
  public var median = Duration.zero
  /// 99 of 100 delays are no longer than this.
  public var percentile99 = Duration.zero
  /// The longest delay.
  public var longest = Duration.zero
  /// All delays, the shortest first; only classes that any belong to.
  public var histogram: [DelayClass] = []

  /// Of a thread that never woke.
  public init() {}

  /// The delays that are longer than those of the class before and no longer than `longest`.
  public struct DelayClass: Sendable, Hashable {
    public var longest: Duration
    public var count: Int

    public init(longest: Duration, count: Int) {
      self.longest = longest
      self.count = count
    }
  }
}
