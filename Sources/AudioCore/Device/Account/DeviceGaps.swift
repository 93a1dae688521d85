/// All gaps of a stream: the first ones each, and what they come to together.
///
/// Memory is bounded: where a stream is broken more often than ``longestList``, the later gaps are only
/// summed up. ``AlsaSource/onGap`` tells every one of them.
public struct DeviceGaps: Sendable, Hashable {
  /// How many gaps are kept one by one.
  public static let longestList = 10_000

  /// The first gaps, in order.
  public private(set) var list: [DeviceGap] = []
  /// How many there are.
  public private(set) var count = 0
  /// Samples per channel that were lost and counted.
  public private(set) var countedSamples: Int64 = 0
  /// Samples per channel that were lost and estimated.
  public private(set) var estimatedSamples: Int64 = 0
  /// By how much ``estimatedSamples`` may be wrong: the largest uncertainty of a single gap, for each
  /// estimate starts from the device's clock and not from the one before.
  public private(set) var uncertainty: Int64 = 0
  /// Gaps of which nobody knows how long they are.
  public private(set) var unknownCount = 0

  /// None yet.
  public init() {}

  /// Samples per channel that were lost, as far as that is known.
  public var lostSamples: Int64 { countedSamples + estimatedSamples }

  /// Gaps that are not in ``list``.
  public var unlistedCount: Int { count - list.count }

  mutating func append(_ gap: DeviceGap) {
    count += 1
    if list.count < Self.longestList { list.append(gap) }
    guard let lost = gap.lostSamples else {
      unknownCount += 1
      return
    }
    if gap.isEstimated { estimatedSamples += lost } else { countedSamples += lost }
    uncertainty = max(uncertainty, gap.uncertainty)
  }
}
