// SPDX-License-Identifier: Apache-2.0
/// A gap that lasts until a sample comes through again. End's thread only.
package struct PendingGap: BitwiseCopyable {
  private var cause = DeviceGap.Cause.xrun
  /// 0 while there is no gap.
  private var occurrences = 0
  /// Samples per channel, counted or estimated.
  package var lost: Int64 = 0
  /// Of ``lost``, either way.
  package var uncertainty: Int64 = 0
  /// Whether the gap has time whose samples were neither counted nor estimated yet.
  package var needsEstimate = false

  @_noAllocation @_noLocks
  package init() {}

  package var isOpen: Bool {
    @_noAllocation @_noLocks get { occurrences > 0 }
  }

  /// Adds `count` lost samples per channel.
  ///
  /// - Parameters:
  ///   - uncertainty: of `count`, if that was counted apart from the losses before.
  ///   - isNew: false if an earlier cause only continues.
  @_noAllocation @_noLocks
  package mutating func add(
    _ cause: DeviceGap.Cause, _ count: Int64 = 0, uncertainty: Int64 = 0, isNew: Bool
  ) {
    if !isOpen { self.cause = cause }
    if isNew || !isOpen { occurrences += 1 }
    lost += count
    self.uncertainty += uncertainty
  }

  /// Joins a gap that follows without a sample in between. Both estimates start from the clock of the end.
  @_noAllocation @_noLocks
  package mutating func join(_ next: PendingGap) {
    if !isOpen { cause = next.cause }
    occurrences += next.occurrences
    lost += next.lost
    uncertainty = max(uncertainty, next.uncertainty)
    needsEstimate = needsEstimate || next.needsEstimate
  }

  /// The gap as it is reported after its end.
  @_noAllocation @_noLocks
  package func ended(at position: Int64) -> DeviceGap {
    let isUnknown = needsEstimate && lost == 0
    return DeviceGap(
      cause: cause, position: position, lostSamplesPerChannel: isUnknown ? nil : lost,
      uncertainty: isUnknown ? 0 : uncertainty, occurrences: occurrences)
  }
}

/// The account of a capture: the samples in its ring, those lost between them, and the gap that is still open. Positions
/// and lengths are in samples per channel. End's thread only.
package struct CaptureAccount: BitwiseCopyable {
  /// The samples pushed to the ring.
  package private(set) var delivered: Int64 = 0
  /// The samples in the gaps reported so far.
  private var filled: Int64 = 0
  package var gap = PendingGap()

  @_noAllocation @_noLocks
  package init() {}

  /// The length of the stream so far, including the open gap.
  package var position: Int64 {
    @_noAllocation @_noLocks get { delivered + filled + gap.lost }
  }

  @_noAllocation @_noLocks
  package mutating func push(_ count: Int) { delivered += Int64(count) }

  /// The gap that ends before the next sample.
  @_noAllocation @_noLocks
  package func mark() -> GapMark {
    GapMark(gap: gap.ended(at: delivered + filled), ringPosition: delivered)
  }

  /// Reports the open gap, if there is one.
  ///
  /// - Parameter isLast: whether no sample follows.
  /// - Returns: false if there is no room for the report: the gap goes on.
  @_noAllocation @_noLocks
  package mutating func endGap(to live: borrowing LiveRing, isLast: Bool = false) -> Bool {
    if !gap.isOpen { return true }
    if !live.tell(mark(), isLast: isLast) { return false }
    filled += gap.lost
    gap = PendingGap()
    return true
  }

  /// Reports silence that the sender meant, which is no loss.
  ///
  /// - Returns: false if there is no room for the report.
  package mutating func addSilence(_ count: Int64, to live: borrowing LiveRing) -> Bool {
    let silence = DeviceGap(
      cause: .network, position: position, lostSamplesPerChannel: count, occurrences: 0)
    let mark = GapMark(gap: silence, ringPosition: delivered, isLoss: false)
    guard endGap(to: live), live.tell(mark) else { return false }
    filled += count
    return true
  }
}

/// A gap on its way from the thread of a live end to the session thread.
package struct GapMark: BitwiseCopyable, Equatable {
  package var gap: DeviceGap
  /// Samples per channel that go through the ring before the gap.
  package var ringPosition: Int64
  /// Whether samples were lost. Otherwise the sender meant the silence.
  package var isLoss: Bool

  @_noAllocation @_noLocks
  package init(gap: DeviceGap, ringPosition: Int64, isLoss: Bool = true) {
    self.gap = gap
    self.ringPosition = ringPosition
    self.isLoss = isLoss
  }
}
