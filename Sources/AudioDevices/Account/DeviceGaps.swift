// SPDX-License-Identifier: Apache-2.0
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
    /// The device was lost and waited for: ``AlsaOptions/lossPolicy``.
    case deviceLost
  }

  /// What happened, or what happened first where several things followed on each other.
  public var cause: Cause
  /// Where the gap begins, in samples per channel of the stream. A capture's stream has silence in place
  /// of what was lost before, so that this is a time on the device's clock.
  public var position: Int64
  /// How many samples per channel the device's clock went on by without giving them; nil where nobody
  /// knows. An underrun loses none.
  public var lostSamples: Int64?
  /// By how much ``lostSamples`` may be wrong either way, in samples per channel: 0 where they were counted, above where
  /// they were estimated, where it holds in 999 of 1,000 cases. How long a device had stood still before it failed
  /// nobody can tell.
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

  package mutating func append(_ gap: DeviceGap) {
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
