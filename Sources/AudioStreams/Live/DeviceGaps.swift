// SPDX-License-Identifier: Apache-2.0
/// A gap between a stream and its device's clock.
public struct DeviceGap: Sendable, Hashable, BitwiseCopyable {
  /// The reason of a gap.
  @nonexhaustive
  public enum Cause: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    /// The device's buffer overran or underran.
    case xrun
    /// The system slept.
    case suspend
    /// The session thread left the ring full.
    case ringOverflow
    /// The device failed with an input/output error and was started again.
    case fault
    /// The device was lost and waited for: ``LossPolicy/reopen``.
    case deviceLost
    /// The program missed cycles of a sound server, which counted them.
    case cycle
    /// Packets of a network did not come, or their sender began again.
    case network
  }

  /// The cause; the first one if several followed on each other.
  public var cause: Cause
  /// The start of the gap, in samples per channel of the stream. Silence replaces earlier losses in a capture's
  /// stream, so this is a time on the device's clock.
  public var position: Int64
  /// Samples per channel of the device's clock that were not delivered; nil if unknown. An underrun loses none, and
  /// neither does a sound server that stood still.
  public var lostSamplesPerChannel: Int64?
  /// The uncertainty of ``lostSamplesPerChannel`` either way, in samples per channel: 0 if they were counted. An estimate's
  /// uncertainty is above 0 and holds in 999 of 1,000 cases. How long a device stood still before its failure is
  /// unknown.
  public var uncertainty: Int64
  /// The number of failures before a sample came through again.
  public var occurrences: Int

  /// Whether ``lostSamplesPerChannel`` was estimated from the time that passed instead of counted.
  public var isEstimated: Bool { uncertainty > 0 }

  /// - Parameters:
  ///   - cause: the first cause.
  ///   - position: the start of the gap, in samples per channel of the stream.
  ///   - lostSamplesPerChannel: per channel; nil if unknown.
  ///   - uncertainty: of `lostSamplesPerChannel`, either way; 0 if they were counted.
  ///   - occurrences: the number of failures.
  @_noAllocation @_noLocks
  public init(
    cause: Cause, position: Int64, lostSamplesPerChannel: Int64?, uncertainty: Int64 = 0,
    occurrences: Int = 1
  ) {
    self.cause = cause
    self.position = position
    self.lostSamplesPerChannel = lostSamplesPerChannel
    self.uncertainty = uncertainty
    self.occurrences = occurrences
  }
}

/// The gaps of a stream: a list of the first ones, and the sums of all.
///
/// Memory is bounded: gaps beyond ``longestList`` are only summed up. `onGap` of a source reports each gap.
public struct DeviceGaps: Sendable, Hashable {
  /// The most gaps in ``list``.
  public static let longestList = 10_000

  /// The first gaps, in order.
  public private(set) var list: [DeviceGap] = []
  /// The number of all gaps.
  public private(set) var count = 0
  /// Samples per channel that were lost and counted.
  public private(set) var countedSamplesPerChannel: Int64 = 0
  /// Samples per channel that were lost and estimated.
  public private(set) var estimatedSamplesPerChannel: Int64 = 0
  /// The uncertainty of ``estimatedSamplesPerChannel``: the largest of a single gap, for each estimate starts from the device's
  /// clock and not from the one before.
  public private(set) var uncertainty: Int64 = 0
  /// Gaps of unknown length.
  public private(set) var unknownCount = 0

  /// No gaps yet.
  public init() {}

  /// Samples per channel that are known to be lost.
  public var lostSamplesPerChannel: Int64 { countedSamplesPerChannel + estimatedSamplesPerChannel }

  /// Gaps that are not in ``list``.
  public var unlistedCount: Int { count - list.count }

  package mutating func append(_ gap: DeviceGap) {
    count += 1
    if list.count < Self.longestList { list.append(gap) }
    guard let lost = gap.lostSamplesPerChannel else {
      unknownCount += 1
      return
    }
    if gap.isEstimated {
      estimatedSamplesPerChannel += lost
    } else {
      countedSamplesPerChannel += lost
    }
    uncertainty = max(uncertainty, gap.uncertainty)
  }
}
