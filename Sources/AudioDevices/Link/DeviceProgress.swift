// SPDX-License-Identifier: Apache-2.0
/// The progress of a device as its thread sees it; decides when waiting and recovering become useless. Pure
/// arithmetic, on the device thread.
struct DeviceProgress {
  /// The response to a failure.
  enum Attempt: BitwiseCopyable {
    /// The device is lost.
    case none
    /// Recover: samples moved since the last recovery.
    case first
    /// Recover again: nothing moved since the last recovery, so the gap continues.
    case repeated
  }

  /// The most failures in a row that are recovered from.
  private static let mostFaults = 8

  /// The longest interval between two looks of a running thread, in nanoseconds.
  private static let longestLook = 500_000_000

  /// Samples per channel since the last start that prove that the device works.
  private let proof: Int
  /// Nanoseconds without a sample after which a device is lost.
  private let stallLimit: Int
  /// Nanoseconds without a sample while the thread was running.
  private var vainTime = 0
  private var lastLook: MonotonicTime
  private var movedSinceRecovery = 0
  private var faults = 0
  /// Whether nothing moved since the last recovery.
  private var isInGap = false
  private var vainWaits = 0

  /// - Parameters:
  ///   - proof: samples per channel since the last start that prove that the device works.
  ///   - stallLimit: nanoseconds without a sample after which a device is lost.
  ///   - now: the start of the thread.
  @_noAllocation @_noLocks
  init(proof: Int, stallLimit: Int, at now: MonotonicTime) {
    self.proof = proof
    self.stallLimit = stallLimit
    lastLook = now
  }

  /// Notes that `count` samples per channel moved.
  @_noAllocation @_noLocks
  mutating func moved(_ count: Int, at now: MonotonicTime) {
    rested(at: now)
    vainWaits = 0
    isInGap = false
    movedSinceRecovery += count
    if movedSinceRecovery >= proof { faults = 0 }
  }

  /// Notes that the thread did not need the device, so its standstill counts for nothing.
  @_noAllocation @_noLocks
  mutating func rested(at now: MonotonicTime) {
    vainTime = 0
    lastLook = now
  }

  /// Notes the outcome of a wait for the device.
  @_noAllocation @_noLocks
  mutating func waited(_ readiness: Readiness) {
    if case .ready = readiness { vainWaits += 1 } else { vainWaits = 0 }
  }

  /// Whether the device repeatedly reports that it is ready and then moves nothing: the thread must not spin.
  @_noAllocation @_noLocks
  func isSpinning() -> Bool { vainWaits > 1 }

  /// Whether the device has moved nothing for too long.
  ///
  /// Time in which the thread did not run, such as while its process was stopped, hardly counts.
  @_noAllocation @_noLocks
  mutating func isStalled(at now: MonotonicTime) -> Bool {
    vainTime += min(now.nanoseconds(since: lastLook), Self.longestLook)
    lastLook = now
    return vainTime > stallLimit
  }

  /// Whether the device failed repeatedly and has not worked since.
  @_noAllocation @_noLocks
  func isFailing() -> Bool { faults > 1 }

  /// The response to `failure`. An xrun or a system sleep does not count as a fault.
  @_noAllocation @_noLocks
  mutating func attempt(after failure: DeviceFailure, at now: MonotonicTime) -> Attempt {
    if isStalled(at: now) { return .none }
    switch failure {
    case .xrun, .suspended: break
    case .disconnected, .stalled, .other: faults += 1
    }
    if faults > Self.mostFaults { return .none }
    movedSinceRecovery = 0
    if isInGap { return .repeated }
    isInGap = true
    return .first
  }
}
